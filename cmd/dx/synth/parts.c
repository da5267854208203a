/*
 * parts: partitions of a universe that are counted with noise.
 *
 * Privacy.  Cell e of a part has noise of scale 2 c_e W / share, where W is
 * PARTS_WHOLE and c_e is at least 1 / (eps d(i,j)) for elements i, j with just
 * one in e.  A record that moves from i to j changes two counts of a part that
 * tells i from j, in the cells e and f, by one each: the odds of the noisy
 * counts change by a factor of at most exp((1/c_e + 1/c_f) share / 2W) <=
 * exp(eps d(i,j) share / W).  No other count changes, whatever the number of
 * cells.  Over several parts the exponents add up, even where earlier releases
 * decide the parts to count and the shares: along every path of releases the
 * factors multiply, and the shares add up to no more than W.  A record that
 * comes or goes changes one count of a part by one, for share / (2 c_e W):
 * where c_e is 1 / (2 eps) at least, for eps share / W.
 */
#include "parts.h"

#include <stdlib.h>

#include "dx/plan/plan.h"
#include "dx/plan/upward.h"
#include "counts.h"
#include "tool/err.h"

void
parts_add(struct parts *p, const struct normal *q)
{
	const struct workload *w = q->w;
	struct partition *to;

	p->part = err_alloc(p->part, p->parts + w->blocks, sizeof(*to));
	p->n = w->n;
	for (size_t b = 0; b < w->blocks; b++) {
		size_t cells = w->block[b].count;

		to = &p->part[p->parts++];
		*to = (struct partition){ .cell = w->block[b].cell,
		    .cells = cells, .c = q->c + q->block[b].entry,
		    .shift = p->shift };
		to->count = err_alloc(NULL, 4 * cells, sizeof(*to->count));
		to->variance = to->count + cells;
		to->now = to->variance + cells;
		to->slope = to->now + cells;
	}
}

void
parts_close(struct parts *p)
{
	for (size_t k = 0; k < p->parts; k++)
		free(p->part[k].count);
	free(p->part);
	*p = (struct parts){ .n = 0 };
}

bool
part_scale(const struct partition *p, size_t cell, struct scale *t)
{
	struct rational c = p->c[cell], share;

	*t = (struct scale){ 0, 1 };
	if (c.num == 0)
		return true;
	return rational_make(&share, (i128)p->share,
	    (i128)2 * PARTS_WHOLE << p->shift) &&
	    upward_div(&c, c, share) && plan_noise(c, 0, t);
}

int64_t *
part_counts(const struct partition *p, const int64_t *x, size_t n)
{
	int64_t *to = err_alloc(NULL, p->cells, sizeof(*to));

	for (size_t i = 0; i < n; i++)
		to[p->cell[i]] += x[i];
	return to;
}

void
parts_measure(struct parts *p, size_t which, const int64_t *x, struct rng *r)
{
	struct partition *to = &p->part[which];
	int64_t *exact = part_counts(to, x, p->n);
	struct scale t;

	for (size_t e = 0; e < to->cells; e++) {
		if (!part_scale(to, e, &t))
			err_die(STATUS_INPUT, "the scale has too many digits");
		to->count[e] = counts_noisy(exact[e], &t, p->shift, r);
		to->variance[e] = 0;
		if (r != NULL)
			to->variance[e] = counts_variance(&t, p->shift);
	}
	to->held = true;
	free(exact);
}
