/*
 * outbound: the list, and output bounds of separable sums and means.
 *
 * S is the sum of all terms, T_r the sum of the r largest and B_r of the r
 * smallest, a and b the least and greatest possible term, n the count.
 *
 * Sums, swap [D24 Lemma E.3, Lemma E.4]: L^l = S - T_l + l a and
 * U^l = S - B_l + l b, l replaced by n beyond it; without a or b the bound is
 * infinite.
 * Sums, add-remove: at distance l one may remove some records and add others.
 * Each of the l steps lowers the sum by a present term, by -a, or by nothing,
 * so the l best gains do: L^l = S - sum over j <= l of max(x_(j), -a, 0) with
 * x_(j) the j-th largest term (absent beyond n).  U^l mirrors it.
 * Means, swap: those of sums divided by n, which is public.
 * Means, add-remove: with r records removed and l - r added the count is
 * n + l - 2r.  Removing the largest terms and adding least ones is best for
 * given r, and adding one more least term never raises a mean that is at
 * least a, so all l steps are used:
 *	L^l = min over r <= min(l, n) of (S - T_r + (l - r) a)/(n + l - 2r),
 * and the mean of no data, which is 0 by convention, when l >= n.
 */
#include "outbound.h"

#include <stdlib.h>

bool
outbound_init(struct outbound *b, size_t c)
{
	b->c = c;
	b->lo = malloc((c + 1) * sizeof(*b->lo));
	b->hi = malloc((c + 1) * sizeof(*b->hi));
	if (b->lo != NULL && b->hi != NULL)
		return true;
	outbound_free(b);
	return false;
}

void
outbound_free(struct outbound *b)
{
	free(b->lo);
	free(b->hi);
	b->lo = b->hi = NULL;
}

/* [D24 Lemma 3.5]: a binary search in one of the two falling-off lists. */
size_t
outbound_len(const struct outbound *b, int64_t t)
{
	size_t inside = b->c + 1, outside = 0, l;

	if (t >= b->lo[0] && t <= b->hi[0])
		return 0;
	while (inside - outside > 1) {
		l = outside + (inside - outside) / 2;
		if (t >= b->lo[l] && t <= b->hi[l])
			inside = l;
		else
			outside = l;
	}
	return inside;
}

static int64_t
saturate(i128 x)
{
	if (x > OUTBOUND_INF)
		return OUTBOUND_INF;
	return x < -OUTBOUND_INF ? -OUTBOUND_INF : (int64_t)x;
}

static i128
max3(i128 a, i128 b, i128 c)
{
	a = a > b ? a : b;
	return a > c ? a : c;
}

/*
 * What the l-th step of distance gains on one side of a sum: `term` is the
 * l-th most extreme one, `present` whether there are as many.  Both sides
 * are written as gains, the upper one with every sign turned.
 */
static i128
sum_gain(bool present, i128 term, i128 end, enum relation relation)
{
	if (relation == RELATION_SWAP)
		return present ? term - end : 0;
	return present ? max3(term, -end, 0) : max3(-end, 0, 0);
}

/*
 * [D24 Lemma E.3, Lemma E.4, Lemma E.5]; add-remove: Appendix B.3, see above.
 */
void
outbound_sum(struct outbound *b, const struct tally *t,
    const struct limits *limits, enum relation relation)
{
	i128 down = 0, up = 0;
	size_t l;

	b->lo[0] = b->hi[0] = saturate(t->sum);
	for (l = 1; l <= b->c; l++) {
		bool present = l <= t->ends;

		down += sum_gain(present, present ? t->high[l - 1] : 0,
		    limits->least, relation);
		up += sum_gain(present, present ? -(i128)t->low[l - 1] : 0,
		    -(i128)limits->most, relation);
		b->lo[l] = limits->has_least ? saturate(t->sum - down) :
		    -OUTBOUND_INF;
		b->hi[l] = limits->has_most ? saturate(t->sum + up) :
		    OUTBOUND_INF;
	}
}

/* sum / n rounded up (or down); the mean of no data is 0. */
static int64_t
quotient(i128 sum, i128 n, bool up)
{
	if (n == 0)
		return 0;
	return saturate(up ? fixed_ceil_div(sum, n) :
	    fixed_floor_div(sum, n));
}

static void
mean_swap(struct outbound *b, const struct tally *t,
    const struct limits *limits)
{
	i128 low = t->sum, high = t->sum;
	size_t l;

	for (l = 0; l <= b->c; l++) {
		if (l > 0 && l <= t->ends) {
			low += (i128)limits->least - t->high[l - 1];
			high += (i128)limits->most - t->low[l - 1];
		}
		b->lo[l] = l == 0 || limits->has_least ?
		    quotient(low, t->n, true) : -OUTBOUND_INF;
		b->hi[l] = l == 0 || limits->has_most ?
		    quotient(high, t->n, false) : OUTBOUND_INF;
	}
}

/* One entry of the list: O(l). */
static void
mean_distance(struct outbound *b, const struct tally *t,
    const struct limits *limits, size_t l)
{
	i128 low = t->sum + (i128)l * limits->least;
	i128 high = t->sum + (i128)l * limits->most, n;
	int64_t least = OUTBOUND_INF, most = -OUTBOUND_INF, x;
	size_t r;

	for (r = 0; r <= l && r <= t->ends; r++) {
		if (r > 0) {
			low -= (i128)limits->least + t->high[r - 1];
			high -= (i128)limits->most + t->low[r - 1];
		}
		n = (i128)t->n + (i128)l - 2 * (i128)r;
		x = quotient(low, n, true);
		least = x < least ? x : least;
		x = quotient(high, n, false);
		most = x > most ? x : most;
	}
	if (l >= t->n) {
		least = least > 0 ? 0 : least;
		most = most < 0 ? 0 : most;
	}
	b->lo[l] = l == 0 || limits->has_least ? least : -OUTBOUND_INF;
	b->hi[l] = l == 0 || limits->has_most ? most : OUTBOUND_INF;
}

/* [D24 Lemma E.10, Lemma E.11]; add-remove: Appendix B.3, see above. */
void
outbound_mean(struct outbound *b, const struct tally *t,
    const struct limits *limits, enum relation relation)
{
	size_t l;

	if (relation == RELATION_SWAP) {
		mean_swap(b, t, limits);
		return;
	}
	for (l = 0; l <= b->c; l++)
		mean_distance(b, t, limits, l);
}

/* floor(S/n + 1/2) */
int64_t
outbound_mean_value(const struct tally *t)
{
	return quotient(2 * t->sum + (i128)t->n, 2 * (i128)t->n, false);
}
