/*
 * ordered_walk: one walk over windows of single values; see ordered.c.
 */
#include "ordered_walk.h"

#include "number/wide.h"

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

uint64_t
ordered_rank(const struct ordered *f, uint64_t k)
{
	struct rational a = f->alpha;
	struct wide q;
	u128 rem;

	if (a.num >> 80 == 0) {
		q.lo = (u128)a.num * k / (u128)a.den;
		rem = (u128)a.num * k % (u128)a.den;
	} else {
		q = wide_div(wide_mul((u128)a.num, k), (u128)a.den, &rem);
	}
	return (uint64_t)q.lo + (f->kind == ORDERED_QUANTILE && rem > 0);
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

/* A walk over values less x[0] whose numbers all fit 64 bits. */
struct narrow {
	const int64_t *x;
	size_t n, l, r;
	int64_t t2, s2, base;	/* twice the threshold on f - base, and S */
	int64_t num, den;	/* alpha */
};

/*
 * Turns the window towards yes; false at the end of the data.  While the walk
 * follows the threshold its turns are as good as random, so there is no
 * branch on them.
 */
static inline bool
narrow_turn(struct narrow *w, bool yes)
{
	if (yes ? w->r == w->n : w->l == 0)
		return false;
	w->t2 += yes ? w->s2 : -w->s2;
	w->r += yes;
	w->l -= !yes;
	return true;
}

static bool
narrow_mean(struct narrow w)
{
	int64_t k, sum2 = 2 * (w.x[w.l] - w.base);
	bool yes;

	for (k = 1;; k++) {
		yes = sum2 >= w.t2 * k;
		if (!narrow_turn(&w, yes))
			return yes;
		sum2 += 2 * (w.x[yes ? w.r - 1 : w.l] - w.base);
	}
}

/*
 * The untrimmed part [p, q) of the window gains the value beyond one end, or,
 * where floor(alpha k) grows, loses the one at the other end.
 */
static bool
narrow_trimmed(struct narrow w)
{
	int64_t k = 1, sum2 = 2 * (w.x[w.l] - w.base), rest = w.num;
	size_t p = w.l, q = w.r;
	bool yes, more;

	for (;;) {
		yes = sum2 >= w.t2 * k;
		if (!narrow_turn(&w, yes))
			return yes;
		rest += w.num;
		more = rest >= w.den;
		if (more) {
			rest -= w.den;
			k--;
			sum2 -= 2 * (w.x[yes ? p : q - 1] - w.base);
			p += yes;
			q -= !yes;
		} else {
			k++;
			sum2 += 2 * (w.x[yes ? q : p - 1] - w.base);
			q += yes;
			p -= !yes;
		}
	}
}

/* The value asked, at l + max(ceil(alpha k), 1) - 1, is at. */
static bool
narrow_quantile(struct narrow w)
{
	int64_t rest = w.den - w.num;
	size_t at = w.l;
	bool yes, first = w.num > 0;

	for (;;) {
		yes = 2 * (w.x[at] - w.base) >= w.t2;
		if (!narrow_turn(&w, yes))
			return yes;
		at -= !yes;
		rest -= w.num;
		if (rest < 0) {
			rest += w.den;
			at += first;
		}
	}
}

static bool
walk_narrow(const struct ordered_data *d, i128 m, size_t l)
{
	struct narrow w = {
		.x = d->x, .n = d->n, .l = l, .r = l + 1,
		.s2 = 2 * d->f->sens, .base = d->x[0],
		.num = (int64_t)d->f->alpha.num,
		.den = (int64_t)d->f->alpha.den
	};

	w.t2 = (int64_t)(2 * (m - w.base) - 1) -
	    ((int64_t)w.n - (int64_t)w.r - (int64_t)l) * w.s2;
	if (d->f->kind == ORDERED_QUANTILE)
		return narrow_quantile(w);
	return w.num == 0 ? narrow_mean(w) : narrow_trimmed(w);
}

/*
 * Half thresholds less x[0] are at most w = 2 (span + n S) + 1 in size, where
 * span covers the data and center; n w bounds all that the walks form.
 */
void
ordered_narrow(struct ordered_data *d)
{
	i128 base = d->x[0], span = d->x[d->n - 1] - base, w;
	i128 center = d->f->center - base;

	span = center > span ? center : -center > span ? -center : span;
	w = 4 * span + 2 * (i128)d->n * d->f->sens + 1;
	d->narrow = d->f->alpha.den <= FIXED_MAX &&
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
