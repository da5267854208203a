/* unseen: the threshold of universes of up to 2^62 keys. */
#include "laplace/unseen.h"

#include <criterion/criterion.h>
#include <math.h>

/* P[X >= threshold] */
static long double
tail(long double threshold, const struct scale *t)
{
	long double x = (long double)t->r / (long double)t->s;

	return expl(-x * threshold) / (1 + expl(-x));
}

/* It keeps the bound, and one less does not. */
Test(unseen, threshold_is_the_smallest)
{
	static const uint64_t keys[] = { 1, 2, 10, 100000, UINT64_C(1) << 32,
	    UINT64_C(3656158440062976), UINT64_C(1) << 62 };
	static const struct rational most[] = { { 1, 20 }, { 1, 1 },
	    { 100, 1 }, { 1, (i128)1000000000000000000 } };
	static const struct scale scales[] = { { 1, 1 }, { 2, 1 }, { 7, 3 },
	    { 1, 5 }, { 1000, 1 }, { 1, 1000 }, { 123456789, 1000 } };

	for (size_t k = 0; k < 7; k++)
		for (size_t m = 0; m < 4; m++)
			for (size_t i = 0; i < 7; i++) {
				long double all = (long double)keys[k], f =
				    (long double)most[m].num /
				    (long double)most[m].den;
				u128 t = unseen_threshold(keys[k], most[m],
				    &scales[i]);

				cr_assert_geq(t, 1);
				cr_assert_leq(all * tail((long double)t,
				    &scales[i]), f * (1 + 1e-12L));
				cr_assert(t == 1 || all * tail((long double)
				    (t - 1), &scales[i]) > f * (1 - 1e-12L),
				    "%zu %zu %zu", k, m, i);
			}
}
