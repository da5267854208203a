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
 * The walks are in ordered_walk.c, jumps over runs in ordered_runs.c.
 * g lies in the hull of the data and center (induction over the clamp) and in
 * center +- n S.  F >= t is f >= t' with t' = t - (n - r - l) S; f lies in the
 * hull of the data, so t' may be clamped to just outside that hull, after
 * which |2 t' k| <= (2^63 + 1) 2^41 fits 128 bits with room.
 */
#include "ordered.h"

#include "ordered_walk.h"

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
	int i;

	if (b->lo == b->hi)
		return;
	first = hint <= b->lo || ask(b, hint < b->hi ? hint : b->hi);
	for (i = 0; i < GALLOP && b->lo < b->hi; i++, step *= 64)
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
	int i, n;

	b.lo = ordered_clamp(d->x[0], center - reach, center);
	b.hi = ordered_clamp(d->x[d->n - 1], center, center + reach);
	n = b.lo < b.hi ? ordered_hints(d, hint) : 0;
	for (i = 0; i < n; i++)
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
