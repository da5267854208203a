/*
 * ordered against its definition: all subsets, the table of all windows, the
 * sensitivity itself.  Every check is a count of failures, so that a broken
 * twin can be shown to fail it.
 */
#include "sp_world.h"

#define ALL ORDERED_MEAN, ORDERED_QUANTILE
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* [CD20 Definition 3.1] Also up to the ends of the grid, 2^62. */
Test(ordered, equals_the_definition_over_all_subsets)
{
	static const struct sp_tries some[] = {
		{ sp_by_subsets, ALL, 300, 8, 6 },
		{ sp_by_subsets, ALL, 100, 9, 20 },
		{ sp_by_subsets, ALL, 40, 10, 3 },
		{ sp_by_subsets, ALL, 250, 8, 62 },
		{ sp_by_subsets, ALL, 50, 9, 45 },
	};

	sp_agree(some, COUNT(some));
}

/* [CD20 Lemma 5.2, Algorithm 2, Corollary 5.3] */
Test(ordered, equals_the_table_of_all_windows)
{
	static const struct sp_tries some[] = {
		{ sp_by_windows, ALL, 60, 60, 10 },
		{ sp_by_windows, ALL, 10, 200, 30 },
		{ sp_by_windows, ALL, 10, 200, 5 },
	};

	sp_agree(some, COUNT(some));
}

/* [CD20 Lemma 3.5] */
Test(ordered, moves_by_at_most_its_sensitivity_on_the_grid)
{
	static const struct sp_tries some[] = {
		{ NULL, ALL, 270, 0, 8 }, { NULL, ALL, 130, 0, 40 },
		{ NULL, ALL, 130, 0, 62 },
	};

	for (size_t i = 0; i < COUNT(some); i++)
		cr_expect_eq(sp_jumps(&some[i], 0), 0, "tries %zu", i);
	cr_expect_gt(sp_jumps(&some[0], -1), 0, "twin");
}
