/* estimate: the defaults that scripts/figure/searches compares. */
#include <criterion/criterion.h>

#include "asm/estimate.h"
#include "asm/loss.h"
#include "asm/plan/outputs.h"

/* beta - 1 in millionths, for n records and epsilon eps. */
static int64_t
gap(enum target target, struct rational eps, uint64_t n)
{
	const struct estimate_metric metric = { .targets = 1,
	    .target = { target } };
	struct estimate e = { .opts = OPTS_INIT(NULL), .metric = &metric };
	struct rational beta;

	e.eps = eps;
	e.opts.neighbors = NEIGHBORS_SWAP;
	beta = estimate_beta(&e, 0, n);
	cr_assert(beta.den == 1000000);
	return (int64_t)(beta.num - beta.den);
}

Test(estimate, beta_goes_with_one_over_n_or_its_root)
{
	const struct rational one = { 1, 1 }, two = { 2, 1 };

	cr_assert_eq(gap(TARGET_VARIANCE, one, 1000), 40000);
	cr_assert_eq(gap(TARGET_VARIANCE, two, 1000), 20000);
	cr_assert_eq(gap(TARGET_QUANTILE, one, 1000), 15000);
	cr_assert_eq(gap(TARGET_VARIANCE, one, 1000000), 1000);
	cr_assert_eq(gap(TARGET_VARIANCE, one, 3), 100000);
	cr_assert_eq(gap(TARGET_SUM, one, 10000), 4500);
	cr_assert_eq(gap(TARGET_MEAN, two, 5000), 4500);
	cr_assert_eq(gap(TARGET_SUM, one, 0), 100000);
}

/* Where n is hidden nothing that the output shows may follow it. */
Test(estimate, lists_under_add_remove_are_the_same_for_every_n)
{
	const struct estimate_metric metric = { .targets = 2, .target = {
	    TARGET_QUANTILE, TARGET_VARIANCE } }, other = { .targets = 2,
	    .target = { TARGET_SUM, TARGET_MEAN } };
	struct estimate e = { .opts = OPTS_INIT(NULL) };
	struct rational beta, first;
	size_t points;

	e.eps = (struct rational){ 1, 3 };
	e.opts.neighbors = NEIGHBORS_ADD_REMOVE;
	for (size_t t = 0; t < 4; t++) {
		e.metric = t < 2 ? &metric : &other;
		first = estimate_beta(&e, t % 2, 0);
		points = estimate_points(&e, 0);
		for (uint64_t n = 1; n < (uint64_t)1 << 41; n += 1 + n / 3) {
			beta = estimate_beta(&e, t % 2, n);
			cr_expect_eq(rational_cmp(beta, first), 0);
			cr_expect_eq(estimate_points(&e, n), points);
		}
	}
}

/* The largest loss of any label and prediction of two ranges, one by one. */
static int64_t
slow_most(const struct bounds *b, u128 unit, bool squared)
{
	int64_t most = 0, x;

	for (int64_t y = b[0].lo; y <= b[0].hi; y++)
		for (int64_t p = b[1].lo; p <= b[1].hi; p++) {
			x = squared ? loss_square(y, p, unit) :
			    loss_absolute(y, p, unit);
			most = x > most ? x : most;
		}
	return most;
}

Test(estimate, limits_of_a_loss_are_its_extremes_over_both_ranges)
{
	static const struct bounds ranges[][2] = {
		{ { .lo = 0, .hi = 10 }, { .lo = 0, .hi = 100 } },
		{ { .lo = 0, .hi = 100 }, { .lo = 0, .hi = 10 } },
		{ { .lo = -50, .hi = 3 }, { .lo = 7, .hi = 9 } },
		{ { .lo = 20, .hi = 30 }, { .lo = -20, .hi = 0 } },
		{ { .lo = 5, .hi = 5 }, { .lo = 5, .hi = 5 } }
	};
	static const enum term terms[] = { TERM_ABSOLUTE, TERM_SQUARE,
	    TERM_FIT };

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		for (size_t t = 0; t < 3; t++) {
			const struct estimate_metric metric = {
			    .term = terms[t] };
			struct estimate e = { .opts = OPTS_INIT(NULL),
			    .metric = &metric };
			struct bounds b[2] = { ranges[i][0], ranges[i][1] };
			bool squared = terms[t] != TERM_ABSOLUTE;

			e.in.bounds = b;
			e.opts.ranges.n = 1;
			estimate_limits(&e);
			cr_expect(e.term.has_least && e.term.has_most);
			cr_expect_eq(e.term.least, 0);
			cr_expect_eq(e.term.most, slow_most(b,
			    estimate_unit(&e, 1 + squared), squared));
		}
}

/* A range has no two outputs further apart than equal steps would be. */
Test(estimate, outputs_of_a_quantile_are_near_each_other_in_a_range)
{
	const struct estimate_metric metric = { .targets = 1,
	    .target = { TARGET_QUANTILE } };
	struct estimate e = { .opts = OPTS_INIT(NULL), .metric = &metric,
	    .queries = 5000, .eps = { 1, 1 } };
	const struct estimate_group g = { .under = NULL };
	int64_t width = 2000000, widest[2] = { 0, 0 };
	struct outputs o;

	e.opts.neighbors = NEIGHBORS_ADD_REMOVE;
	for (int ranged = 0; ranged < 2; ranged++) {
		if (ranged)
			e.cell = (struct limits){ true, true, -width / 2,
			    width / 2 };
		estimate_outputs(&e, &g, 0, &o);
		for (size_t i = 1; i < o.n; i++)
			if (o.t[i] - o.t[i - 1] > widest[ranged])
				widest[ranged] = o.t[i] - o.t[i - 1];
		outputs_free(&o);
	}
	cr_expect_leq(widest[1], width / ((int64_t)estimate_points(&e, 0) -
	    1) + 1);
	cr_expect_gt(widest[0], FIXED_MAX / 1000, "powers alone: %lld",
	    (long long)widest[0]);
}

/* beta^i - 1 counts in numbers for a quantile, else in the finest steps. */
Test(estimate, outputs_near_0_are_numbers_of_a_quantile_and_steps_of_others)
{
	static const struct {
		enum target target;
		bool paper;
		int64_t first;
	} want[] = { { TARGET_QUANTILE, false, 10000 },
	    { TARGET_SUM, false, 1 }, { TARGET_SUM, true, 10000 } };

	for (size_t i = 0; i < 3; i++) {
		const struct estimate_metric metric = { .targets = 1,
		    .target = { want[i].target } };
		struct estimate e = { .opts = OPTS_INIT(NULL),
		    .metric = &metric, .paper = want[i].paper,
		    .report.digits = 6, .step_digits = 6,
		    .queries = 5000, .eps = { 1, 1 },
		    .beta = { 101, 100 } };
		const struct estimate_group g = { .under = NULL };
		struct outputs o;
		size_t at = 0;

		e.opts.neighbors = NEIGHBORS_ADD_REMOVE;
		estimate_outputs(&e, &g, 0, &o);
		while (o.t[at] <= 0)
			at++;
		cr_expect_eq(o.t[at], want[i].first, "%zu: %lld", i,
		    (long long)o.t[at]);
		outputs_free(&o);
	}
}
