/*
 * select: what is drawn has the law, by chi-square.
 */
#include "random/select.h"

#include <criterion/criterion.h>
#include <math.h>

#include "law.h"
#include "laws_of_draws.h"

#define DRAWS 200000
#define MOST 6

static const int64_t tables[][MOST] = {
	{ 0, 0, 0, 0, 0, 0 }, { 0, 1, 2, 3, 4, 5 }, { 9, 9, 3, 0, -2, 9 },
	{ 0, 0, 0, 0, 0, 20 }, { -4, 7, 0, 6, 7, 1 }
};

static double
trial(enum select_kind kind, const int64_t *u, struct scale drawn, double t)
{
	static uint64_t seed = 100;
	uint64_t seen[MOST] = { 0 };
	double p[MOST];
	struct rng r;
	size_t at;

	rng_seeded(&r, seed++, "select");
	for (int i = 0; i < DRAWS; i++) {
		select_draw(&r, &drawn, kind, u, MOST, 1, &at);
		seen[at]++;
	}
	law_selection(kind, u, MOST, t, p);
	return law_chi2(p, seen, MOST, DRAWS);
}

/* [DMNS06 Section 3.3] [MS20 Algorithm 1] The twin has half of the scale. */
Test(select, drawn_law_is_the_mechanisms)
{
	static const struct scale t = { 10, 3 }, half = { 5, 3 };

	for (int kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]);
		    i++) {
			double chi = trial((enum select_kind)kind, tables[i], t,
			    10.0 / 3);

			cr_assert_lt(chi, LAW_Z, "table %zu: %f", i, chi);
		}
		cr_assert_gt(trial((enum select_kind)kind, tables[1], half,
		    10.0 / 3), LAW_Z);
	}
}

/* Pairs drawn without replacement: P[i, j] = P[i] P[j | without i]. */
static double
pairs(enum select_kind kind)
{
	const int64_t u[] = { 0, 1, 3 };
	struct scale t = { 2, 1 };
	double first[3], expected[6], two[2];
	uint64_t seen[6] = { 0 };
	struct rng r;

	rng_seeded(&r, 7 + (uint64_t)kind, "select");
	for (int i = 0; i < DRAWS; i++) {
		size_t c[2];

		select_draw(&r, &t, kind, u, 3, 2, c);
		seen[2 * c[0] + (c[1] > c[0] ? c[1] - 1 : c[1])]++;
	}
	law_selection(kind, u, 3, 2, first);
	for (size_t i = 0; i < 3; i++) {
		int64_t rest[] = { u[i == 0], u[i == 2 ? 1 : 2] };

		law_selection(kind, rest, 2, 2, two);
		expected[2 * i] = first[i] * two[0];
		expected[2 * i + 1] = first[i] * two[1];
	}
	return law_chi2(expected, seen, 6, DRAWS);
}

Test(select, second_draw_is_from_what_is_left)
{
	cr_assert_lt(pairs(SELECT_EXPONENTIAL), LAW_Z);
	cr_assert_lt(pairs(SELECT_FLIP), LAW_Z);
}
