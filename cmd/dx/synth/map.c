/*
 * map: a table from halves of a box, for attributes with alike neighbors.
 *
 * A grid for a map is too fine where nobody lives, or too coarse in a town.  So
 * the box of all cells is cut across its longest side again and again, as far
 * as records are there [PrivTree, Zhang, Xiao, Xie 2016; here as in descent.c].
 * A box that stays is counted, and cut on by this noisy count until a part has
 * about as many records as its own noise, as an adaptive grid is [Qardaji,
 * Yang, Li 2013].  Each part is counted, too.
 *
 * Privacy.  Let E be the budget of a record that comes or goes; a move is a
 * going and a coming.  Halves of boxes are a tree like the halves of a row, so
 * with choices at scale L a record costs 8 / (3 L) (descent.c): HALVES of E.
 * The boxes are disjoint, and so are the parts of all of them, whose cuts
 * follow from released counts.  So a record changes one count of a box and one
 * of a part, for BOXES and ENDS of E.  A record outside the box changes one
 * count with the noise of a part.  The three add up to E.
 *
 * These and WORTH are the best of eighteen tries on the maps of
 * scripts/figure/maps.
 */
#include "map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "descent.h"
#include "number/memory.h"
#include "tool/err.h"

static const struct rational HALVES = { 2, 10 }, BOXES = { 1, 10 },
    ENDS = { 7, 10 };
#define WORTH 3			/* records for each of the scale, in a part */

bool
map_open(struct map *m, struct rational c)
{
	return descent_scale(c, m->shift, 8, HALVES, &m->halve) &&
	    descent_scale(c, m->shift, 3, BOXES, &m->box) &&
	    descent_scale(c, m->shift, 3, ENDS, &m->end);
}

/* On the way down; the cells of any box stand together in `order'. */
struct cut {
	const struct map *m;
	struct rng *r;
	size_t *lo, *side;	/* of the box */
	size_t *order;
	int64_t *sum;		/* over the first cells of this order */
	unsigned deepest;	/* for the parts of a box */
	size_t ends, *last;	/* after the last cell of each part */
	double *count, variance;	/* and of the sum of all counts */
};

/* What is done with a box that begins at cell `first' of the order. */
typedef bool cut_choice(struct cut *k, size_t first, size_t n, unsigned depth);
typedef void cut_end(struct cut *k, size_t first, size_t n);

static size_t
longest_side(const struct cut *k)
{
	size_t at = 0;

	for (size_t d = 1; d < k->m->dims; d++)
		if (k->side[d] > k->side[at])
			at = d;
	return at;
}

static size_t
cut_size(const struct cut *k)
{
	size_t n = 1;

	for (size_t d = 0; d < k->m->dims; d++)
		n *= k->side[d];
	return n;
}

static void
cut_down(struct cut *k, size_t first, unsigned depth, cut_choice *goes_on,
    cut_end *end)
{
	size_t at = longest_side(k), side = k->side[at], half = side -
	    side / 2, n = cut_size(k);

	if (side == 1 || !goes_on(k, first, n, depth)) {
		end(k, first, n);
		return;
	}
	k->side[at] = half;
	cut_down(k, first, depth + 1, goes_on, end);
	k->lo[at] += half;
	k->side[at] = side - half;
	cut_down(k, first + n / side * half, depth + 1, goes_on, end);
	k->lo[at] -= half;
	k->side[at] = side;
}

static bool
cut_always(struct cut *k, size_t first, size_t n, unsigned depth)
{
	(void)k, (void)first, (void)n, (void)depth;
	return true;
}

/* A single cell takes its place in the order. */
static void
order_cell(struct cut *k, size_t first, size_t n)
{
	size_t cell = 0;

	(void)n;
	for (size_t d = 0; d < k->m->dims; d++)
		cell = cell * k->m->sides[d] + k->lo[d];
	k->order[first] = cell;
}

static int64_t
cut_count(const struct cut *k, size_t first, size_t n)
{
	return k->sum[first + n] - k->sum[first];
}

static bool
cut_where_records_are(struct cut *k, size_t first, size_t n, unsigned depth)
{
	return descent_halves(&k->m->halve, cut_count(k, first, n), depth,
	    k->r);
}

static bool
cut_to_depth(struct cut *k, size_t first, size_t n, unsigned depth)
{
	(void)first, (void)n;
	return depth < k->deepest;
}

static void
count_part(struct cut *k, size_t first, size_t n)
{
	k->last[k->ends] = first + n;
	k->count[k->ends++] = counts_noisy(cut_count(k, first, n), &k->m->end,
	    k->m->shift, k->r);
}

/* The parts of a box, brought to the best sum by both looks at the box. */
static void
count_box(struct cut *k, size_t first, size_t n)
{
	const struct map *m = k->m;
	double part = counts_variance(&m->end, m->shift);
	double variance = counts_variance(&m->box, m->shift);
	double total = counts_noisy(cut_count(k, first, n), &m->box, m->shift,
	    k->r);
	size_t from = k->ends, parts;
	double sum, wanted = total / (WORTH * sqrt(part / 2));

	k->deepest = wanted > 1 ? (unsigned)ceil(log2(wanted)) : 0;
	cut_down(k, first, 0, cut_to_depth, count_part);
	parts = k->ends - from;
	sum = counts_look(k->count + from, parts, (double)parts * part, &total,
	    &variance);
	for (size_t i = from; i < k->ends; i++)
		k->count[i] += (total - sum) / (double)parts;
	k->variance += variance;
}

/* The order of cells, and the sums along it. */
static void
cut_begin(struct cut *k, const int64_t *x)
{
	const struct map *m = k->m;

	k->lo = err_alloc(NULL, m->dims, sizeof(*k->lo));
	k->side = err_alloc(NULL, m->dims, sizeof(*k->side));
	memcpy(k->side, m->sides, m->dims * sizeof(*k->side));
	k->order = err_alloc(NULL, m->cells, sizeof(*k->order));
	k->sum = err_alloc(NULL, m->cells + 1, sizeof(*k->sum));
	k->last = err_alloc(NULL, m->cells, sizeof(*k->last));
	k->count = err_alloc(NULL, m->cells, sizeof(*k->count));
	cut_down(k, 0, 0, cut_always, order_cell);
	if (cut_size(k) < m->cells)
		k->order[m->cells - 1] = m->cells - 1;
	for (size_t i = 0; i < m->cells; i++)
		k->sum[i + 1] = k->sum[i] + x[k->order[i]];
}

static void
cut_free(struct cut *k)
{
	free(k->lo);
	free(k->side);
	free(k->order);
	free(k->sum);
	free(k->last);
	free(k->count);
}

/* The cells of a part have equal counts. */
static void
cut_spread(const struct cut *k, double *y)
{
	size_t i = 0, from = 0;

	for (size_t e = 0; e < k->ends; from = k->last[e++])
		for (; i < k->last[e]; i++)
			y[k->order[i]] = k->count[e] /
			    (double)(k->last[e] - from);
}

void
map_release(const struct map *m, const int64_t *x, struct rng *r, double *y)
{
	struct cut k = { .m = m, .r = r };
	double total = m->total, variance = m->variance;

	if (r == NULL) {
		for (size_t i = 0; i < m->cells; i++)
			y[i] = counts_noisy(x[i], &m->end, m->shift, NULL);
		return;
	}
	cut_begin(&k, x);
	cut_down(&k, 0, 0, cut_where_records_are, count_box);
	if (k.last[k.ends - 1] < m->cells) {
		count_part(&k, m->cells - 1, 1);
		k.variance += counts_variance(&m->end, m->shift);
	}
	counts_look(k.count, k.ends, k.variance, &total, &variance);
	counts_project(k.count, k.ends, fmax(0, total));
	cut_spread(&k, y);
	cut_free(&k);
}
