/*
 * parts_fit: a table from noisy counts of partitions.  Post-processing.
 *
 * The total.  Where n is hidden, each part's sum is an unbiased look at n, and
 * so is the n released before.  Least squares over the counts, with every part
 * adding up to one total T, make T the precision-weighted mean of the looks,
 * and move a part's counts by variance to add up to T.
 *
 * The fit begins at the table of the levels before.  Parts take turns: a cell's
 * records are multiplied by the factor that brings their sum within CLEAR
 * deviations of the cell's count, if the sum is farther off.  Each turn leads
 * to the nearest table in relative entropy, so the table departs from the
 * earlier table only as far as noisy counts say clearly [Bregman 1967].
 *
 * From there as many steps of mirror descent lessen the sum of squares (count
 * - sum of y)^2 / var, which also uses less clear evidence in the counts: each
 * step multiplies y by exp(-step slope) of the cells.  Thousands of steps would
 * fit the noise as well; in trials on a census and made tables, of which no
 * script is left, the error hardly changes between 30 and 100.  So large tables
 * take few turns and steps.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/counts.h"
#include "dx/synth/parts.h"
#include "tool/err.h"

#define CLEAR 0.4
#define STILL 1e-9		/* of a sum: no sum is moved by more */
#define FALL 0.1		/* a sum falls to this part in one turn */
#define TURNS 60.0		/* for each part, and steps down, */
#define FEWEST 20.0		/* and where a turn is long */
#define WORK 2e8		/* elements times parts in all turns */
#define STEEPEST 40.0		/* a step's exponent at most */
#define LANES ((size_t)4)	/* sums at once; none waits for another */

/* Makes the counts add up, each moved by its part of the variance. */
static void
level_part(struct partition *p, double total)
{
	double off = total, all = 0;

	for (size_t e = 0; e < p->cells; e++) {
		off -= p->count[e];
		all += p->variance[e];
	}
	if (all > 0)
		for (size_t e = 0; e < p->cells; e++) {
			double part = p->variance[e] / all;

			p->count[e] += off * part;
			p->variance[e] *= 1 - part;
		}
}

void
parts_level(struct parts *p)
{
	for (size_t k = 0; k < p->parts; k++) {
		const struct partition *from = &p->part[k];
		double all = 0;

		for (size_t e = 0; e < from->cells; e++)
			all += from->variance[e];
		if (from->share > 0 && from->held)
			counts_look(from->count, from->cells, all, &p->total,
			    &p->variance);
	}
	p->total = fmax(0, p->total);
	for (size_t k = 0; k < p->parts; k++)
		if (p->part[k].share > 0 && p->part[k].held)
			level_part(&p->part[k], p->total);
}

void
part_sums(const struct partition *p, const double *y, size_t n, double *to)
{
	double *lane = err_alloc(NULL, LANES * p->cells, sizeof(*lane));
	size_t part = n / LANES;

	for (size_t i = 0; i < part; i++)
		for (size_t l = 0; l < LANES; l++)
			lane[l * p->cells + p->cell[l * part + i]] +=
			    y[l * part + i];
	for (size_t i = LANES * part; i < n; i++)
		lane[p->cell[i]] += y[i];
	memset(to, 0, p->cells * sizeof(*to));
	for (size_t e = 0; e < LANES * p->cells; e++)
		to[e % p->cells] += lane[e];
	free(lane);
}

bool
part_inside(const struct partition *coarse, const struct partition *fine,
    size_t n, int64_t *in)
{
	for (size_t e = 0; e < fine->cells; e++)
		in[e] = -1;
	for (size_t i = 0; i < n; i++) {
		int64_t *to = &in[fine->cell[i]];

		if (*to >= 0 && *to != coarse->cell[i])
			return false;
		*to = coarse->cell[i];
	}
	return true;
}

/* Sums of a finer part's counts, variances and cells over coarse cells. */
struct pooled {
	double *count, *variance, *cells;
	int64_t *in;
};

static void
sum_up(const struct partition *coarse, const struct partition *fine,
    struct pooled *s)
{
	for (size_t c = 0; c < coarse->cells; c++)
		s->count[c] = s->variance[c] = s->cells[c] = 0;
	for (size_t e = 0; e < fine->cells; e++) {
		/* NOLINTNEXTLINE(clang-analyzer-*): in is below the cells */
		s->count[s->in[e]] += fine->count[e];
		s->variance[s->in[e]] += fine->variance[e];
		s->cells[s->in[e]]++;
	}
}

/* The precision-weighted mean of the two; cells without evidence stay. */
static void
merge(struct partition *coarse, const struct pooled *s)
{
	for (size_t c = 0; c < coarse->cells; c++) {
		/* NOLINTNEXTLINE(clang-analyzer-*): sum_up set all of them */
		double a = coarse->variance[c], b = s->variance[c];

		if (!coarse->held) {
			coarse->count[c] = s->count[c];
			coarse->variance[c] = b;
		}
		if (!coarse->held || !(a > 0 && b > 0))
			continue;
		coarse->count[c] = (coarse->count[c] * b + s->count[c] * a) /
		    (a + b);
		coarse->variance[c] = a * b / (a + b);
	}
	coarse->held = true;
}

static void
spread_cells(const struct partition *coarse, struct partition *fine,
    const struct pooled *s)
{
	for (size_t e = 0; e < fine->cells; e++) {
		size_t c = (size_t)s->in[e];

		fine->count[e] += (coarse->count[c] - s->count[c]) /
		    s->cells[c];
	}
}

void
parts_pool(struct parts *p, size_t which)
{
	struct partition *to = &p->part[which];
	struct pooled s = { .in = err_alloc(NULL, p->n, sizeof(*s.in)) };

	s.count = err_alloc(NULL, 3 * to->cells, sizeof(*s.count));
	s.variance = s.count + to->cells;
	s.cells = s.variance + to->cells;
	/* first into the coarse part, then back to all finer ones */
	for (size_t k = 0; k < 2 * p->parts; k++) {
		/* NOLINTNEXTLINE(clang-analyzer-*): parts is not 0 here */
		struct partition *fine = &p->part[k % p->parts];

		if (fine == to || fine->share == 0 ||
		    !part_inside(to, fine, p->n, s.in))
			continue;
		sum_up(to, fine, &s);
		if (k < p->parts)
			merge(to, &s);
		else
			spread_cells(to, fine, &s);
	}
	free(s.count);
	free(s.in);
}

/* A part's turn; returns the largest part by which a sum is moved. */
static double
sweep(struct partition *p, double *y, size_t n)
{
	double most = 0, slack, to;

	part_sums(p, y, n, p->now);
	for (size_t e = 0; e < p->cells; e++) {
		slack = CLEAR * sqrt(p->variance[e]);
		to = fmax(p->count[e] - slack, fmin(p->count[e] + slack,
		    p->now[e]));
		to = fmax(to, FALL * p->now[e]);
		p->now[e] = to / fmax(p->now[e], 1e-200);
		most = fmax(most, fabs(1 - p->now[e]));
	}
	for (size_t i = 0; i < n; i++)
		y[i] *= p->now[p->cell[i]];
	return most;
}

/* Scales y to the total. */
static void
scale_table(const struct parts *p, double *y)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += y[i];
	if (sum > 0)
		for (size_t i = 0; i < p->n; i++)
			y[i] *= p->total / sum;
}

/* Half the squared misses of measured cells, in deviations; sums to now. */
static double
misfit(struct parts *p, const double *y)
{
	double sum = 0, off;

	for (size_t k = 0; k < p->parts; k++) {
		struct partition *to = &p->part[k];

		if (!to->held)
			continue;
		part_sums(to, y, p->n, to->now);
		for (size_t e = 0; e < to->cells; e++) {
			off = to->now[e] - to->count[e];
			if (to->variance[e] > 0)
				sum += off * off / to->variance[e] / 2;
		}
	}
	return sum;
}

/* The slope of misfit at y; a step short enough for every cell. */
static double
slopes(struct parts *p)
{
	double most = 0;

	for (size_t k = 0; k < p->parts; k++) {
		struct partition *to = &p->part[k];
		double weight = 0;

		if (to->held)
			for (size_t e = 0; e < to->cells; e++) {
				double v = to->variance[e];

				to->slope[e] = 0;
				if (!(v > 0))
					continue;
				to->slope[e] = (to->now[e] - to->count[e]) / v;
				weight = fmax(weight, 1 / v);
			}
		most += weight;
	}
	return most > 0 ? 1 / (most * p->total) : 0;
}

static void
step_down(struct parts *p, double step, double *y)
{
	for (size_t k = 0; k < p->parts; k++) {
		struct partition *to = &p->part[k];

		if (!to->held)
			continue;
		for (size_t e = 0; e < to->cells; e++)
			to->now[e] = exp(fmax(-STEEPEST, fmin(STEEPEST,
			    -step * to->slope[e])));
		for (size_t i = 0; i < p->n; i++)
			y[i] *= to->now[to->cell[i]];
	}
	scale_table(p, y);
}

/* Steps grow while they help, and are halved if not. */
static void
descend_slopes(struct parts *p, double *y, double steps)
{
	double *z = err_alloc(NULL, p->n, sizeof(*z)), least, step, one;

	least = misfit(p, y);
	step = slopes(p);
	for (int s = 0; s < steps && step > 0; s++) {
		memcpy(z, y, p->n * sizeof(*z));
		step_down(p, step, z);
		one = misfit(p, z);
		if (one > least) {
			step /= 2;
			continue;
		}
		memcpy(y, z, p->n * sizeof(*z));
		least = one;
		(void)slopes(p);
		step *= 1.5;
	}
	free(z);
}

void
parts_fit(struct parts *p, double *y)
{
	double most = 1, turns = fmax(FEWEST, fmin(TURNS, WORK /
	    ((double)p->n * (double)p->parts)));

	if (p->total < 1)
		return;
	for (int s = 0; s < turns && most > STILL; s++) {
		most = 0;
		for (size_t k = 0; k < p->parts; k++)
			if (p->part[k].held)
				most = fmax(most, sweep(&p->part[k], y, p->n));
	}
	scale_table(p, y);
	descend_slopes(p, y, turns);
}
