/* What a budget binds: which releases it covers, and how often they count. */
#include <criterion/criterion.h>

#include <string.h>

#include "ledger/bound.h"

#define PLAIN (struct bound_set){ .is[BOUND_NEIGHBORS] = "add-remove" }
#define SWAP (struct bound_set){ .is[BOUND_NEIGHBORS] = "swap" }
#define STATED (struct bound_set){ .is[BOUND_NEIGHBORS] = BOUND_STATED }
#define METRIC(m) (struct bound_set){ .is[BOUND_NEIGHBORS] = "metric", \
	.is[BOUND_METRIC] = m }
#define FIXED(f) (struct bound_set){ .is[BOUND_NEIGHBORS] = "swap", \
	.is[BOUND_PUBLIC] = f }

static struct bound_set
with(enum bound row, const char *text)
{
	struct bound_set b = PLAIN;

	b.is[row] = text;
	return b;
}

static unsigned
factor(struct bound_set budget, struct bound_set release)
{
	struct text why = TEXT_INIT;
	unsigned times = bounds_factor(&budget, &release, &why);

	cr_assert_eq(why.len == 0, times > 0, "words where it is refused");
	text_free(&why);
	return times;
}

Test(bound, a_replaced_record_is_one_taken_away_and_one_added)
{
	cr_assert_eq(factor(SWAP, PLAIN), 2);
	cr_assert_eq(factor(PLAIN, SWAP), 0);
}

Test(bound, metrics_are_apart)
{
	cr_assert_eq(factor(METRIC("step:x/7"), METRIC("step:x/8")), 0);
	cr_assert_eq(factor(METRIC("step:x/7"), SWAP), 0);
	cr_assert_eq(factor(METRIC("step:x/7"), PLAIN), 0);
	cr_assert_eq(factor(SWAP, METRIC("step:x/7")), 0);
	cr_assert_eq(factor(PLAIN, METRIC("step:x/7")), 0);
}

/* What two sides must both have, or neither. */
Test(bound, universes_units_weights_and_delimiters_are_apart)
{
	const enum bound rows[] = { BOUND_DOMAIN, BOUND_UNIT, BOUND_WEIGHT,
		BOUND_DELIMITER };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert_eq(factor(with(rows[i], "a"), with(rows[i], "a")), 1);
		cr_assert_eq(factor(with(rows[i], "a"), with(rows[i], "b")), 0);
		cr_assert_eq(factor(with(rows[i], "a"), PLAIN), 0);
		cr_assert_eq(factor(PLAIN, with(rows[i], "a")), 0);
	}
}

/* A release on all records charges all slices. */
Test(bound, slices_are_those_of_the_budget_or_none)
{
	const enum bound by = BOUND_SLICES;

	cr_assert_eq(factor(with(by, "day"), with(by, "day")), 1);
	cr_assert_eq(factor(with(by, "day"), with(by, "age")), 0);
	cr_assert_eq(factor(with(by, "day"), PLAIN), 1);
	cr_assert_eq(factor(PLAIN, with(by, "day")), 0);
}

/* A record that is taken for a header is published. */
Test(bound, a_first_record_is_no_header_but_a_header_may_be_a_record)
{
	cr_assert_eq(factor(with(BOUND_HEADER, "none"), PLAIN), 0);
	cr_assert_eq(factor(PLAIN, with(BOUND_HEADER, "none")), 1);
	cr_assert_eq(factor(with(BOUND_HEADER, "none"),
	    with(BOUND_HEADER, "none")), 1);
}

/* A pair of records in two groups is no pair of neighbors to the release. */
Test(bound, groups_under_swap_need_a_budget_that_keeps_them)
{
	cr_assert_eq(factor(SWAP, FIXED("g")), 0);
	cr_assert_eq(factor(FIXED("g"), FIXED("g")), 1);
	cr_assert_eq(factor(FIXED("g"), FIXED("h")), 0);
	cr_assert_eq(factor(FIXED("g"), FIXED("gg")), 0);
	cr_assert_eq(factor(FIXED("gg"), FIXED("g")), 0);
	cr_assert_eq(factor(FIXED("g,h"), FIXED("h")), 1);
	cr_assert_eq(factor(FIXED("g"), FIXED("g,h")), 0);
	cr_assert_eq(factor(FIXED("\"g,h\""), FIXED("h\"")), 0, "a name");
	cr_assert_eq(factor(FIXED("g"), SWAP), 1);
	cr_assert_eq(factor(FIXED("g"), PLAIN), 2);
}

Test(bound, what_the_user_states_holds_for_any_budget)
{
	cr_assert_eq(factor(PLAIN, STATED), 1);
	cr_assert_eq(factor(SWAP, STATED), 1);
	cr_assert_eq(factor(METRIC("step:x/7"), STATED), 1);
}
