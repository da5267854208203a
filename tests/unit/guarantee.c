/* Which releases a budget covers, and how often each counts. */
#include <criterion/criterion.h>

#include <string.h>

#include "ledger/guarantee.h"

static unsigned
factor(struct guarantee budget, struct guarantee release)
{
	struct text why = TEXT_INIT;
	unsigned times = guarantee_factor(&budget, &release, &why);

	cr_assert_eq(why.len == 0, times > 0, "words where it is refused");
	text_free(&why);
	return times;
}

#define ADD_REMOVE (struct guarantee){ .kind = GUARANTEE_ADD_REMOVE }
#define SWAP (struct guarantee){ .kind = GUARANTEE_SWAP }
#define STATED (struct guarantee){ .kind = GUARANTEE_STATED }
#define METRIC(m) (struct guarantee){ .kind = GUARANTEE_METRIC, .metric = m }
#define FIXED(f) (struct guarantee){ .kind = GUARANTEE_SWAP, .fixed = f }
#define PEOPLE(k, u) (struct guarantee){ .kind = k, .unit = u }

Test(guarantee, equal_neighbors_count_once)
{
	cr_assert_eq(factor(ADD_REMOVE, ADD_REMOVE), 1);
	cr_assert_eq(factor(SWAP, SWAP), 1);
	cr_assert_eq(factor(METRIC("step:x/7"), METRIC("step:x/7")), 1);
}

Test(guarantee, a_replaced_record_is_one_taken_away_and_one_added)
{
	cr_assert_eq(factor(SWAP, ADD_REMOVE), 2);
	cr_assert_eq(factor(ADD_REMOVE, SWAP), 0);
}

Test(guarantee, metrics_are_apart)
{
	cr_assert_eq(factor(METRIC("step:x/7"), METRIC("step:x/8")), 0);
	cr_assert_eq(factor(METRIC("step:x/7"), SWAP), 0);
	cr_assert_eq(factor(METRIC("step:x/7"), ADD_REMOVE), 0);
	cr_assert_eq(factor(SWAP, METRIC("step:x/7")), 0);
	cr_assert_eq(factor(ADD_REMOVE, METRIC("step:x/7")), 0);
	cr_assert_null(guarantee_metric("discrete"), "which is swap");
}

Test(guarantee, people_and_records_are_apart)
{
	const enum guarantee_kind k = GUARANTEE_ADD_REMOVE;

	cr_assert_eq(factor(PEOPLE(k, "id"), PEOPLE(k, "id")), 1);
	cr_assert_eq(factor(PEOPLE(k, "id"), PEOPLE(k, "name")), 0);
	cr_assert_eq(factor(PEOPLE(k, "id"), ADD_REMOVE), 0);
	cr_assert_eq(factor(ADD_REMOVE, PEOPLE(k, "id")), 0);
	cr_assert_eq(factor(PEOPLE(GUARANTEE_SWAP, "id"), PEOPLE(k, "id")), 2);
}

/* A pair of records in two groups is no pair of neighbors to the release. */
Test(guarantee, groups_under_swap_need_a_budget_that_keeps_them)
{
	cr_assert_eq(factor(SWAP, FIXED("g")), 0);
	cr_assert_eq(factor(FIXED("g"), FIXED("g")), 1);
	cr_assert_eq(factor(FIXED("g"), FIXED("h")), 0);
	cr_assert_eq(factor(FIXED("g"), FIXED("gg")), 0);
	cr_assert_eq(factor(FIXED("gg"), FIXED("g")), 0);
	cr_assert_eq(factor(FIXED("g,h"), FIXED("h")), 1);
	cr_assert_eq(factor(FIXED("g"), FIXED("g,h")), 0);
	cr_assert_eq(factor(FIXED("g"), SWAP), 1);
	cr_assert_eq(factor(FIXED("g"), ADD_REMOVE), 2);
}

Test(guarantee, what_the_user_states_holds_for_any_budget_but_a_mixed_one)
{
	const struct guarantee mixed = { .kind = GUARANTEE_MIXED };

	cr_assert_eq(factor(ADD_REMOVE, STATED), 1);
	cr_assert_eq(factor(SWAP, STATED), 1);
	cr_assert_eq(factor(METRIC("step:x/7"), STATED), 1);
	cr_assert_eq(factor(mixed, STATED), 0);
	cr_assert_eq(factor(mixed, ADD_REMOVE), 0);
}

Test(guarantee, words_of_the_file_come_back)
{
	int i;

	for (i = 0; guarantee_words[i] != NULL; i++)
		cr_assert_eq(guarantee_kind(guarantee_words[i]),
		    (enum guarantee_kind)i);
	cr_assert_eq(guarantee_kind("new"), GUARANTEE_MIXED);
}
