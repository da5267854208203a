/*
 * order: a long column, which lies in buckets, answers as its sorted copy.
 */
#include "expmech/order.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "number/sort.h"

#define N 70000			/* more than are sorted at once */

/* Evenly in a span around 0, but every third in a clump. */
static int64_t *
column(uint64_t span)
{
	int64_t *x = malloc(N * sizeof(*x));
	uint64_t at = 1;

	for (size_t i = 0; i < N; i++) {
		at = at * UINT64_C(6364136223846793005) + 1;
		x[i] = i % 3 == 0 ? (int64_t)(span / 9) :
		    (int64_t)((at >> 2) % span) - (int64_t)(span / 2);
	}
	return x;
}

/* Is what order_find says the rank of the first value from v on? */
static void
check_rank(struct order *o, const int64_t *sorted, int64_t v)
{
	size_t i = order_find(o, v);

	cr_assert(i == 0 || sorted[i - 1] < v);
	cr_assert(i == N || (sorted[i] >= v && order_value(o, i) == sorted[i]));
}

Test(order, long_columns_answer_as_their_sorted_copies)
{
	static const uint64_t span[] = { 2, 900, 5000, UINT64_C(1) << 40,
		UINT64_C(1) << 62 };

	for (size_t s = 0; s < sizeof(span) / sizeof(*span); s++) {
		struct order o;
		int64_t *sorted = column(span[s]);

		sort_grid(sorted, N);
		order_init(&o, column(span[s]), NULL, N);
		check_rank(&o, sorted, sorted[0] - 1);
		check_rank(&o, sorted, sorted[N - 1] + 1);
		for (size_t k = 0, i = 0; k < 40; k++, i = k * 7919 % N) {
			cr_assert(order_value(&o, i) == sorted[i]);
			for (int64_t d = -1; d <= 1; d++)
				check_rank(&o, sorted, sorted[i] + d);
		}
		cr_assert(o.start != NULL && (o.dealt || span[s] < 5000));
		order_free(&o);
		free(sorted);
	}
}
