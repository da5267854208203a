/*
 * evidence: how far noisy counts are believed, against the definitions at the
 * head of evidence.c and tables of the chi-square law; the level of marginals
 * that is counted, by sets of attributes.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dx/synth/evidence.h"
#include "dx/synth/marginals.h"

static void
near(double x, double want)
{
	cr_assert_float_eq(x, want, 1e-12 * (1 + fabs(want)), "%g, not %g", x,
	    want);
}

Test(evidence, squares_are_in_units_of_noise_and_of_noise_and_drawing)
{
	struct evidence e = { .degrees = 7 };

	evidence_add(&e, 3, 10, 4);
	evidence_add(&e, -2, 0, 5);
	near(e.noise, 9.0 / 4 + 4.0 / 5);
	near(e.drawn, 9.0 / 14 + 4.0 / 5);
	near(e.degrees, 7);
}

/* Quantiles of tables: degrees, deviations of a normal law, quantile. */
Test(evidence, chance_explains_what_a_gamma_law_explains)
{
	static const double of[][3] = { { 5, 1.644854, 11.0705 },
	    { 10, 1.644854, 18.3070 }, { 30, 2.326348, 50.8922 },
	    { 60, 1.281552, 74.3970 }, { 100, 3.090232, 149.449 } };

	for (size_t i = 0; i < 5; i++)
		for (double excess = 0; excess < 4; excess += 1.5) {
			/* twice the variance: a gamma of fewer degrees */
			double times = (2 + excess) / 2;
			struct evidence e = { .degrees = of[i][0] * times };
			double most = of[i][2] * times;

			e.noise = 2 * e.degrees;
			e.drawn = 0.995 * most;
			near(evidence_part(&e, excess, of[i][1]), 0);
			e.drawn = 1.005 * most;
			near(evidence_part(&e, excess, of[i][1]), 1 -
			    (e.degrees - 2) / e.noise);
		}
}

Test(evidence, nothing_is_believed_without_degrees_or_in_the_range_of_chance)
{
	struct evidence e = { 0, 100, 100 };

	near(evidence_part(&e, 3, 0), 0);
	for (e.degrees = 1; e.degrees < 40; e.degrees++) {
		double nu = 2 * e.degrees / 5, cube = 1 - 2 / (9 * nu);

		e.drawn = e.degrees * cube * cube * cube * (1 - 1e-12);
		near(evidence_part(&e, 3, 0), 0);
		e.drawn *= 1 + 2e-12;
		near(evidence_part(&e, 3, 0), 1 - fmax(0, e.degrees - 2) /
		    100);
	}
}

/* [James, Stein 1961] */
Test(evidence, the_part_worth_keeping_is_that_of_james_and_stein)
{
	for (double d = 1; d < 20; d++)
		for (double s = 0.5; s < 100; s *= 1.7) {
			struct evidence e = { d, s, HUGE_VAL };
			double lost = d < 2 ? 0 : (d - 2) / s;

			near(evidence_part(&e, 3, 0), lost > 1 ? 0 : 1 - lost);
		}
	near(evidence_part(&(struct evidence){ 1, 0, 1 }, 3, -9), 0);
}

/* Mean cost: a part 0.015 of the error without the counts. */
Test(evidence, the_deviations_cost_as_little_as_they_promise)
{
	for (double v = 0.01; v < 1e6; v *= 3)
		for (double mean = 0.1; mean < 1e5; mean *= 7) {
			double z = evidence_chance(v, mean);

			near(exp(-z * z / 2) * sqrt(1 + v / (mean < 1 ? 1 :
			    mean)), 0.015);
		}
	near(evidence_count(0.5, 7, 3, 9), 5);		/* 3/12 < 1/2 */
	near(evidence_count(0.1, 7, 3, 1), 6);		/* 3/4 > 1/10 */
	near(evidence_count(0, 7, 3, 1), 6);
}

/*
 * Squares that are rho times as likely large: densities of d normal numbers.
 * Twelve factors from four times the square of the expectation, by halves.
 */
Test(evidence, odds_are_those_of_twelve_normal_laws)
{
	for (double d = 1; d < 50; d += 7)
		for (double s = 0.5; s < 200; s *= 2.3)
			for (double rate = 0.02; rate < 40; rate *= 5) {
				struct evidence e = { d, 0, s };
				double all = 0, kept = 0, rho, p, like, part;

				for (double big = 4; big > 4 / 4096.0;
				    big /= 2) {
					rho = 1 + big * rate;
					p = exp(-s / 2 / rho) * pow(rho, -d /
					    2) / exp(-s / 2);
					all += p;
					kept += p * (rho - 1) / rho;
				}
				like = evidence_odds(&e, rate, &part);
				cr_assert_float_eq(like, log(all / 12), 1e-9 *
				    (1 + fabs(like)));
				cr_assert_float_eq(part, kept / all, 1e-9);
			}
}

/* -- groups of counts */

/* Guess g of how far a group's expectations are off. */
static double
guess(int g)
{
	return g == 0 ? 0 : 64 / pow(2, g - 1);
}

/* A distance of a normal law with this guess, to a part of a degree. */
static double
density(const struct distance *d, double degrees, int g)
{
	double chance = d->noise + d->drawing;
	double all = chance + guess(g) * d->wrong;

	return pow(exp(-d->off * d->off / 2 / all) / exp(-d->off * d->off / 2 /
	    chance) * pow(chance / all, degrees / 2), 0.4);
}

static struct distance
some(struct rng *r)
{
	return (struct distance){ (double)rng_below(r, 21) - 10,
	    (double)(1 + rng_below(r, 40)), (double)rng_below(r, 40),
	    (double)rng_below(r, 300) };
}

Test(evidence, what_distances_say_is_the_odds_of_normal_laws_to_a_power)
{
	struct rng r;

	rng_seeded(&r, 31, "hear");
	for (int run = 0; run < 200; run++) {
		struct guesses said = { { 0 } };
		double want[EVIDENCE_GUESSES];

		for (int g = 0; g < EVIDENCE_GUESSES; g++)
			want[g] = 1;
		for (int i = 0; i < run % 5; i++) {
			struct distance d = some(&r);
			double degrees = (double)rng_below(&r, 100) / 100;

			evidence_hear(&said, &d, degrees);
			for (int g = 0; g < EVIDENCE_GUESSES; g++)
				want[g] *= density(&d, degrees, g);
		}
		near(said.of[0], 0);
		for (int g = 0; g < EVIDENCE_GUESSES; g++)
			near(said.of[g], log(want[g]));
	}
}

#define GROUPS 9

/* Bayes' rule for each group, and shares by all groups [Robbins 1956]. */
static void
bayes(double of[][EVIDENCE_GUESSES], size_t n)
{
	double like[GROUPS][EVIDENCE_GUESSES], usual[EVIDENCE_GUESSES], all;

	for (int g = 0; g < EVIDENCE_GUESSES; g++)
		usual[g] = g == 0 ? 3 : 0.03 / 17;
	for (size_t k = 0; k < n; k++)
		memcpy(like[k], of[k], sizeof(like[k]));
	for (int i = 0; i <= 20; i++) {
		for (size_t k = 0; k < n; k++) {
			all = 0;
			for (int g = 0; g < EVIDENCE_GUESSES; g++)
				all += usual[g] * like[k][g];
			for (int g = 0; g < EVIDENCE_GUESSES; g++)
				of[k][g] = usual[g] * like[k][g] / all;
		}
		for (int g = 0; g < EVIDENCE_GUESSES; g++) {
			usual[g] = g == 0 ? 3 : 0.03 / 17;
			for (size_t k = 0; k < n; k++)
				usual[g] += of[k][g];
		}
	}
}

Test(evidence, groups_are_judged_by_bayes_and_by_what_is_usual)
{
	struct rng r;
	int clear = 0;

	rng_seeded(&r, 32, "judge");
	for (int run = 0; run < 200; run++) {
		double want[GROUPS][EVIDENCE_GUESSES];
		struct guesses group[GROUPS] = { { { 0 } } };
		size_t n = rng_below(&r, GROUPS + 1);

		for (size_t k = 0; k < n; k++)
			for (int g = 0; g < EVIDENCE_GUESSES; g++) {
				want[k][g] = (double)(1 + rng_below(&r, 9)) *
				    (k % 3 ? 1 : g);
				if (want[k][g] == 0)
					want[k][g] = 1e-9;
				group[k].of[g] = log(want[k][g]);
			}
		evidence_judge(group, n);
		bayes(want, n);
		for (size_t k = 0; k < n; k++)
			for (int g = 0; g < EVIDENCE_GUESSES; g++)
				cr_assert_float_eq(group[k].of[g], want[k][g],
				    1e-9);
		clear += n > 0 && group[0].of[0] < 0.5;
	}
	cr_assert(clear > 20, "%d", clear);
}

/* The best linear estimate of each guess, and none without noise. */
Test(evidence, a_distance_keeps_the_mean_of_the_best_parts_of_the_guesses)
{
	struct rng r;

	rng_seeded(&r, 33, "kept");
	for (int run = 0; run < 200; run++) {
		struct distance d = some(&r);
		struct guesses of = { { 0 } };
		double want = 0, all = 0, true_off;

		for (int g = 0; g < EVIDENCE_GUESSES; g++)
			all += of.of[g] = (double)(1 + rng_below(&r, 9));
		for (int g = 0; g < EVIDENCE_GUESSES; g++) {
			of.of[g] /= all;
			true_off = d.drawing + guess(g) * d.wrong;
			want += of.of[g] * true_off / (d.noise + true_off);
		}
		near(evidence_kept(&of, &d), want);
		d.noise = 0;
		near(evidence_kept(&of, &d), 1);
	}
}

/* -- the level that is counted */

#define DIMS 4
#define CELLS 2000
#define SETS (1 << DIMS)

/* By sets of attributes: their cells, and degrees of freedom. */
struct sets {
	size_t size[DIMS], order, levels;
	double cells[SETS], degrees[SETS], c, n;
};

static size_t
members(unsigned set)
{
	return (size_t)__builtin_popcount(set);
}

/* The mean error of an answer where all sets of so many are counted. */
static double
error_of(const struct sets *s, size_t level)
{
	static const double adds[] = { 1, 0.6, 0.3, 0.15 };
	double roots = 0, all = 0, cells = 0;

	for (unsigned t = 1; t < SETS; t++)
		if (members(t) == level)
			roots += sqrt(2 * s->c * s->cells[t]);
	for (unsigned k = 1; k < SETS; k++) {
		double sum = 0;

		if (members(k) != s->order)
			continue;
		for (unsigned in = 1; in < SETS; in++) {
			double precision = 0, part, rest, scale;

			if ((in & k) != in)
				continue;
			for (unsigned t = 1; t < SETS; t++)
				if (members(t) == level && (t & in) == in) {
					scale = 2 * s->c * roots / sqrt(2 *
					    s->c * s->cells[t]);
					precision += s->cells[in] /
					    s->cells[t] / (2 * scale * scale);
				}
			part = adds[members(in) - 1] * s->n;
			rest = part * part + s->n * s->degrees[in];
			if (precision > 0)
				rest = fmin(rest, s->degrees[in] *
				    s->cells[in] / precision);
			sum += rest;
		}
		all += sqrt(sum);
		cells += s->cells[k];
	}
	return all / cells;
}

static void
describe(struct sets *s, struct rng *r)
{
	for (size_t i = 0; i < DIMS; i++)
		s->size[i] = 2 + rng_below(r, i == 3 ? 4 : 6);
	s->order = 1 + rng_below(r, 3);
	s->levels = s->order + 1;
	s->c = 1;
	s->n = (double)(1 + rng_below(r, 20000));
	for (unsigned set = 0; set < SETS; set++) {
		s->cells[set] = s->degrees[set] = 1;
		for (size_t i = 0; i < DIMS; i++)
			if (set >> i & 1) {
				s->cells[set] *= (double)s->size[i];
				s->degrees[set] *= (double)s->size[i] - 1;
			}
	}
}

/* The universe of all combinations, and its marginals. */
static void
choose(const struct sets *s, struct rational c, struct marginals *a)
{
	struct workload w[DIMS] = { 0 };
	struct normal level[DIMS];
	static int64_t code[CELLS * DIMS];
	size_t n = (size_t)s->cells[SETS - 1];

	for (size_t i = 0, rest; i < n; i++) {
		rest = i;
		for (size_t k = 0; k < DIMS; k++) {
			code[i * DIMS + k] = (int64_t)(rest % s->size[k]);
			rest /= s->size[k];
		}
	}
	*a = (struct marginals){ .order = s->order, .p.total = s->n };
	for (size_t l = 0; l < s->levels; l++) {
		w[l].n = n;
		workload_marginal(&w[l], code, DIMS, l + 1);
		normal_open(&level[l], &w[l]);
		for (size_t e = 0; e < level[l].entries; e++)
			level[l].c[e] = c;
	}
	marginals_open(a, level, s->levels);
	for (size_t l = 0; l < s->levels; l++) {
		normal_close(&level[l]);
		workload_free(&w[l]);
	}
}

Test(marginals, the_level_that_is_counted_has_the_least_error_by_definition)
{
	size_t by[DIMS + 1] = { 0 };
	struct rng r;

	rng_seeded(&r, 11, "level");
	for (int run = 0; run < 150; run++) {
		struct rational c = { 1 + (i128)rng_below(&r, 100), 1 +
		    (i128)rng_below(&r, 100) };
		struct marginals a;
		struct sets s;
		size_t best = 1;
		double least;

		describe(&s, &r);
		s.c = (double)c.num / (double)c.den;
		choose(&s, c, &a);
		least = error_of(&s, 1);
		for (size_t l = 2; l <= s.levels; l++)
			if (error_of(&s, l) < least) {
				least = error_of(&s, l);
				best = l;
			}
		cr_assert_float_eq(a.expected, least, 1e-9 * least,
		    "run %d: %g, not %g", run, a.expected, least);
		cr_assert_eq(a.chosen, best);
		by[best]++;
		marginals_close(&a);
	}
	cr_assert(by[1] > 20 && by[2] > 20 && by[3] > 10, "%zu %zu %zu",
	    by[1], by[2], by[3]);
}
