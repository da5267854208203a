/*
 * outbound_quantile: output bounds of order statistics of unbounded data.
 *
 * The quantile is x_(k) with k = rho(n) = max(1, ceil(q n)).
 * Swap: l records can move to either end, so L^l = x_(k-l), U^l = x_(k+l),
 * infinite outside 1..n: unbounded data, exact inverse sensitivities.
 * Add-remove: add s records below and remove r = l - s above: what stands at
 * the wanted rank is x_(rho(n+s-r) - s).  ceil(q (n-l+2s)) - s lies in
 * [y(s), y(s) + 1) with y(s) linear of slope 2q - 1.  For q <= 1/2 y is least
 * at s = l, and an integer of another s, which is >= y(s) >= y(l), cannot be
 * below the integer at l, which is < y(l) + 1; for q > 1/2 the same holds at
 * s = 0.  (rho differs from the ceiling only for q = 0, where 1 - s is least
 * at s = l too.)  So L^l = x_(rho(n+l)-l) for q <= 1/2, x_(rho(n-l)) beyond;
 * mirrored, U^l = x_(rho(n-l)+l) for q < 1/2, x_(rho(n+l)) from 1/2 on.  From
 * l = n on, where no data may be left, the bounds are infinite, which
 * [D24 Definition A.1] allows: a neighbour's list is then infinite at l + 1.
 */
#include "outbound.h"

static i128
rank_of(struct rational q, i128 n)
{
	i128 k = fixed_ceil_div(q.num * n, q.den);

	return k < 1 ? 1 : k;
}

/* Walks to the weighted rank-th value; *i and *sum remember the place. */
static int64_t
at_rank(const struct ranks *r, i128 rank, size_t *i, i128 *sum)
{
	while (*sum < rank) {
		*sum += r->w == NULL ? 1 : (i128)r->w[*i];
		(*i)++;
	}
	while (*sum - (r->w == NULL ? 1 : (i128)r->w[*i - 1]) >= rank) {
		(*i)--;
		*sum -= r->w == NULL ? 1 : (i128)r->w[*i];
	}
	return r->x[*i - 1];
}

/* Ranks of the two bounds at distance l, outside 1..n for infinity. */
static void
quantile_ranks(i128 n, i128 l, struct rational q, enum relation relation,
    i128 *lo, i128 *hi)
{
	int side = 2 * q.num < q.den ? -1 : 2 * q.num > q.den;

	if (relation == RELATION_SWAP) {
		*lo = rank_of(q, n) - l;
		*hi = rank_of(q, n) + l;
	} else if (l >= n) {
		*lo = 0;
		*hi = n + 1;
	} else {
		*lo = side <= 0 ? rank_of(q, n + l) - l : rank_of(q, n - l);
		*hi = side < 0 ? rank_of(q, n - l) + l : rank_of(q, n + l);
	}
}

void
outbound_quantile(struct outbound *b, const struct ranks *r,
    struct rational q, int64_t empty, enum relation relation)
{
	size_t l, i = 0, j = 0;
	i128 lo, hi, below = 0, above = 0, n = (i128)r->n;

	for (l = 0; l <= b->c; l++) {
		if (n == 0 && (l == 0 || relation == RELATION_SWAP)) {
			b->lo[l] = b->hi[l] = empty;
			continue;
		}
		quantile_ranks(n, (i128)l, q, relation, &lo, &hi);
		b->lo[l] = lo < 1 ? -OUTBOUND_INF :
		    at_rank(r, lo, &i, &below);
		b->hi[l] = hi > n ? OUTBOUND_INF :
		    at_rank(r, hi, &j, &above);
	}
}
