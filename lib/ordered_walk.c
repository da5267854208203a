/*
 * ordered_walk: one walk over windows of single values; see ordered.c.
 */
#include "ordered_walk.h"

/* A window and what its statistic needs; it only ever grows. */
struct window {
	const struct ordered_data *d;
	size_t l, r;		/* the window is [l, r) */
	size_t p, q;		/* untrimmed part [p, q), sum over it */
	size_t rank;		/* floor(alpha k) or ceil(alpha k) */
	i128 rest;		/* what rank rounds off, over alpha.den */
	i128 sum;
};

/* Steps rank from k to k + 1: exact, and no product with k is needed. */
static void
rank_step(struct window *w)
{
	struct rational a = w->d->f->alpha;

	if (w->d->f->kind == ORDERED_QUANTILE) {
		w->rest -= a.num;
		if (w->rest < 0) {
			w->rest += a.den;
			w->rank++;
		}
	} else {
		w->rest += a.num;
		if (w->rest >= a.den) {
			w->rest -= a.den;
			w->rank++;
		}
	}
}

/* Takes in the value at l or r - 1 that the window has just gained. */
static void
window_update(struct window *w)
{
	const int64_t *x = w->d->x;
	size_t p, q;

	rank_step(w);
	if (w->d->f->kind == ORDERED_QUANTILE)
		return;
	p = w->l + w->rank;
	q = w->r - w->rank;
	if (p < w->p)
		w->sum += x[--w->p];
	if (q > w->q)
		w->sum += x[w->q++];
	if (p > w->p)
		w->sum -= x[w->p++];
	if (q < w->q)
		w->sum -= x[--w->q];
}

/* 2 f(window) as a fraction over *den. */
static i128
window_twice(const struct window *w, i128 *den)
{
	*den = 1;
	if (w->d->f->kind == ORDERED_QUANTILE)
		return 2 * (i128)w->d->x[w->l + w->rank - (w->rank > 0)];
	*den = (i128)(w->q - w->p);
	return 2 * w->sum;
}

/* The walk from [l, l + 1), for every kind and size of numbers. */
static bool
walk_wide(const struct ordered_data *d, i128 m, size_t l)
{
	i128 lo2 = 2 * (i128)d->x[0] - 1, hi2 = 2 * (i128)d->x[d->n - 1] + 1;
	i128 s2 = 2 * (i128)d->f->sens, t2, f2, den;
	struct window w = { .d = d, .l = l, .r = l + 1, .p = l, .q = l };

	t2 = 2 * m - 1 - ((i128)d->n - (i128)w.r - (i128)w.l) * s2;
	for (;;) {
		window_update(&w);
		f2 = window_twice(&w, &den);
		if (f2 >= ordered_clamp(t2, lo2, hi2) * den) {
			if (w.r == d->n)
				return true;
			w.r++;
			t2 += s2;
		} else {
			if (w.l == 0)
				return false;
			w.l--;
			t2 -= s2;
		}
	}
}

/*
 * The same for the plain mean, with values less x[0] in 64 bits.  While the
 * walk follows the threshold its turns are as good as random, so the step is
 * written without a branch on them.
 */
static bool
walk_narrow(const struct ordered_data *d, i128 m, size_t l)
{
	const int64_t *x = d->x;
	int64_t s2 = 2 * d->f->sens, base = x[0], k, t2, sum2;
	size_t r = l + 1, n = d->n, next;
	bool yes;

	t2 = (int64_t)(2 * (m - base) - 1) -
	    ((int64_t)n - (int64_t)r - (int64_t)l) * s2;
	sum2 = 2 * (x[l] - base);
	for (k = 1;; k++) {
		yes = sum2 >= t2 * k;
		next = yes ? r : l - 1;
		if (next >= n)		/* l - 1 wraps below 0 */
			return yes;
		sum2 += 2 * (x[next] - base);
		t2 += yes ? s2 : -s2;
		r += yes;
		l -= !yes;
	}
}

/*
 * Half thresholds less x[0] are at most w = 2 (span + n S) + 1 in size, where
 * span covers the data and all m; then n w bounds all that walk_narrow forms.
 */
void
ordered_narrow(struct ordered_data *d, i128 lo, i128 hi)
{
	i128 base = d->x[0], span = d->x[d->n - 1] - base, w;

	if (span < base - lo)
		span = base - lo;
	if (span < hi - base)
		span = hi - base;
	w = 4 * span + 2 * (i128)d->n * d->f->sens + 1;
	d->narrow = d->f->kind == ORDERED_MEAN && d->f->alpha.num == 0 &&
	    w <= ((i128)1 << 62) / (i128)d->n;
}

bool
ordered_walk(const struct ordered_data *d, i128 m)
{
	uint64_t c = ordered_level_zero(d->f, d->n, m);

	if (c == 0 || c == d->n + 1)
		return c != 0;
	return d->narrow ? walk_narrow(d, m, (size_t)c - 1) :
	    walk_wide(d, m, (size_t)c - 1);
}
