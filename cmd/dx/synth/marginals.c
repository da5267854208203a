/*
 * marginals: a table from marginals that are counted whole.
 *
 * Levels.  The levels are the marginals of one attribute, of two, ... up to the
 * requested; the last may be the cells of the universe.  One level's parts are
 * counted, and nothing more: public facts decide the best level.  Levels below
 * are sums of the counts, so single attributes and pairs cost nothing more.
 *
 * Privacy.  The shares of the level's parts add up to PARTS_WHOLE at most, and
 * nothing private is looked at beside the parts' noisy counts (parts.c).
 *
 * Shares.  A marginal's noise adds up to cost / share over the cells, so
 * sqrt(cost) in proportion is best.
 *
 * The table.  The counts of the fitted levels are made to agree, single
 * attributes first.  Then level by level a part's distances from the table of
 * the levels before have as many degrees of freedom as the part has cells less
 * the cells settled by the parts inside; the distances are kept as far as they
 * say more than chance, in the light of the level's parts, and the table is
 * fitted again.  So little is lost where a level says nothing.  A look at each
 * pair first, to count only pairs that single attributes do not explain, is no
 * better on the whole: in trials on a census and five made tables, at ten
 * releases for each epsilon from 0.01 to 1, the error without the look was 0.7
 * to 1.1 times as large, but 1.25 times at one epsilon of the census, and 2.7
 * times at one epsilon where attributes were equal or independent.
 *
 * The best level.  A marginal of the queries is a sum over sets of its
 * attributes: the mean, each attribute's addition, each pair's addition beside
 * these, and so on.  The noise falls into these sums.  If part T of the counted
 * level has cells with variance v, then the cells of a part S inside T are sums
 * of cells(T) / cells(S) cells; every such T together know S with the sum of
 * their precisions.  The addition of S has degrees(S) of the cells(S)
 * dimensions.
 *
 * A level leaves the smaller of two errors: this noise, or, as the table
 * believes only clear differences, and where the level is below S, the whole
 * addition of S.  Nobody knows the addition before; by the number of attributes
 * in S the addition is taken as a part ADDS of n, summed over the cells of S,
 * beside the addition of records drawn by chance.  In trials (a census, chains,
 * mixtures, nets, normal laws, independent attributes) single attributes had
 * the smaller error up to about the epsilon at which 0.6 for pairs changes
 * over, and pairs beyond; with 1 pairs come in at half this epsilon, and erred
 * 1.1 to 3 times as much there.  Triples added 0.02 to 0.15 of n beside pairs,
 * and cells were no worse than pairs well before this part.
 * scripts/figure/pairs measures the errors that are left, and
 * scripts/figure/constants those of other numbers.
 */
#include "marginals.h"

#include <math.h>
#include <stdlib.h>

#include "tool/err.h"

#define WEIGHT 1e6

/*
 * For single attributes beside equal counts, for pairs beside single
 * attributes, ...
 */
static const double adds[] = { 1, 0.6, 0.3, 0.15, 0.08, 0.04 };

#define ADDS (sizeof(adds) / sizeof(adds[0]))

/* The root of the cost: the cells' mean |noise| for the whole budget. */
static double
part_root(const struct partition *p)
{
	double sum = 0;

	for (size_t e = 0; e < p->cells; e++)
		sum += 2 * rational_real(p->c[e]);
	return sqrt(sum);
}

/* Is part j inside part k?  in: scratch, a number for each element. */
static bool
inside(const struct marginals *a, size_t j, size_t k, int64_t *in)
{
	return part_inside(&a->p.part[j], &a->p.part[k], a->p.n, in);
}

/* Roots of costs, and degrees of freedom for the table's fit. */
static void
describe_parts(struct marginals *a)
{
	int64_t *in = err_alloc(NULL, a->p.n, sizeof(*in));

	for (size_t l = 0; l < a->levels; l++)
		for (size_t k = a->first[l]; k < a->first[l + 1]; k++) {
			double d = (double)a->p.part[k].cells - 1;

			for (size_t j = 0; l < a->order && j < a->first[l]; j++)
				if (inside(a, j, k, in))
					d -= a->degrees[j];
			a->root[k] = part_root(&a->p.part[k]);
			a->degrees[k] = fmax(0, d);
		}
	free(in);
}

/* The mean variance of the counts of part k, of a level with this many roots.
 */
static double
part_variance(const struct marginals *a, size_t k, double roots)
{
	const struct partition *p = &a->p.part[k];
	double sum = 0, one;

	for (size_t e = 0; e < p->cells; e++) {
		one = 2 * rational_real(p->c[e]) * roots / a->root[k];
		sum += 2 * one * one;
	}
	return sum / (double)p->cells;
}

/* The precision with which a level knows each fitted part's cells. */
static void
know(const struct marginals *a, size_t level, int64_t *in, double *precision)
{
	size_t first = a->first[level - 1], end = a->first[level];
	double roots = 0, v;

	for (size_t j = 0; j < a->p.parts; j++)
		precision[j] = 0;
	for (size_t k = first; k < end; k++)
		roots += a->root[k];
	for (size_t k = first; k < end; k++) {
		if (!(a->root[k] > 0))
			continue;
		v = part_variance(a, k, roots);
		precision[k] += 1 / v;
		for (size_t j = 0; j < first && j < a->first[a->order]; j++)
			if (inside(a, j, k, in))
				precision[j] += (double)a->p.part[j].cells /
				    (double)a->p.part[k].cells / v;
	}
}

/* The squared rest of the addition of part j on this level. */
static double
left(const struct marginals *a, size_t j, size_t level, double precision)
{
	double n = a->p.total, part = adds[FIXED_LEAST(level, ADDS - 1)];
	double all = part * part * n * n + n * a->degrees[j];

	if (!(precision > 0))
		return a->degrees[j] > 0 ? all : 0;
	return fmin(all, a->degrees[j] * (double)a->p.part[j].cells /
	    precision);
}

/* The error of an answer when a level is counted: the mean over cells. */
static double
error(const struct marginals *a, int64_t *in, const double *precision)
{
	size_t last = a->order - 1, first = a->first[last];
	double all = 0, cells = 0, sum;

	for (size_t k = first; k < a->first[a->order]; k++) {
		sum = left(a, k, last, precision[k]);
		for (size_t l = 0; l < last; l++)
			for (size_t j = a->first[l]; j < a->first[l + 1]; j++)
				if (inside(a, j, k, in))
					sum += left(a, j, l, precision[j]);
		all += sqrt(sum);
		cells += (double)a->p.part[k].cells;
	}
	return all / fmax(cells, 1);
}

void
marginals_expect(struct marginals *a)
{
	double *precision = err_alloc(NULL, a->p.parts, sizeof(*precision)), e;
	int64_t *in = err_alloc(NULL, a->p.n, sizeof(*in));

	for (size_t level = 1; level <= a->levels; level++) {
		know(a, level, in, precision);
		e = error(a, in, precision);
		if (level == 1 || e < a->expected) {
			a->chosen = level;
			a->expected = e;
		}
	}
	free(precision);
	free(in);
}

void
marginals_open(struct marginals *a, const struct normal *level, size_t levels)
{
	a->levels = levels;
	a->first = err_alloc(NULL, levels + 1, sizeof(*a->first));
	for (size_t l = 0; l < levels; l++) {
		parts_add(&a->p, &level[l]);
		a->first[l + 1] = a->p.parts;
	}
	a->root = err_alloc(NULL, a->p.parts, sizeof(*a->root));
	a->degrees = err_alloc(NULL, a->p.parts, sizeof(*a->degrees));
	a->heard = err_alloc(NULL, a->p.parts, sizeof(*a->heard));
	describe_parts(a);
	marginals_expect(a);
}

void
marginals_close(struct marginals *a)
{
	parts_close(&a->p);
	free(a->first);
	free(a->root);
	free(a->degrees);
	free(a->heard);
}

/*
 * Budget shares for the chosen level's parts.  Weights are whole, and quotients
 * rounded down: the shares add up to no more than the budget.
 */
void
marginals_share(struct marginals *a)
{
	size_t first = a->first[a->chosen - 1], end = a->first[a->chosen];
	double most = 0;
	u128 sum = 0;

	for (size_t k = 0; k < a->p.parts; k++) {
		a->p.part[k].share = 0;
		a->p.part[k].held = false;
	}
	for (size_t k = first; k < end; k++)
		most = fmax(most, a->root[k]);
	for (size_t k = first; k < end; k++) {
		a->p.part[k].share = 1;
		if (most > 0)
			a->p.part[k].share += (uint64_t)(a->root[k] / most *
			    WEIGHT);
		sum += a->p.part[k].share;
	}
	for (size_t k = first; k < end; k++)
		a->p.part[k].share = (uint64_t)((u128)PARTS_WHOLE *
		    a->p.part[k].share / sum);
}

/*
 * The distance of cell e's count from the table so far.  Where the table is
 * off, rare cells are off by less than usual cells, but by more for each of
 * their records: the variance grows like the expected count.
 */
static struct distance
cell_distance(const struct marginals *a, const struct partition *p, size_t e)
{
	double cells = fmax(2, (double)p->cells);

	/* the noise before the counts were made to add up */
	return (struct distance){ p->count[e] - p->now[e], p->variance[e] *
	    cells / (cells - 1), p->now[e], p->now[e] * a->p.total / cells };
}

/* What part k's counts say beside the table. */
static void
listen(struct marginals *a, size_t k, const double *y)
{
	struct partition *p = &a->p.part[k];
	struct distance d;

	a->heard[k] = (struct guesses){ { 0 } };
	part_sums(p, y, a->p.n, p->now);
	for (size_t e = 0; e < p->cells; e++) {
		d = cell_distance(a, p, e);
		guesses_hear(&a->heard[k], &d, a->degrees[k] /
		    (double)p->cells);
	}
}

/* Moves parts' counts towards the sums of y where the counts say little. */
static void
marginals_believe(struct marginals *a, size_t first, size_t end,
    const double *y)
{
	struct distance d;

	for (size_t k = first; k < end; k++)
		listen(a, k, y);
	guesses_judge(a->heard + first, end - first);
	for (size_t k = first; k < end; k++) {
		struct partition *p = &a->p.part[k];

		for (size_t e = 0; e < p->cells; e++) {
			d = cell_distance(a, p, e);
			p->count[e] -= (1 - guesses_kept(&a->heard[k], &d)) *
			    d.off;
		}
	}
}

/*
 * The table from all counts.  Levels below the counted level are sums; then
 * level by level the evidence beside the table of the levels before.
 */
static void
fit_levels(struct marginals *a, double *y)
{
	size_t top = FIXED_LEAST(a->chosen, a->order);
	size_t sums = FIXED_LEAST(a->chosen - 1, a->order);
	size_t parts = a->p.parts;

	for (size_t k = 0; k < a->first[sums]; k++)
		parts_pool(&a->p, k);
	for (size_t k = a->first[top]; k < parts; k++)
		a->p.part[k].held = false;
	for (size_t i = 0; i < a->p.n; i++)
		y[i] = a->p.total / (double)a->p.n;
	for (size_t l = 0; l < top; l++) {
		a->p.parts = a->first[l + 1];
		marginals_believe(a, a->first[l], a->p.parts, y);
		parts_fit(&a->p, y);
	}
	a->p.parts = parts;
}

void
marginals_release(struct marginals *a, const int64_t *x, struct rng *r,
    double *y)
{
	size_t chosen = a->chosen;

	/* without noise nothing is to be saved */
	if (r == NULL)
		a->chosen = a->order;
	marginals_share(a);
	for (size_t k = a->first[a->chosen - 1]; k < a->first[a->chosen]; k++)
		if (a->p.part[k].share > 0)
			parts_measure(&a->p, k, x, r);
	parts_level(&a->p);
	fit_levels(a, y);
	a->chosen = chosen;
}
