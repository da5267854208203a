/*
 * output_bounds: the list, and output bounds of separable sums and means.
 *
 * S is the sum of the terms, T_r of the r largest and B_r of the r smallest, a
 * and b the least and greatest possible term, n the count.
 *
 * Sums, swap [D24 Lemma E.3, Lemma E.4]: L^l = S - T_l + l a and U^l = S - B_l
 * + l b, l replaced by n beyond it; without a or b the bound is infinite.
 * Sums, add-remove: at distance l records may go and come.  Each of the l steps
 * lowers the sum by a present term, by -a, or by nothing, so the l best gains
 * do: L^l = S - sum over j <= l of max(x_(j), -a, 0) with x_(j) the j-th
 * largest term (absent beyond n).  U^l mirrors it.  Means, swap: the bounds of
 * sums divided by n, which is public.  Means, add-remove: with r records
 * removed and l - r added the count is n + l - 2r.  Removing the largest terms
 * and adding least ones is best for given r, and another least term never
 * raises a mean >= a, so every bound uses l steps:
 *	L^l = min over r <= min(l, n) of (S - T_r + (l - r) a)/(n + l - 2r),
 * and the mean of no data, which is 0 by convention, when l >= n.
 */
#include "output_bounds.h"

#include <stdlib.h>

#include "asm/size/code.h"
#include "number/memory.h"

void
output_bounds_init(struct output_bounds *b, size_t c)
{
	b->c = c;
	b->coded = false;
	b->room = (uint64_t)1 << 62;
	b->lo = err_alloc(NULL, c + 1, sizeof(*b->lo));
	b->hi = err_alloc(NULL, c + 1, sizeof(*b->hi));
}

void
output_bounds_free(struct output_bounds *b)
{
	free(b->lo);
	free(b->hi);
}

/* [D24 Lemma 3.5]: a binary search in one of the two falling-off lists. */
size_t
output_bounds_len(const struct output_bounds *b, int64_t t)
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

/* A term, and the sum of all; as signed numbers. */
static struct wide
term_size(const struct tally *t, int64_t x)
{
	if (t->coded)
		return (struct wide){ 0, code_size(x) };
	return wide_signed(x);
}

static struct wide
terms_sum(const struct tally *t)
{
	return t->coded ? t->total : wide_signed(t->sum);
}

/*
 * The gain of the l-th step on a side of a sum: `term' is the l-th most extreme
 * term, 0 where `present' says that there is none.  Two sides are written as
 * gains, the upper side with every sign turned.
 */
static struct wide
sum_gain(bool present, struct wide term, struct wide end,
    enum neighbors relation)
{
	const struct wide none = { 0, 0 };
	struct wide other = wide_sub(none, end);

	if (relation == NEIGHBORS_SWAP)
		return present ? wide_sub(term, end) : none;
	if (wide_less(term, other))
		term = other;
	return wide_less(term, none) ? none : term;
}

int64_t
output_bounds_step(struct wide x, bool coded, bool up)
{
	if (coded && x.hi == 0 && x.lo <= CODE_MOST)
		return code_of(x.lo, up);
	if (coded || x.hi > 0 || x.lo > (u128)OUTPUT_INF)
		return OUTPUT_INF;
	return (int64_t)x.lo;
}

/* sum / n, cut where it is beyond every output; the mean of no data is 0. */
static int64_t
quotient(struct wide sum, i128 n, bool coded, enum fixed_mode mode)
{
	const struct wide none = { 0, 0 };
	bool neg = wide_less(sum, none), up = (mode == FIXED_CEIL) != neg;
	int64_t x;

	if (n == 0)
		return 0;
	x = output_bounds_step(wide_part(neg ? wide_sub(none, sum) : sum,
	    (u128)n, up), coded, up);
	return neg ? -x : x;
}

/* Without a limit nothing bounds the outputs of other data. */
static void
without_limits(struct output_bounds *b, const struct limits *limits, size_t l)
{
	if (l > 0 && !limits->has_least)
		b->lo[l] = -OUTPUT_INF;
	if (l > 0 && !limits->has_most)
		b->hi[l] = OUTPUT_INF;
}

/*
 * The sum over a public n [D24 Lemma E.3, Lemma E.4, Lemma E.5]; add-remove:
 * Appendix B.3, see above.
 */
void
output_bounds_sum(struct output_bounds *b, const struct tally *t,
    const struct limits *limits, enum neighbors relation, i128 n)
{
	struct wide down = { 0, 0 }, up = { 0, 0 }, sum = terms_sum(t);
	const struct wide none = { 0, 0 };

	for (size_t l = 0; l <= b->c; l++) {
		bool present = l <= t->ends;
		struct wide high = none, low = none;

		if (l > 0 && present) {
			high = term_size(t, t->high[l - 1]);
			low = wide_sub(none, term_size(t, t->low[l - 1]));
		}
		if (l > 0) {
			down = wide_add(down, sum_gain(present, high,
			    term_size(t, limits->least), relation));
			up = wide_add(up, sum_gain(present, low,
			    wide_sub(none, term_size(t, limits->most)),
			    relation));
		}
		b->lo[l] = quotient(wide_sub(sum, down), n, b->coded,
		    FIXED_CEIL);
		b->hi[l] = quotient(wide_add(sum, up), n, b->coded,
		    FIXED_FLOOR);
		without_limits(b, limits, l);
	}
}

/* An entry in the list: O(l). */
static void
mean_distance(struct output_bounds *b, const struct tally *t,
    const struct limits *limits, size_t l)
{
	const struct wide a = term_size(t, limits->least);
	const struct wide z = term_size(t, limits->most), sum = terms_sum(t);
	struct wide low = wide_add(sum, wide_times(a, l)), high =
	    wide_add(sum, wide_times(z, l));
	int64_t least = OUTPUT_INF, most = -OUTPUT_INF, x;
	i128 n;

	for (size_t r = 0; r <= l && r <= t->ends; r++) {
		if (r > 0) {
			low = wide_sub(low, wide_add(a, term_size(t,
			    t->high[r - 1])));
			high = wide_sub(high, wide_add(z, term_size(t,
			    t->low[r - 1])));
		}
		n = (i128)t->n + (i128)l - 2 * (i128)r;
		x = quotient(low, n, b->coded, FIXED_CEIL);
		least = FIXED_LEAST(x, least);
		x = quotient(high, n, b->coded, FIXED_FLOOR);
		most = FIXED_MOST(x, most);
	}
	if (l >= t->n) {
		least = FIXED_LEAST(least, 0);
		most = FIXED_MOST(most, 0);
	}
	b->lo[l] = least;
	b->hi[l] = most;
	without_limits(b, limits, l);
}

/* [D24 Lemma E.10, Lemma E.11]; add-remove: Appendix B.3, see above. */
void
output_bounds_mean(struct output_bounds *b, const struct tally *t,
    const struct limits *limits, enum neighbors relation)
{
	if (relation == NEIGHBORS_SWAP) {
		output_bounds_sum(b, t, limits, relation, t->n);
		return;
	}
	for (size_t l = 0; l <= b->c; l++)
		mean_distance(b, t, limits, l);
}

/* floor(S/n + 1/2); sizes are from 0 up. */
i128
output_bounds_mean_value(const struct tally *t)
{
	struct wide x = wide_add(terms_sum(t), terms_sum(t));

	if (t->n == 0)
		return 0;
	if (!t->coded)
		return fixed_floor_div(2 * t->sum + (i128)t->n,
		    2 * (i128)t->n);
	x = wide_part(wide_add(x, (struct wide){ 0, t->n }), 2 * (u128)t->n,
	    false);
	return (i128)FIXED_LEAST(x.lo, CODE_MOST);
}

/*
 * Output bounds for order statistics on unbounded data.
 *
 * The quantile is x_(k) with k = rho(n) = max(1, ceil(q n)).  Swap: l records
 * can move to either end, so L^l = x_(k-l), U^l = x_(k+l), infinite outside
 * 1..n: unbounded data, exact inverse sensitivities.  Add-remove: add s records
 * below and remove r = l - s above: the wanted rank has x_(rho(n+s-r) - s).
 * ceil(q (n-l+2s)) - s lies in [y(s), y(s) + 1) with y(s) linear, slope 2q - 1.
 * For q <= 1/2 y is least at s = l, and the integer for any s, >= y(s) >= y(l),
 * cannot be below the integer at l, < y(l) + 1; for q > 1/2 likewise at s = 0.
 * (rho differs from the ceiling only for q = 0, where 1 - s is least at s = l
 * too.) So L^l = x_(rho(n+l)-l) for q <= 1/2, x_(rho(n-l)) beyond; mirrored,
 * U^l = x_(rho(n-l)+l) for q < 1/2, x_(rho(n+l)) from 1/2 on.  From l = n on,
 * where no data may be left, the bounds are infinite, which [D24 Definition
 * A.1] allows: a neighbour's list is then infinite at l + 1.
 */

static i128
rank_of(struct rational q, i128 n)
{
	i128 k = fixed_ceil_div(q.num * n, q.den);

	return FIXED_MOST(k, 1);
}

static i128
weight_at(const struct ranks *r, size_t i)
{
	return r->w == NULL ? 1 : (i128)r->w[i];
}

/* Walks to the weighted rank-th value; *i and *sum remember the place. */
static int64_t
at_rank(const struct ranks *r, i128 rank, size_t *i, i128 *sum)
{
	while (*sum < rank) {
		*sum += weight_at(r, *i);
		(*i)++;
	}
	while (*sum - weight_at(r, *i - 1) >= rank) {
		(*i)--;
		*sum -= weight_at(r, *i);
	}
	return r->x[*i - 1];
}

/* The two bounds' ranks at distance l, outside 1..n for infinity. */
static void
quantile_ranks(i128 n, i128 l, struct rational q, enum neighbors relation,
    i128 *lo, i128 *hi)
{
	if (relation == NEIGHBORS_SWAP) {
		*lo = rank_of(q, n) - l;
		*hi = rank_of(q, n) + l;
	} else if (l >= n) {
		*lo = 0;
		*hi = n + 1;
	} else {
		*lo = rank_of(q, n - l);
		*hi = rank_of(q, n + l);
		if (2 * q.num <= q.den)
			*lo = *hi - l;
		if (2 * q.num < q.den)
			*hi = rank_of(q, n - l) + l;
	}
}

void
output_bounds_quantile(struct output_bounds *b, const struct ranks *r,
    struct rational q, int64_t empty, enum neighbors relation)
{
	size_t i = 0, j = 0;
	i128 lo, hi, below = 0, above = 0, n = (i128)r->n;

	for (size_t l = 0; l <= b->c; l++) {
		if (n == 0 && (l == 0 || relation == NEIGHBORS_SWAP)) {
			b->lo[l] = b->hi[l] = empty;
			continue;
		}
		quantile_ranks(n, (i128)l, q, relation, &lo, &hi);
		b->lo[l] = -OUTPUT_INF;
		b->hi[l] = OUTPUT_INF;
		if (lo >= 1)
			b->lo[l] = at_rank(r, lo, &i, &below);
		if (hi <= n)
			b->hi[l] = at_rank(r, hi, &j, &above);
	}
}
