/*
 * ordered: exact sensitivity preprocessing of the mean, the trimmed mean, the
 * median and quantiles.
 *
 * [CD20 Lemma 5.2] for x sorted, g of the window [l, r) (0-based, half open) is
 * f(l, r) clamped to [g(l+1, r) - S, g(l, r-1) + S].  The paper fills a table
 * of every window.  This code decides one threshold t in one walk:
 *
 * Let F(l, r) = f(l, r) + (n - r) S - l S be the payoff of stopping at a window
 * (f is center for an empty window) and G(l, r) g shifted likewise.  Then G(l,
 * r) is F(l, r) clamped to [G(l+1, r), G(l, r-1)] and G(0, n) = g(D).  LOWER <=
 * UPPER (CD20 Lemma 3.5) says G(l+1, r) <= G(l, r-1): on the level of windows
 * with length k, G does not increase with l.  So {l : G >= t} is a prefix of
 * c_k windows.  By the clamp G(l, r) >= t holds when G(l+1, r) >= t, or when
 * G(l, r-1) >= t and F(l, r) >= t.  On level k-1 the prefix ends with l =
 * c_{k-1} - 1, so on level k all l < c_{k-1} - 1 are in, all l >= c_{k-1} are
 * out, and l = c_{k-1} - 1 is in exactly when F(l, l + k) >= t.  The next
 * window to ask is therefore the last window grown by one value, to the right
 * after "yes" and to the left after "no".  A window that would grow beyond the
 * right end has the whole level for c_k, until level n: g >= t; beyond the left
 * end c_k = 0 lasts as well: g < t.
 *
 * Released is the largest integer m with g >= m - 1/2, found by search on m.
 * Jumps over runs of equal values are in ordered_runs.c.  g lies in the hull of
 * the data and center (induction over the clamp) and in center +- n S.  F >= t
 * is f >= t' with t' = t - (n - r - l) S; f lies in the hull of the data, so t'
 * may be clamped to just outside the hull, after which |2 t' k| <= (2^63 + 1)
 * 2^41 fits 128 bits with room.
 */
#include "ordered.h"

#include <stdlib.h>

#include "number/memory.h"
#include "number/sort.h"
#include "ordered_runs.h"

#define GALLOP 4	/* questions asked near a hint */
#define HINTS 2

uint64_t
ordered_level_zero(const struct ordered *f, uint64_t n, i128 m)
{
	i128 s = f->sens, c;

	/* center + (n - 2 i) S >= m - 1/2 for window i = 0..n. */
	c = fixed_floor_div(2 * (i128)n * s + 2 * (i128)f->center - 2 * m + 1,
	    4 * s) + 1;
	return (uint64_t)values_clamp(c, 0, (i128)n + 1);
}

/*
 * Where to look for g first.
 *
 * The walks just above and just below g part at some window, whose payoff is g.
 * For a large S the window is the whole data, for a small S the empty window at
 * center.  Neither need be right, so the payoff is only a hint; two walks
 * confirm a right hint.
 */
static void
ordered_hints(const struct ordered_data *d, i128 hint[HINTS])
{
	uint64_t n = ordered_before(d, d->n);
	i128 below = ordered_before(d, sort_find(d->x, d->n,
	    d->f->center));
	struct run_walk w = run_walk_make(d, 0, 0);
	i128 den, f2;

	run_walk_place(&w, 0, n);
	f2 = run_walk_twice(&w, &den);
	hint[0] = fixed_floor_div(f2 + den, 2 * den);
	hint[1] = d->f->center + ((i128)n - 2 * below) * d->f->sens;
}

/* The m in lo..hi with g >= m - 1/2 and g < m + 1/2. */
struct bracket {
	const struct ordered_data *d;
	i128 lo, hi;
};

static bool
ordered_ask_at(struct bracket *b, i128 m)
{
	bool yes = ordered_walk(b->d, m);

	if (yes)
		b->lo = m;
	else
		b->hi = m - 1;
	return yes;
}

/* Asks near a hint, in growing steps, until the answer turns. */
static void
ordered_gallop(struct bracket *b, i128 hint)
{
	i128 step = 1;
	bool first;

	if (b->lo == b->hi)
		return;
	first = hint <= b->lo || ordered_ask_at(b, hint < b->hi ? hint : b->hi);
	for (int i = 0; i < GALLOP && b->lo < b->hi; i++, step *= 64)
		if (ordered_ask_at(b, values_clamp(first ? b->lo + step :
		    b->hi + 1 - step, b->lo + 1, b->hi)) != first)
			break;
}

/*
 * Bisection after a few hints.  A hint only chooses the m to ask; every answer
 * is exact, and so is the result.  A bracket is at most 2^63 wide, so there are
 * at most 64 + HINTS (1 + GALLOP) walks.
 */
static int64_t
ordered_search(const struct ordered_data *d)
{
	i128 hint[HINTS], center = d->f->center;
	i128 reach = (i128)ordered_before(d, d->n) * d->f->sens;
	struct bracket b = { .d = d };

	b.lo = values_clamp(d->x[0], center - reach, center);
	b.hi = values_clamp(d->x[d->n - 1], center, center + reach);
	ordered_hints(d, hint);
	for (int i = 0; i < HINTS; i++)
		ordered_gallop(&b, hint[i]);
	while (b.lo < b.hi)
		ordered_ask_at(&b, b.lo + (b.hi - b.lo + 1) / 2);
	return (int64_t)b.lo;
}

/*
 * The mean where data and center lie in some [lo, hi] with hi - lo <= n S: g is
 * the mean itself.  For E with k of the n records let
 *	h(E) = (sum E + (n - k) lo) / n,  H(E) = (sum E + (n - k) hi) / n.
 * Then h(E) <= g(E) <= H(E), by induction on k.  For no records h = lo <=
 * center <= hi = H.  For k > 0 g(E) >= min(UPPER, mean E) as LOWER <= UPPER,
 * the mean of E lies between lo and hi, so is at least h(E), and UPPER is at
 * least h(E - x_j) + S = h(E) + S - (x_j - lo) / n >= h(E) for some j.
 * Likewise g(E) <= H(E).  For the n records h = H = sum / n.
 */
bool
ordered_whole(const struct ordered *f, const struct totals *all,
    int64_t *value)
{
	int64_t lo = f->center, hi = lo;
	i128 records = (i128)all->records;

	if (f->kind != ORDERED_MEAN || f->alpha.num != 0)
		return false;
	lo = FIXED_LEAST(all->lo, lo);
	hi = FIXED_MOST(all->hi, hi);
	if (records == 0 || (i128)hi - lo > records * f->sens)
		return false;
	*value = (int64_t)fixed_floor_div(2 * (i128)all->sum + records,
	    2 * records);
	return true;
}

/*
 * The median is the mean of the values left when floor(alpha k) of k < 2^41
 * values are dropped at each end, for alpha = 1/2 - 2^-43.
 */
static const struct rational nearly_half = { ((i128)1 << 42) - 1,
	(i128)1 << 43 };

int64_t
ordered_value(const struct ordered *f, const int64_t *x, const uint64_t *w,
    size_t m)
{
	struct ordered mean = { ORDERED_MEAN, nearly_half, f->center,
	    f->sens };
	uint64_t *before = w == NULL ? NULL : err_alloc(NULL, m + 1,
	    sizeof(*before));
	struct ordered_data d = { f->kind == ORDERED_MEDIAN ? &mean : f, x, m,
	    before };
	int64_t value;

	for (size_t i = 0; i < m && w != NULL; i++)
		before[i + 1] = before[i] + w[i];
	value = m == 0 ? f->center : ordered_search(&d);
	free(before);
	return value;
}
