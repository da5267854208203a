/*
 * subsets: sensitivity preprocessing of any function over all subsets.
 *
 * [CD20] Cummings, Durfee: Individual sensitivity preprocessing for data
 * privacy, sections 3 and 8.  Guarantee: for every record i,
 * |g(D) - g(D - x_i)| <= S_i, whatever f is (Lemma 3.5), and
 * |f - g| <= the largest sum over an order of arrival of what each step of f
 * exceeds its S_i by (Theorems 3.3 and 8.3).
 *
 * In place: every proper subset of D is a smaller number than D, so counting
 * upwards finds g on all of them where f was.
 *
 * Size: if |f| <= M everywhere then |g| <= M.  By induction the neighbours'
 * g lie in [-M, M], hence UPPER >= -M and LOWER <= M; a value in [-M, M] is
 * clamped to UPPER only from above and to LOWER only from below.  So g + S_i
 * needs one bit more than FIXED_MAX has; it is cut at the largest int64,
 * which is above every f and changes nothing.
 *
 * Rounding: S_i are whole steps, and r(x) = floor(x + 1/2) is monotone with
 * r(x + S_i) = r(x) + S_i, so r(clamp(f, L, U)) = clamp(r(f), r(L), r(U)) and
 * by induction the g of r(f) is r of the g of f.  Rounding f to the grid
 * before preprocessing is therefore the same as rounding g after it.
 *
 * Two dimensions (not in the paper).  Let u = a + b, v = a - b.  Since
 *     |a| + |b| = max(|u|, |v|)                                        (1)
 * the l1 ball of radius S_i about a point is the square |u - u0| <= S_i,
 * |v - v0| <= S_i, and the intersection of the balls of Definition 8.2 is the
 * rectangle [LOWER_u, UPPER_u] x [LOWER_v, UPPER_v], the bounds of Definition
 * 3.1 for u and for v.  (Lemma 8.5 finds it too, with max for min in its >=
 * constraints.)  Neither side is empty by Lemma 3.5 in one dimension, so no
 * Helly argument is needed.  Also a^2 + b^2 = (u^2 + v^2) / 2, so the l2
 * closest point of a rectangle is found by clamping u and v separately: g of
 * the pair is g of u and g of v, two independent runs with the same S_i.
 *
 * On the grid.  u and v are whole steps and stay so; they have equal parity
 * for f but not for g: with center (0,0), one record, f = (2,2) and S = 1,
 * u = 4 becomes 1, v stays 0, and the closest point is (1/2, 1/2).  So g lies
 * on HALF steps: a = u + v and b = u - v in half steps, always whole, always
 * of equal parity, no rounding.
 * When record i comes or goes, with |du|, |dv| <= S_i,
 *     |du + dv| + |du - dv| = 2 max(|du|, |dv|) <= 2 S_i half steps,
 * which is S_i steps exactly, by (1) again: nothing is lost.  Noise is drawn
 * on all half steps in each coordinate, the parity of the pair is thus hidden,
 * and P(y | D) / P(y | D') <= exp(l1 distance / scale) needs no parity.
 * Rounding a and b to whole steps instead could move both by a step more than
 * their share: l1 sensitivity S + 1 steps.
 */
#include "subsets.h"

#include <assert.h>

/* a + s without overflow, s >= 0. */
static int64_t
raise(int64_t a, int64_t s)
{
	return a > INT64_MAX - s ? INT64_MAX : a + s;
}

/* a - s without overflow, s >= 0. */
static int64_t
lower(int64_t a, int64_t s)
{
	return a < INT64_MIN + s ? INT64_MIN : a - s;
}

/* [CD20 Definition 3.1] [CD20 Algorithm 1] */
void
subsets_value(int64_t *f, const int64_t *sens, unsigned n)
{
	assert(n <= SUBSETS_MAX);
	for (uint32_t d = 1; d < (uint32_t)1 << n; d++) {
		int64_t lo = INT64_MIN, hi = INT64_MAX;

		for (unsigned i = 0; i < n; i++) {
			int64_t g, up, down;

			if ((d >> i & 1) == 0)
				continue;
			g = f[d ^ (uint32_t)1 << i];
			up = raise(g, sens[i]);
			down = lower(g, sens[i]);
			hi = up < hi ? up : hi;
			lo = down > lo ? down : lo;
		}
		f[d] = fixed_clamp(f[d], lo, hi);
	}
}

/* [CD20 Definition 8.2] through the decoupling above. */
void
subsets_joint(int64_t *a, int64_t *b, const int64_t *sens, unsigned n)
{
	size_t count = (size_t)1 << n;

	assert(n <= SUBSETS_MAX);
	for (size_t d = 0; d < count; d++) {
		i128 u = (i128)a[d] + b[d], v = (i128)a[d] - b[d];

		u = u > SUBSETS_JOINT ? SUBSETS_JOINT : u;
		v = v > SUBSETS_JOINT ? SUBSETS_JOINT : v;
		a[d] = (int64_t)(u < -SUBSETS_JOINT ? -SUBSETS_JOINT : u);
		b[d] = (int64_t)(v < -SUBSETS_JOINT ? -SUBSETS_JOINT : v);
	}
	subsets_value(a, sens, n);
	subsets_value(b, sens, n);
	for (size_t d = 0; d < count; d++) {
		int64_t u = a[d], v = b[d];

		a[d] = u + v;
		b[d] = u - v;
	}
}
