/* sums: orders; tests/laws/laplace.c has the sensitivities. */
#include "laplace/sums.h"

#include "samples.h"

#include <criterion/criterion.h>

/* Any order gives the same totals, bit for bit. */
Test(sums, row_order_does_not_matter)
{
	enum { n = 1000 };
	static const struct sums_column wide[2] = {
		{ -FIXED_MAX, FIXED_MAX, -FIXED_MAX, 1 },
		{ -FIXED_MAX, FIXED_MAX, 0, 1 }
	};
	uint64_t state = 7;
	static int64_t x[n][2];
	static uint64_t w[n];
	struct total one[2] = { { 0, 0 } }, other[2] = { { 0, 0 } };

	for (size_t i = 0; i < n; i++) {
		x[i][0] = (int64_t)random_word(&state);
		x[i][1] = (int64_t)random_word(&state);
		w[i] = random_word(&state) >> (i % 64);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < 2; a++) {
			size_t j = (i * 617 + 31) % n;

			total_add(&one[a], sums_offset(&wide[a], x[i][a]),
			    w[i]);
			total_add(&other[a], sums_offset(&wide[a], x[j][a]),
			    w[j]);
		}
	for (size_t a = 0; a < 2; a++)
		cr_assert(total_value(&one[a]) == total_value(&other[a]));
}
