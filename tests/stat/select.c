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

/*
 * [DMNS06 Theorem 2, Section 3.3] [D24 Definition 2.6] [CD20 Definition 7.4]
 * [KPAK20 Definition 6, Definition 9, Theorem 3] [MS20 Algorithm 1, Theorem 1]
 * The law of weights exp(u / t); tests/cli/expmech.cases has their scale, and
 * tests/laws/tight pairs that reach epsilon.  The twin has half of the scale.
 */
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
