/*
 * ordered: exact sensitivity preprocessing of the mean, the trimmed mean, the
 * median and quantiles.
 *
 * [CD20 Lemma 5.2] for x sorted, g of the window [l, r) (0-based, half open)
 * is f(l, r) clamped to [g(l+1, r) - S, g(l, r-1) + S].  The paper fills the
 * table of all windows.  Here one threshold t is decided in one walk:
 *
 * Let F(l, r) = f(l, r) + (n - r) S - l S be the payoff of stopping at a
 * window (f of an empty one is center) and G(l, r) the same shift of g.  Then
 * G(l, r) is F(l, r) clamped to [G(l+1, r), G(l, r-1)] and G(0, n) = g(D).
 * LOWER <= UPPER (CD20 Lemma 3.5) says G(l+1, r) <= G(l, r-1): on the level of
 * windows of one length k, G does not increase with l.  So {l : G >= t} is a
 * prefix of c_k windows.  By the clamp G(l, r) >= t holds when G(l+1, r) >= t,
 * or when G(l, r-1) >= t and F(l, r) >= t.  On level k-1 the prefix ends with
 * l = c_{k-1} - 1, so on level k all l < c_{k-1} - 1 are in, all l >= c_{k-1}
 * are out, and l = c_{k-1} - 1 is in exactly when F(l, l + k) >= t.  The
 * window to be asked next is therefore the last one grown by one value, to
 * the right after "yes" and to the left after "no".  A window that would grow
 * beyond the right end has c_k = all of its level, which lasts until level n:
 * g >= t; beyond the left end c_k = 0 lasts as well: g < t.
 *
 * Released is the largest integer m with g >= m - 1/2, found by search on m.
 * g lies in the hull of the data and center (induction over the clamp) and in
 * center +- n S.  F >= t is f >= t' with t' = t - (n - r - l) S; f lies in the
 * hull of the data, so t' may be clamped to just outside that hull, after
 * which |2 t' k| <= (2^63 + 1) 2^40 fits 128 bits with room.
 */
#include "ordered.h"

/* A window and what its statistic needs; it only ever grows. */
struct window {
	const struct ordered *f;
	const int64_t *x;
	size_t n;
	size_t l, r;		/* the window is [l, r) */
	size_t p, q;		/* untrimmed part [p, q), sum over it */
	size_t rank;		/* floor(alpha k) or ceil(alpha k) */
	i128 rest;		/* what rank rounds off, over alpha.den */
	i128 sum;
};

static i128
clamp128(i128 v, i128 lo, i128 hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* Steps rank from k to k + 1: exact, and no product with k is needed. */
static void
rank_step(struct window *w)
{
	struct rational a = w->f->alpha;

	if (w->f->kind == ORDERED_QUANTILE) {
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
	size_t p, q;

	rank_step(w);
	if (w->f->kind == ORDERED_QUANTILE)
		return;
	p = w->l + w->rank;
	q = w->r - w->rank;
	if (p < w->p)
		w->sum += w->x[--w->p];
	if (q > w->q)
		w->sum += w->x[w->q++];
	if (p > w->p)
		w->sum -= w->x[w->p++];
	if (q < w->q)
		w->sum -= w->x[--w->q];
}

/* Is f(window) >= t2 / 2? */
static bool
window_reaches(const struct window *w, i128 t2)
{
	if (w->f->kind == ORDERED_QUANTILE)
		return 2 * (i128)w->x[w->l + (w->rank ? w->rank - 1 : 0)] >= t2;
	return 2 * w->sum >= t2 * (i128)(w->q - w->p);
}

/* Number of empty windows (of n + 1) whose payoff is at least m - 1/2. */
static size_t
level_zero(const struct ordered *f, size_t n, i128 m)
{
	i128 s = f->sens, c;

	c = fixed_floor_div(2 * (i128)n * s + 2 * (i128)f->center - 2 * m + 1,
	    4 * s) + 1;
	return (size_t)clamp128(c, 0, (i128)n + 1);
}

/* Is g(D) >= m - 1/2? */
static bool
walk(const struct ordered *f, const int64_t *x, size_t n, i128 m)
{
	i128 lo2 = 2 * (i128)x[0] - 1, hi2 = 2 * (i128)x[n - 1] + 1;
	i128 s2 = 2 * (i128)f->sens, t2;
	struct window w = { .f = f, .x = x, .n = n };
	size_t c = level_zero(f, n, m);

	if (c == 0 || c == n + 1)
		return c != 0;
	w.l = w.p = w.q = c - 1;
	w.r = c;
	t2 = 2 * m - 1 - ((i128)n - (i128)w.r - (i128)w.l) * s2;
	for (;;) {
		window_update(&w);
		if (window_reaches(&w, clamp128(t2, lo2, hi2))) {
			if (w.r == n)
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
 * [CD20 Lemma 5.4] median in one pass from [0, n) down: with med >= center
 * only UPPER can bind and the largest value is dropped, else only LOWER and
 * the smallest.  What the outer windows do to the value v of the present one
 * is always v -> v + shift clamped to [lo, hi]; all is in half grid steps.
 */
static int64_t
median(const struct ordered *f, const int64_t *x, size_t n)
{
	i128 lo = -((i128)1 << 120), hi = (i128)1 << 120, shift = 0, med;
	i128 c2 = 2 * (i128)f->center, s2 = 2 * (i128)f->sens;
	size_t l = 0, r = n;

	while (l < r && lo < hi) {
		med = (i128)x[l + (r - l - 1) / 2] + x[l + (r - l) / 2];
		if (med >= c2) {
			hi = clamp128(med + shift, lo, hi);
			shift += s2;
			r--;
		} else {
			lo = clamp128(med + shift, lo, hi);
			shift -= s2;
			l++;
		}
	}
	return (int64_t)fixed_floor_div(clamp128(c2 + shift, lo, hi) + 1, 2);
}

int64_t
ordered_value(const struct ordered *f, const int64_t *x, size_t n)
{
	i128 lo = f->center, hi = f->center, reach, m;

	if (n == 0)
		return f->center;
	if (f->kind == ORDERED_MEDIAN)
		return median(f, x, n);
	reach = (i128)n * f->sens;
	lo = clamp128(x[0], lo - reach, lo);
	hi = clamp128(x[n - 1], hi, hi + reach);
	while (lo < hi) {
		m = lo + (hi - lo + 1) / 2;
		if (walk(f, x, n, m))
			lo = m;
		else
			hi = m - 1;
	}
	return (int64_t)lo;
}
