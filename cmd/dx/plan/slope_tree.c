/*
 * slope_tree: a k-d tree over the universe, with every node's boxes of
 * coordinates and coefficients.
 *
 * Coordinates are split at the median along the widest side; a metric
 * without coordinates is split by coefficients.  Differences are taken in
 * integers, so that close points far from the origin keep their digits.
 */
#include "slope_tree.h"

#include "number/memory.h"

#define LEAF 8

/* Rearranges perm[lo..hi-1] so that perm[mid] is in the sorted place. */
static void
select_nth(size_t *perm, size_t lo, size_t hi, size_t mid, const int64_t *x,
    size_t stride)
{
	while (hi - lo > 1) {
		int64_t pivot = x[perm[lo + (hi - lo - 1) / 2] * stride];
		size_t i = lo, j = hi - 1, t;

		for (;;) {
			while (x[perm[i] * stride] < pivot)
				i++;
			while (x[perm[j] * stride] > pivot)
				j--;
			if (i >= j)
				break;
			t = perm[i];
			perm[i++] = perm[j];
			perm[j--] = t;
		}
		if (mid <= j)
			hi = j + 1;
		else
			lo = j + 1;
	}
}

/* Each column's low and high over a node's elements. */
static void
bounds(const struct slope *s, const struct node *d, const int64_t *x,
    size_t stride, int64_t *out)
{
	for (size_t c = 0; c < stride; c++) {
		out[2 * c] = out[2 * c + 1] = x[s->perm[d->lo] * stride + c];
		for (size_t i = d->lo + 1; i < d->hi; i++) {
			int64_t v = x[s->perm[i] * stride + c];

			if (v < out[2 * c])
				out[2 * c] = v;
			if (v > out[2 * c + 1])
				out[2 * c + 1] = v;
		}
	}
}

/* Puts a node's elements on either side of the median of the widest column. */
static void
halve(const struct slope *s, size_t lo, size_t hi, const int64_t *x,
    size_t cols, const int64_t *box)
{
	size_t best = 0;
	uint64_t side, most = 0;

	for (size_t c = 0; c < cols; c++) {
		side = (uint64_t)box[2 * c + 1] - (uint64_t)box[2 * c];
		if (side > most) {
			most = side;
			best = c;
		}
	}
	if (most > 0)
		select_nth(s->perm, lo, hi, lo + (hi - lo) / 2, x + best, cols);
}

static size_t
build(struct slope *s, size_t lo, size_t hi)
{
	size_t at = s->nodes++, mid = lo + (hi - lo) / 2, dims = s->m->dims;
	int64_t *box = s->box + 2 * at * dims;
	int64_t *span = s->span + 2 * at * s->k;
	struct node *d = &s->node[at];

	*d = (struct node){ lo, hi, SLOPE_NONE, SLOPE_NONE };
	bounds(s, d, s->m->x, dims, box);
	bounds(s, d, s->q, s->k, span);
	if (hi - lo <= LEAF)
		return at;
	if (dims > 0)
		halve(s, lo, hi, s->m->x, dims, box);
	else
		halve(s, lo, hi, s->q, s->k, span);
	s->node[at].left = build(s, lo, mid);
	s->node[at].right = build(s, mid, hi);
	return at;
}

/* Each attribute's smallest finite weight: the cost of a difference. */
static void
least_weights(struct slope *s)
{
	const struct metric *m = s->m;
	size_t rows = m->kind == METRIC_ATTR ? 1 : m->n;

	s->least = err_alloc(NULL, m->dims, sizeof(*s->least));
	for (size_t k = 0; k < m->dims; k++) {
		s->least[k] = METRIC_INF;
		for (size_t i = 0; i < rows; i++)
			if (m->w[i * m->dims + k] < s->least[k])
				s->least[k] = m->w[i * m->dims + k];
	}
}

void
slope_build(struct slope *s)
{
	size_t most = 2 * (s->n / (LEAF / 2) + 1), i;

	s->perm = err_alloc(NULL, s->n, sizeof(*s->perm));
	s->node = err_alloc(NULL, most, sizeof(*s->node));
	s->box = err_alloc(NULL, 2 * most * s->m->dims, sizeof(*s->box));
	s->span = err_alloc(NULL, 2 * most * s->k, sizeof(*s->span));
	if (metric_has_attributes(s->m->kind))
		least_weights(s);
	for (i = 0; i < s->n; i++)
		s->perm[i] = i;
	if (s->n > 0)
		build(s, 0, s->n);
}

/* The distance of two intervals. */
static u128
interval_gap(const int64_t *a, const int64_t *b)
{
	if (a[0] > b[1])
		return (u128)(a[0] - b[1]);
	if (b[0] > a[1])
		return (u128)(b[0] - a[1]);
	return 0;
}

bool
slope_gap(const struct slope *s, size_t a, size_t b, u128 *v)
{
	const struct metric *m = s->m;
	const int64_t *p = s->box + 2 * a * m->dims;
	const int64_t *r = s->box + 2 * b * m->dims;
	/* a difference of values costs the weights of both, or one */
	unsigned ends = m->kind == METRIC_VALUES ? 2 : 1;
	u128 d;

	*v = 0;
	for (size_t k = 0; k < m->dims; k++, p += 2, r += 2) {
		d = interval_gap(p, r);
		if (d == 0)
			continue;
		if (m->kind == METRIC_SUM)
			*v = *v + d;
		else if (m->kind == METRIC_EUCLID)
			*v = *v + d * d;
		else if (m->kind == METRIC_MAX)
			*v = FIXED_MOST(d, *v);
		else if (s->least[k] == METRIC_INF)
			return false;
		else
			*v = *v + (u128)s->least[k] * ends;
	}
	return metric_bent(m, v);
}
