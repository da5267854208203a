/*
 * mwem_learn: y from the measurements made so far.
 *
 * Looks at measurements and public numbers alone.
 *
 * The step.  Among histograms y' that answer the measured query by m, the
 * nearest to y in relative entropy is y_i exp(s q_i), scaled to n records, with
 * the s that gives the answer m.  For a 0/1 query exp(s) is the odds of m/n
 * over the odds of q(y)/n; for the rest Newton's method finds s: the derivative
 * of the answer is the variance of q under y.  Replays take one Newton step for
 * each measurement.  Measurements beyond a histogram's answers stand for an
 * answer just inside.
 *
 * The paper's step [KPAK20 Algorithm 2] is s q_i = q_i (m - q(y)) / 2n for
 * queries with magnitude 1 at most; larger queries are brought to magnitude 1,
 * which divides s by the squared magnitude.  A common factor for every i is
 * scaled away, so the normal form serves, too.
 */
#include "dx/synth/mwem.h"

#include <math.h>

#include "dx/synth/counts.h"
#include "evidence.h"

#define STEEPEST 50.0	/* a larger exponent of the paper's step is cut */
#define STRIDE 4.0	/* one step of Newton's method at most */
#define STEPS 60	/* of Newton's method for a new measurement */
#define CLOSE 1e-12	/* and how near to m the steps come */
#define STILL 1e-6	/* of n: replays that move answers less have settled */
#define INSIDE 0.125	/* of a uniform y's answer: the least aim */

/* The measured query's coefficient of element i, 0 to 1. */
static double
past_coefficient(const struct mwem_past *h, size_t i)
{
	if (h->p->kind == WORKLOAD_DENSE)
		return (double)(h->p->q[i] - h->low) / h->top;
	return h->p->kind != WORKLOAD_MARGINAL || h->p->cell[i] == h->in;
}

/* Sums of a measured query over the mass, and of the query's square. */
static double
recall(const struct mwem *a, const struct mwem_past *h, double *square)
{
	double s = 0, c;

	*square = 0;
	for (size_t i = h->first; i <= h->last; i++) {
		c = past_coefficient(h, i);
		s += c * a->mass[i];
		*square += c * c * a->mass[i];
	}
	return s;
}

static double
between(double x, double lo, double hi)
{
	if (x < lo)
		return lo;
	return x > hi ? hi : x;
}

static void
normalise(struct mwem *a)
{
	double total = 0, f;

	for (size_t i = 0; i < a->q->w->n; i++)
		total += a->mass[i];
	f = total > 0 ? (double)a->total / total : 0;
	for (size_t i = 0; i < a->q->w->n; i++)
		a->mass[i] *= f;
	a->whole = (double)a->total;
}

/* Multiplies by f to the power of the query. */
static void
multiply(struct mwem *a, const struct mwem_past *h, double f)
{
	double e = log(f), more = 0, c, before;

	for (size_t i = h->first; i <= h->last; i++) {
		c = past_coefficient(h, i);
		before = a->mass[i];
		if (c > 0)
			a->mass[i] *= c < 1 ? exp(c * e) : f;
		more += a->mass[i] - before;
	}
	a->whole += more;
}

/* A possible answer by a histogram, from above 0 to below 1. */
static double
inside(const struct mwem *a, const struct mwem_past *h)
{
	double half = 0.5 / (double)a->total, lo = INSIDE * h->share;
	double hi = INSIDE * (1 - h->share);

	lo = fmin(half, lo);
	hi = fmin(half, hi);
	return between(h->goal, lo, 1 - hi);
}

/* The factor of a step from the part s/whole; square: as by recall. */
static double
factor(const struct mwem *a, const struct mwem_past *h, double s, double square)
{
	double part = s / a->whole, t = h->goal, f;

	if (a->paper) {
		f = h->rate * (t - part);
		return exp(between(f, -STEEPEST, STEEPEST));
	}
	t = inside(a, h);
	if (h->binary)
		return t * (1 - part) / (part * (1 - t));
	f = (t - part) / (square / a->whole - part * part);
	return exp(between(f, -STRIDE, STRIDE));
}

/* One step.  Returns how far y was off, as a part of n. */
static double
update(struct mwem *a, const struct mwem_past *h)
{
	double square, s, part, n = (double)a->total, f, goal = h->goal;

	if (!(a->whole > 0))
		return 0;
	s = recall(a, h, &square);
	part = s / a->whole;
	f = factor(a, h, s, square);
	/* a query on which the rest of y agrees cannot be moved */
	if (!(part > 0 && part < 1 && f > 0 && f < HUGE_VAL))
		return 0;
	multiply(a, h, f);
	if (!(a->whole > n * 0x1p-40 && a->whole < n * 0x1p40))
		normalise(a);
	if (!a->paper)
		goal = inside(a, h);
	return fabs(goal - part);
}

/* Learns again from the rounds, `passes' times or until nothing changes. */
static void
mwem_replay(struct mwem *a, unsigned passes)
{
	double most = 1, before, off;

	for (unsigned pass = 0; pass < passes && most > STILL; pass++) {
		before = most;
		most = 0;
		for (size_t t = 0; t < a->done; t++) {
			off = update(a, &a->past[t]);
			most = fmax(off, most);
		}
		if (fabs(before - most) < STILL)
			break;
	}
	normalise(a);
}

/* The square of the paper's query over its magnitude, halved. */
static double
paper_rate(const struct mwem *a, size_t k)
{
	size_t in, b = normal_find(a->q, k, &in);
	const struct normal_block *q = &a->q->block[b];
	double unit = (double)fixed_pow10(a->q->w->block[b].digits);
	double low = (double)q->low / unit, high;
	double width = (double)q->width * (double)q->step / unit, top;

	if (a->q->w->block[b].kind != WORKLOAD_DENSE) {
		low = 0;
		width = 1;
	}
	high = low + width;
	top = fmax(1, fmax(fabs(low), fabs(high)));
	return width * width / (top * top) / 2;
}

/* Notes a measurement before any step. */
static void
learn_note(struct mwem *a, struct mwem_past *h, size_t k, i128 m)
{
	size_t in, b = normal_find(a->q, k, &in), n = a->q->w->n;
	const struct normal_block *f = &a->q->block[b];
	double sum = 0, width = (double)f->width;
	double answer = ldexp((double)m, -(int)a->shift);

	*h = (struct mwem_past){ .k = k, .rate = paper_rate(a, k),
	    .p = &a->q->w->block[b], .in = in, .last = n - 1, .low = f->low,
	    .top = (double)f->step * fmax(width, 1) };
	h->binary = h->p->kind != WORKLOAD_DENSE || f->width <= 1;
	(void)workload_interval(a->q->w, k, &h->first, &h->last);
	if (a->total > 0 && width > 0)
		h->measured = (answer / (double)a->total / width + 1) / 2;
	h->goal = h->measured;
	for (size_t i = h->first; i <= h->last; i++)
		sum += past_coefficient(h, i);
	h->share = sum / (double)n;
}

/* A measurement beside the answer of equal counts. */
struct doubt {
	double off, whole;	/* the distance; the largest answer */
	double mean, variance;	/* of drawing, and of the noise */
};

static struct doubt
doubt(const struct mwem *a, const struct mwem_past *h)
{
	size_t in, b = normal_find(a->q, h->k, &in);
	size_t e = normal_entry(a->q, b, in);
	double whole = (double)a->total * (double)a->q->block[b].width;

	return (struct doubt){ (h->measured - h->share) * whole, whole,
	    a->spread[e] * (double)a->total / (double)a->q->w->n,
	    counts_variance(&a->noise[e], a->shift) };
}

/*
 * The believed part of the measurements so far: a part of each distance from
 * equal counts, 0 where chance explains every distance, but no less than
 * drawing allows (evidence.c).
 */
static void
mwem_believe(struct mwem *a)
{
	struct evidence all = { .degrees = (double)a->done };
	double part;

	for (size_t t = 0; t < a->done; t++) {
		struct doubt d = doubt(a, &a->past[t]);

		evidence_add(&all, d.off, d.mean, d.variance);
	}
	part = evidence_part(&all, EVIDENCE_CHANCE);
	for (size_t t = 0; t < a->done; t++) {
		struct mwem_past *h = &a->past[t];
		struct doubt d = doubt(a, h);

		h->goal = h->share + fmax(part, d.mean / (d.mean +
		    d.variance)) * d.off / d.whole;
	}
}

void
mwem_learn(struct mwem *a, size_t k, i128 m)
{
	struct mwem_past *h = &a->past[a->done];
	unsigned steps = a->paper ? 1 : STEPS;

	normalise(a);
	/* the paper's mean is of y^0 .. y^(T-1) */
	for (size_t i = 0; i < a->q->w->n; i++)
		a->sum[i] += a->mass[i];
	learn_note(a, h, k, m);
	a->done++;
	if (a->weigh && a->total > 0)
		mwem_believe(a);
	while (steps-- > 0 && update(a, h) > CLOSE)
		;
	if (a->replays > 0)
		mwem_replay(a, a->replays);
	normalise(a);
}
