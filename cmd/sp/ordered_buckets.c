/*
 * ordered_buckets: the preprocessed mean without sorting.
 *
 * With F and G as in ordered.c, G(l, r) >= t where G(l+1, r) >= t, and where
 * G(l, r-1) >= t and F(l, r) >= t; for an empty window where F >= t.  So a path
 * from an empty window with F >= t that grows to the whole data, value by
 * value, proves g(D) >= t if F >= t after each step to the right; steps to the
 * left are free.  The path need not be the walk's.  Likewise, or with every
 * sign turned, a path whose steps to the left arrive at windows with F < t
 * proves g(D) < t.
 *
 * Here paths grow by whole buckets, whose counts and sums are known.  On the
 * way right through a bucket with c values from a to b and sum s, j values add
 * at least max(j a, s - (c - j) b) to the sum K of the window's k values: the j
 * smallest are at least j a, the rest at most (c - j) b.  With the first,
 *	F >= (K + j a) / (k + j) + ... = a - (k a - K) / (k + j) - j S + ...
 * is concave in j as K <= k a, since the window's values are below the
 * bucket's; so is the second, as K + s <= (k + c) b.  A concave function >= t
 * at the ends of an interval is >= t within.  The first bound is the larger up
 * to j0 = floor((c b - s) / (b - a)), and holds there if true at 1 and j0; from
 * there on the second bound, at j0 + 1 and c, where the sum is exact.
 *
 * Where neither path is found, the buckets around each path's last window on
 * the right side of t are opened; where nothing is left to open, or too much,
 * the data have to be sorted.
 */
#include "ordered_buckets.h"

#include <stdlib.h>

#include "buckets.h"
#include "number/memory.h"
#include "ordered_walk.h"

#define SMALL 65536	/* sorted as fast */
#define ROUNDS 8
/* How many of n values are gathered: more make paths as slow as sorting. */
#define GATHERED(n) ((n) / 256 + 65536)

/* A path, on the data or on the data with every sign turned. */
struct path {
	const struct ordered *f;
	const struct buckets *b;
	bool turned;
	i128 center, n;
	i128 t2;		/* twice the threshold on g */
	int strict;		/* g > t is to be proved, not g >= t */
	i128 lo2, hi2;		/* beyond twice the values */
	size_t l, r;		/* the window: buckets l..r - 1, */
	i128 left, right;	/* records on either side, */
	i128 k, sum;		/* and inside */
	size_t good_l, good_r;	/* the last with F >= t */
};

/* A bucket as a path meets the bucket. */
struct piece {
	i128 lo, hi, n, sum;
};

static struct piece
piece_of(const struct path *p, size_t i)
{
	const struct bucket *b = &p->b->bucket[p->turned ? p->b->n - 1 - i :
	    i];
	i128 n = (i128)b->records;
	i128 sum = n * p->b->base + (i128)b->sum;

	if (p->turned)
		return (struct piece){ -(i128)b->hi, -(i128)b->lo, n, -sum };
	return (struct piece){ b->lo, b->hi, n, sum };
}

/* Is F >= t at a window with k values, this sum, and `right' records behind? */
static bool
reaches(const struct path *p, i128 sum, i128 k, i128 right)
{
	i128 t2 = p->t2 - 2 * (right - p->left) * p->f->sens;

	return 2 * sum - p->strict >= values_clamp(t2, p->lo2, p->hi2) * k;
}

/* With j values from the bucket on the right, which add at least this much. */
static bool
reaches_with(const struct path *p, i128 j, i128 least)
{
	return reaches(p, p->sum + least, p->k + j, p->right - j);
}

/* Is F >= t all the way through the bucket on the right? */
static bool
may_pass(const struct path *p, const struct piece *s)
{
	i128 low = s->n;

	if (!reaches_with(p, s->n, s->sum))
		return false;
	if (s->n == 1)
		return true;
	if (s->hi > s->lo)
		low = (s->n * s->hi - s->sum) / (s->hi - s->lo);
	if (low > 0 && (!reaches_with(p, 1, s->lo) ||
	    !reaches_with(p, low, low * s->lo)))
		return false;
	low++;
	return low >= s->n || reaches_with(p, low, s->sum -
	    (s->n - low) * s->hi);
}

static void
take(struct path *p, const struct piece *s, i128 *from)
{
	p->k += s->n;
	p->sum += s->sum;
	*from -= s->n;
}

/*
 * The empty window to start from: the last between buckets with F = center + (n
 * - 2 a) S >= t, for a records on the left.  False without such a window.
 */
static bool
start(struct path *p)
{
	i128 s = p->f->sens, most;
	struct piece next;

	most = fixed_floor_div(2 * p->center + 2 * p->n * s - p->strict -
	    p->t2, 4 * s);
	p->l = 0;
	p->left = p->k = p->sum = 0;
	while (most >= 0 && p->l < p->b->n) {
		next = piece_of(p, p->l);
		if (p->left + next.n > most)
			break;
		p->left += next.n;
		p->l++;
	}
	p->r = p->good_r = p->good_l = p->l;
	p->right = p->n - p->left;
	return most >= 0;
}

static bool
find(struct path *p)
{
	struct piece s;

	if (!start(p))
		return false;
	while (p->r < p->b->n) {
		s = piece_of(p, p->r);
		if (may_pass(p, &s)) {
			take(p, &s, &p->right);
			p->r++;
		} else if (p->l == 0) {
			return false;
		} else {
			p->l--;
			s = piece_of(p, p->l);
			take(p, &s, &p->left);
			if (!reaches(p, p->sum, p->k, p->right))
				continue;
		}
		p->good_l = p->l;
		p->good_r = p->r;
	}
	return true;
}

/*
 * The nearest bucket with several values at i or behind, and another before
 * i.
 */
static void
open_near(const struct path *p, size_t i, bool *open)
{
	const struct bucket *b = p->b->bucket;
	size_t n = p->b->n, j = p->turned ? n - i : i, k = j;

	while (j < n && bucket_is_single(&b[j]))
		j++;
	open[j] = true;	/* there is room for one behind the last */
	while (k > 0 && bucket_is_single(&b[k - 1]))
		k--;
	if (k > 0)
		open[k - 1] = true;
}

static void
open_around(const struct path *p, bool *open)
{
	open_near(p, p->good_l, open);
	open_near(p, p->good_r, open);
}

/*
 * The search's question; the data first, as the search gets a pointer to
 * them.
 */
struct question {
	struct ordered_data d;
	const struct buckets *b;
	struct answer_to *a;
};

struct answer_to {
	const struct ordered *f;
	bool *open;
	bool unknown;
	int64_t value;
};

/* Is g >= m - 1/2?  No answer counts after an unknown answer. */
static bool
ask(const struct ordered_data *d, i128 m)
{
	const struct question *q = (const struct question *)d;
	const struct buckets *b = q->b;
	i128 lo = b->bucket[0].lo, hi = b->bucket[b->n - 1].hi;
	struct path up = { .f = d->f, .b = b, .center = d->f->center,
	    .n = (i128)d->before[d->n], .t2 = 2 * m - 1,
	    .lo2 = 2 * lo - 1, .hi2 = 2 * hi + 1 };
	struct path down = up;

	if (q->a->unknown || find(&up))
		return true;
	down.turned = true;
	down.center = -up.center;
	down.t2 = -up.t2;
	down.strict = 1;
	down.lo2 = -up.hi2;
	down.hi2 = -up.lo2;
	if (find(&down))
		return false;
	open_around(&up, q->a->open);
	open_around(&down, q->a->open);
	q->a->unknown = true;
	return true;
}

/*
 * The buckets as runs of means, for the search's hints, between empty runs at
 * the extremes.
 */
static void
as_runs(const struct buckets *b, int64_t *x, uint64_t *before)
{
	before[0] = before[1] = 0;
	x[0] = b->bucket[0].lo;
	x[b->n + 1] = b->bucket[b->n - 1].hi;
	for (size_t i = 0; i < b->n; i++) {
		const struct bucket *k = &b->bucket[i];

		x[i + 1] = (int64_t)(b->base + (i128)(k->sum / k->records));
		before[i + 2] = before[i + 1] + k->records;
	}
	before[b->n + 2] = before[b->n + 1];
}

/* One search; open marks the buckets that leave an answer unknown. */
static bool
search(void *arg, const struct buckets *b, bool *open)
{
	struct answer_to *a = arg;
	int64_t *x = err_alloc(NULL, b->n + 2, sizeof(*x));
	uint64_t *before = err_alloc(NULL, b->n + 3, sizeof(*before));
	struct question q = { { .f = a->f, .x = x, .n = b->n + 2,
	    .before = before }, b, a };

	a->open = open;
	a->unknown = false;
	as_runs(b, x, before);
	a->value = ordered_search(&q.d, ask);
	free(x);
	free(before);
	return !a->unknown;
}

bool
ordered_count(const struct ordered *f, const struct values *v,
    const struct totals *all, int bits, size_t most, int64_t *value,
    int *rounds)
{
	struct answer_to a = { .f = f };
	struct buckets b;
	bool known;

	buckets_lay(&b, v, all, bits);
	b.most = most;
	*rounds = ROUNDS;
	known = buckets_search(&b, search, &a, rounds);
	*value = a.value;
	return known;
}

bool
ordered_unsorted(const struct ordered *f, const struct values *v,
    int64_t *value)
{
	struct totals all = values_totals(v);
	bool trimmed = f->kind == ORDERED_MEAN && f->alpha.num != 0;
	int rounds;

	if (ordered_whole(f, &all, value))
		return true;
	if ((trimmed ? all.records : v->n) < SMALL || all.records >> 41 > 0)
		return false;
	if (trimmed)
		return ordered_untouched(f, v, &all, BUCKETS_BITS, value);
	if (f->kind != ORDERED_MEAN)
		return ordered_edges(f, v, &all, BUCKETS_BITS, value);
	return ordered_count(f, v, &all, BUCKETS_BITS, GATHERED(v->n), value,
	    &rounds);
}
