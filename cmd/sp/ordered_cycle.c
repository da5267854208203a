/*
 * ordered_cycle: jumps of the quantile's walk along its threshold.
 *
 * Write a for u - v, the net number of steps to the right; t' = t'_0 + a S
 * depends on nothing else.  Where the walk keeps to its threshold, a returns
 * to its present value after every two steps.  Two such cycles are jumped:
 *
 * lag 0: yes at a, no at a + 1, yes at a, ...
 * lag 1: no at a + 1 and yes at a - 1: then a comes back after two steps
 *	whatever is answered at a, be it always the same or not.
 *
 * After j cycles the quantile's place in the window that is asked at a + 1 is
 * l - j + max(ceil(alpha (k + 2 j + 1)), 1) - 1, and similarly at a or a - 1.
 * As 2 alpha lies between 0 and 2, two more records move it by -1 or 0 when
 * alpha <= 1/2 and by 0 or 1 otherwise: it drifts one way, and each of the two
 * answers, x >= t' and x < t', turns at most once.  If both hold in the first
 * cycle, they hold until one turns and not again.
 */
#include "ordered_runs.h"

struct cycle {
	const struct jumper *w;
	uint64_t lag;
	uint64_t low, high;	/* yes from record low on, no before high */
};

/* Record of the quantile of [l, r). */
static uint64_t
place(const struct cycle *c, uint64_t l, uint64_t r)
{
	uint64_t rank = ordered_rank(c->w->d->f, r - l);

	return l + rank - (rank > 0);
}

static bool
broken(const void *p, uint64_t j)
{
	const struct cycle *c = p;
	uint64_t l = c->w->l - j, r = c->w->r + j;

	return place(c, l, r + 1) >= c->high ||
	    place(c, l - c->lag, r) < c->low;
}

/* First record of value t2 / 2 or more; t2 is odd. */
static uint64_t
record(const struct jumper *w, i128 t2)
{
	return w->d->before[ordered_find(w->d, fixed_ceil_div(t2, 2))];
}

/* The number of cycles after which the drift should end them. */
static double
estimate(const struct cycle *c)
{
	struct rational a = c->w->d->f->alpha;
	double drift = 2 * ((double)a.num / (double)a.den) - 1;
	double at = (double)c->w->p.at, max = 0x1p41;

	if (drift > 0)
		return ((double)c->high - at) / drift;
	return drift < 0 ? ((double)c->low - at) / drift : max;
}

void
jumper_cycle(struct jumper *w)
{
	i128 s2 = 2 * (i128)w->d->f->sens;
	uint64_t j = 0, max = w->n - w->r;
	struct cycle c = { .w = w };

	if (max > w->l)
		max = w->l;
	c.high = record(w, w->t2 + s2);
	for (c.lag = 0; c.lag < 2 && j == 0; c.lag++) {
		c.low = record(w, c.lag ? w->t2 - s2 : w->t2);
		if (max > 0 && !broken(&c, 0))
			j = jumper_first(&c, broken, max, estimate(&c));
	}
	if (j > 0)
		jumper_place(w, w->l - j, w->r + j);
}
