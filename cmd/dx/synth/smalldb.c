/*
 * smalldb: candidates, errors and exact coins.
 *
 * Privacy [KPAK20 Theorem 5].  A record moved from i to j moves q_k(x) by
 * |q_ki - q_kj| <= c eps d(i,j), so no error by more than m times that, and
 * the weights exp(-error / 2cm) change by a factor of at most
 * exp(eps d(i,j) / 2), and so does their sum.  The factor n/m that brings m
 * records to the scale of n is missing in the paper.
 *
 * Classes of candidates.  Let level(y) = floor(error(y) / t): the weight is
 * at most e^-level and at least 1/e of it.  The sampler draws a class by
 * the integers count * 2^-level, scaled, thin it by (2/e)^level, which leaves
 * count * e^-level, and keep a candidate of it with probability
 * exp(level - error / t).  No weight is ever a real number.
 *
 * The coin of 2/e: start at k = 3, go on to k + 1 with probability 1/k; stop
 * at odd k for heads.  Stopping at k has probability 2/(k-1)! - 2/k!, so
 * heads have 2/2! - 2/3! + 2/4! - ... = 2/e.
 */
#include "smalldb.h"

u128
smalldb_candidates(size_t n, size_t m)
{
	size_t small = n > 0 && m > n - 1 ? n - 1 : m;
	u128 all = n + m - 1, c = 1;

	/* C(all, i) = C(all, i - 1) (all - i + 1) / i, exact in this order */
	for (size_t i = 1; i <= small; i++) {
		if (c >= SMALLDB_MANY / (all - i + 1))
			return SMALLDB_MANY;
		c = c * (all - i + 1) / i;
	}
	return c;
}

size_t
smalldb_fits(size_t n, u128 most)
{
	size_t lo = 0, hi = (size_t)1 << 40, mid;

	if (n <= 1)
		return most >= 1 ? hi : 0;
	while (lo < hi) {
		mid = hi - (hi - lo) / 2;
		if (smalldb_candidates(n, mid) <= most)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

int64_t
smalldb_error(const struct smalldb *s, const uint32_t *y)
{
	int64_t worst = 0;

	for (size_t k = 0; k < s->k; k++) {
		int64_t left = s->target[k];

		for (size_t i = 0; i < s->m; i++)
			left -= s->q[y[i] * s->k + k];
		left = left < 0 ? -left : left;
		worst = left > worst ? left : worst;
	}
	return worst;
}

int64_t
smalldb_level(const struct scale *t, int64_t error)
{
	u128 level = (u128)(uint64_t)error * t->r / t->s;

	return level < (u128)FIXED_MAX ? (int64_t)level : FIXED_MAX;
}

static bool
two_over_e(struct rng *r)
{
	uint64_t k = 3;

	while (rng_coin(r, 1, k))
		k++;
	return k & 1;
}

bool
smalldb_thin(struct rng *r, int64_t level)
{
	while (level > 0 && two_over_e(r))
		level--;
	return level <= 0;
}

bool
smalldb_keep(struct rng *r, const struct scale *t, int64_t error,
    int64_t level)
{
	u128 x = (u128)(uint64_t)error * t->r -
	    (u128)(uint64_t)level * t->s;

	return noise_bern_exp(r, x, t->s);
}

u128
smalldb_below(struct rng *r, u128 n)
{
	u128 x, mask = 0;

	while (mask < n - 1)
		mask = mask << 1 | 1;
	do {
		x = 0;
		for (u128 m = mask; m != 0; m >>= 8)
			x = x << 8 | rng_byte(r);
		x &= mask;
	} while (x >= n);
	return x;
}

/*
 * Rising sequences y_0 <= ... of 0..n-1 are rising sets y_i + i of m of the
 * numbers 0..n+m-2: drawn one by one by Floyd's rule (for j from n - 1 a
 * number up to j, or j itself where that is taken) and kept sorted.
 */
void
smalldb_uniform(struct rng *r, size_t first, size_t n, size_t m, uint32_t *y)
{
	for (size_t i = 0; i < m; i++) {
		size_t j = n - 1 + i, x = (size_t)rng_below(r, j + 1), at = 0;

		for (size_t h = 0; h < i; h++)
			if (y[h] == x)
				x = j;
		for (at = i; at > 0 && y[at - 1] > x; at--)
			y[at] = y[at - 1];
		y[at] = (uint32_t)x;
	}
	for (size_t i = 0; i < m; i++)
		y[i] = (uint32_t)(y[i] - i + first);
}
