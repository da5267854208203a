/*
 * ordered against its definition: all subsets, the table of all windows, the
 * sensitivity itself, and the paper's promises.  Every check is a count of
 * failures, so that a broken twin can be shown to fail it.
 */
#include "sp_world.h"

#define ALL ORDERED_MEAN, ORDERED_QUANTILE
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* [CD20 Definition 3.1] */
Test(ordered, equals_the_definition_over_all_subsets)
{
	static const struct sp_tries some[] = {
		{ sp_by_subsets, ALL, 300, 8, 6 },
		{ sp_by_subsets, ALL, 100, 9, 20 },
		{ sp_by_subsets, ALL, 40, 10, 3 },
	};

	sp_agree(some, COUNT(some));
}

Test(ordered, equals_the_definition_up_to_the_ends_of_the_grid)
{
	static const struct sp_tries some[] = {
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

/*
 * Databases on which the released median is outside the hull of center and
 * the plain median, moved by `shift' half steps for the twin.
 */
static int
outside(int tries, int shift)
{
	struct sp_f f;
	struct rng r;
	int64_t x[60], g, med2, c2;
	int bad = 0;
	size_t n;

	rng_seeded(&r, (uint64_t)tries, "ordered median");
	while (tries-- > 0) {
		f = sp_draw(&r, ORDERED_MEDIAN, 12);
		n = 1 + rng_below(&r, 60);
		sp_draw_data(&r, x, n, 12);
		g = sp_value(&f, x, NULL, n);
		med2 = x[(n - 1) / 2] + x[n / 2] + shift;
		c2 = 2 * f.o.center + shift;
		/* Rounding takes half steps up. */
		bad += med2 >= c2 ? 2 * g < c2 || 2 * g > med2 + 1 :
		    2 * g < med2 || 2 * g > c2;
	}
	return bad;
}

/*
 * [CD20 Lemma 5.4, Lemma 5.5] The second display of the paper's proof has
 * med(D) - S where induction gives center - S, as g of the middle is no less
 * than the center: enough for g(D) >= center.  The twin's center is another.
 */
Test(ordered, median_of_one_pass_lies_between_plain_and_center)
{
	cr_expect_eq(outside(2000, 0), 0);
	cr_expect_gt(outside(2000, 4), 0, "twin");
}
