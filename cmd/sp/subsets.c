/*
 * subsets: sensitivity preprocessing for any function over every subset.
 *
 * [CD20] Cummings, Durfee: Individual sensitivity preprocessing for data
 * privacy, sections 3 and 8.  Guarantee: for every record i, |g(D) - g(D -
 * x_i)| <= S_i, whatever f is (Lemma 3.5), and |f - g| <= the largest sum, over
 * an order of arrival, of each step's excess over S_i (Theorems 3.3 and 8.3).
 *
 * In place: every proper subset of D is a smaller number than D, so counting
 * upwards finds g on every proper subset where f was.
 *
 * Size: if |f| <= M everywhere then |g| <= M.  By induction the neighbours' g
 * lie in [-M, M], hence UPPER >= -M and LOWER <= M; a value in [-M, M] is
 * clamped to UPPER only from above and to LOWER only from below.  g + S_i needs
 * a bit more than an int64 has.
 *
 * Rounding: S_i are whole steps, and r(x) = floor(x + 1/2) is monotone with r(x
 * + S_i) = r(x) + S_i, so r(clamp(f, L, U)) = clamp(r(f), r(L), r(U)) and by
 * induction g for r(f) is r(g) for f.  Rounding f to the grid before
 * preprocessing therefore equals rounding g after.
 *
 * Two dimensions: u = a + b and v = a - b decouple, see pair.c for the proof
 * and for the result's half steps.
 */
#include "subsets.h"

#include <assert.h>

#include "pair.h"

/* [CD20 Definition 3.1] [CD20 Algorithm 1] */
void
subsets_value(int64_t *f, const int64_t *sens, unsigned n)
{
	assert(n <= SUBSETS_MAX);
	for (uint32_t d = 1; d < (uint32_t)1 << n; d++) {
		i128 lo = INT64_MIN, hi = INT64_MAX, g;

		for (unsigned i = 0; i < n; i++) {
			if ((d >> i & 1) == 0)
				continue;
			g = f[d ^ (uint32_t)1 << i];
			hi = FIXED_LEAST(g + sens[i], hi);
			lo = FIXED_MOST(g - sens[i], lo);
		}
		f[d] = fixed_clamp(f[d], (int64_t)lo, (int64_t)hi);
	}
}

/* [CD20 Definition 8.2] through the decoupling of pair.c. */
void
subsets_pair(int64_t *a, int64_t *b, const int64_t *sens, unsigned n)
{
	size_t count = (size_t)1 << n;

	assert(n <= SUBSETS_MAX);
	for (size_t d = 0; d < count; d++) {
		struct uv f = pair_split(a[d], b[d]);

		a[d] = f.u;
		b[d] = f.v;
	}
	subsets_value(a, sens, n);
	subsets_value(b, sens, n);
	for (size_t d = 0; d < count; d++) {
		int64_t half[2];

		pair_merge((struct uv){ a[d], b[d] }, half);
		a[d] = half[0];
		b[d] = half[1];
	}
}
