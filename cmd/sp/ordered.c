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
 * Jumps over runs of equal values are in ordered_runs.c.
 * g lies in the hull of the data and center (induction over the clamp) and in
 * center +- n S.  F >= t is f >= t' with t' = t - (n - r - l) S; f lies in the
 * hull of the data, so t' may be clamped to just outside that hull, after
 * which |2 t' k| <= (2^63 + 1) 2^41 fits 128 bits with room.
 */
#include "ordered.h"

#include "number/fixed.h"
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

#define GALLOP 4	/* questions asked near a hint */

uint64_t
ordered_level_zero(const struct ordered *f, uint64_t n, i128 m)
{
	i128 s = f->sens, c;

	/* center + (n - 2 i) S >= m - 1/2 for window i = 0..n. */
	c = fixed_floor_div(2 * (i128)n * s + 2 * (i128)f->center - 2 * m + 1,
	    4 * s) + 1;
	return (uint64_t)ordered_clamp(c, 0, (i128)n + 1);
}

/* The m in lo..hi with g >= m - 1/2 and g < m + 1/2. */
struct bracket {
	const struct ordered_data *d;
	ordered_ask *ask;
	i128 lo, hi;
};

static bool
ask(struct bracket *b, i128 m)
{
	bool yes = b->ask(b->d, m);

	if (yes)
		b->lo = m;
	else
		b->hi = m - 1;
	return yes;
}

/* Asks near a hint, in growing steps, until the answer turns. */
static void
gallop(struct bracket *b, i128 hint)
{
	i128 step = 1;
	bool first;

	if (b->lo == b->hi)
		return;
	first = hint <= b->lo || ask(b, hint < b->hi ? hint : b->hi);
	for (int i = 0; i < GALLOP && b->lo < b->hi; i++, step *= 64)
		if (ask(b, ordered_clamp(first ? b->lo + step :
		    b->hi + 1 - step, b->lo + 1, b->hi)) != first)
			break;
}

/*
 * Bisection after a few hints.  A hint only chooses which m is asked; every
 * answer is exact, and so is the result.  A bracket is at most 2^63 wide, so
 * there are at most 64 + ORDERED_HINTS (1 + GALLOP) walks.
 */
int64_t
ordered_search(const struct ordered_data *d, ordered_ask *walk)
{
	i128 hint[ORDERED_HINTS], center = d->f->center;
	i128 reach = (i128)ordered_before(d, d->n) * d->f->sens;
	struct bracket b = { .d = d, .ask = walk };
	int n;

	b.lo = ordered_clamp(d->x[0], center - reach, center);
	b.hi = ordered_clamp(d->x[d->n - 1], center, center + reach);
	n = b.lo < b.hi ? ordered_hints(d, hint) : 0;
	for (int i = 0; i < n; i++)
		gallop(&b, hint[i]);
	while (b.lo < b.hi)
		ask(&b, b.lo + (b.hi - b.lo + 1) / 2);
	return (int64_t)b.lo;
}

/*
 * [CD20 Lemmas 5.4, 5.5] median in one pass from [0, n) down: with med >=
 * center only UPPER can bind and the largest value is dropped, else only LOWER
 * and the smallest.  What the outer windows do to the value v of the present
 * one is always v -> v + shift clamped to [lo, hi]; all is in half grid steps.
 *
 * When the side changes for the first time, from [l, r) to [l, r-1) say, then
 * [l+1, r-1) has the middle of [l, r), its median and its shift, and so on
 * inwards: nothing new binds, and the rest of the steps cancel in pairs.
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
			hi = ordered_clamp(med + shift, lo, hi);
			shift += s2;
			r--;
		} else {
			lo = ordered_clamp(med + shift, lo, hi);
			shift -= s2;
			l++;
		}
		if (l > 0 && r < n) {
			shift += (r - l) % 2 == 0 ? 0 : med >= c2 ? -s2 : s2;
			break;
		}
	}
	med = ordered_clamp(c2 + shift, lo, hi);
	return (int64_t)fixed_floor_div(med + 1, 2);
}

/*
 * The mean where data and center lie in some [lo, hi] with hi - lo <= n S: g
 * is the mean itself.  For E of k of the n records let
 *	h(E) = (sum E + (n - k) lo) / n,  H(E) = (sum E + (n - k) hi) / n.
 * Then h(E) <= g(E) <= H(E), by induction on k.  For no records h = lo <=
 * center <= hi = H.  Else g(E) >= min(UPPER, mean E) as LOWER <= UPPER, the
 * mean of E lies between lo and hi, so that it is at least h(E), and UPPER is
 * at least h(E - x_j) + S = h(E) + S - (x_j - lo) / n >= h(E) for some j.  In
 * the same way g(E) <= H(E).  For all n records h = H = sum / n.
 */
bool
ordered_unsorted(const struct ordered *f, const struct totals *all,
    int64_t *value)
{
	int64_t lo = f->center, hi = lo;
	i128 records = (i128)all->records;

	if (f->kind != ORDERED_MEAN || f->alpha.num != 0)
		return false;
	lo = all->lo < lo ? all->lo : lo;
	hi = all->hi > hi ? all->hi : hi;
	if (records == 0 || (i128)hi - lo > records * f->sens)
		return false;
	*value = (int64_t)fixed_floor_div(2 * all->sum + records, 2 * records);
	return true;
}

int64_t
ordered_value(const struct ordered *f, const int64_t *x, size_t n)
{
	struct ordered_data d = { .f = f, .x = x, .n = n };

	if (n == 0)
		return f->center;
	if (f->kind == ORDERED_MEDIAN)
		return median(f, x, n);
	ordered_narrow(&d);
	return ordered_search(&d, ordered_walk);
}
