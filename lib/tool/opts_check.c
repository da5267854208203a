/* opts_check: shared options that exclude or need each other. */
#include "opts.h"

#include <stdlib.h>

#include "err.h"

static void
check_ledger(struct opts *o)
{
	if (o->ledger == NULL && opts_takes(o, OPT_LEDGER))
		o->ledger = getenv("DPUTILS_LEDGER");
	if (o->release_id != NULL && o->ledger == NULL)
		die(STATUS_USAGE, "--release-id needs --ledger");
	if (o->dataset != NULL && o->ledger == NULL)
		die(STATUS_USAGE, "--dataset needs --ledger");
	if (o->account != NULL && o->ledger == NULL)
		die(STATUS_USAGE, "--account needs --ledger");
	if (o->ledger != NULL && o->has_seed)
		die(STATUS_USAGE, "--seed is not private: no --ledger with it");
	if (o->ledger != NULL && o->non_private)
		die(STATUS_USAGE, "--non-private is refused with a --ledger");
}

/*
 * With --max-rows people may have fewer rows, so under swap the number of
 * records would not be public; and a row of weight w is w rows of which no
 * number is kept.
 */
static void
check_person(struct opts *o)
{
	if (o->unit == NULL) {
		if (o->per != PER_NONE || o->max_rows > 0 || o->unit_sorted)
			die(STATUS_USAGE, "--per, --max-rows and "
			    "--unit-sorted need --unit COL");
		return;
	}
	if (o->per != PER_NONE && o->max_rows > 0)
		die(STATUS_USAGE, "--per and --max-rows exclude each other");
	if (o->max_rows > 0)
		o->per = PER_ROWS;
	if (o->per == PER_NONE && !o->check)
		die(STATUS_USAGE, "--unit needs a way to make one record of "
		    "a person's rows: --per sum, mean, count, min, max, any "
		    "or share; or --max-rows K");
	if (o->per == PER_ROWS && o->neighbors == NEIGHBORS_SWAP)
		die(STATUS_USAGE, "--max-rows hides how many rows a person "
		    "has: it needs --neighbors add-remove");
	if (o->per == PER_ROWS && o->weight != NULL)
		die(STATUS_USAGE, "--max-rows and --weight exclude each "
		    "other");
}

static void
check_slice(const struct opts *o)
{
	if (o->slice_value == NULL)
		return;
	if (o->neighbors == NEIGHBORS_SWAP)
		die(STATUS_USAGE, "--slice needs --neighbors add-remove: a "
		    "record that is replaced may leave one slice for another, "
		    "and the number of records in each would be public");
	if (o->listed)
		die(STATUS_USAGE, "--slice chooses among private records; "
		    "here a line of the input is an answer, and public");
}

void
opts_check(struct opts *o)
{
	check_ledger(o);
	check_person(o);
	if (o->has_eps && o->has_within)
		die(STATUS_USAGE, "--epsilon and --within exclude each other");
	if (!o->has_eps && !o->has_within && !o->check && !o->explain &&
	    !o->non_private)
		die(STATUS_USAGE, "no epsilon given (-e E); it has no default");
	if ((o->group == NULL) != (o->groups == NULL))
		die(STATUS_USAGE, "--group COL and --groups FILE go together: "
		    "the file lists the keys that get an answer, one on a "
		    "line; a list taken from the data would tell who is "
		    "there");
	if (o->has_interval && o->non_private)
		die(STATUS_USAGE, "--interval speaks of the noise: there is "
		    "none with --non-private");
	if (o->others && o->groups == NULL)
		die(STATUS_USAGE, "--others needs --group and --groups");
	if (o->strict_csv && !o->check)
		die(STATUS_USAGE, "--strict-csv needs --check");
	if (o->neighbors == NEIGHBORS_SWAP && o->on_bad == ON_BAD_DROP)
		die(STATUS_USAGE, "--on-bad drop would change n, which is "
		    "public under --neighbors swap");
	check_slice(o);
	if (o->has_expect && o->neighbors != NEIGHBORS_SWAP && !o->listed)
		die(STATUS_USAGE, "--expect-weight promises a public total: "
		    "it needs --neighbors swap");
	if (o->on_bad == ON_BAD_DEFAULT)
		o->on_bad = o->neighbors == NEIGHBORS_SWAP ? ON_BAD_NUMBER :
		    ON_BAD_DROP;
	if (o->has_seed && !o->check && !o->explain)
		warn("--seed given: the output is NOT private");
	if (o->non_private && !o->check && !o->explain)
		warn("--non-private given: the output is NOT private");
}

/*
 * This is the promised public total of the manual: that it is not met may be
 * told, what it is may not.
 */
void
opts_expect(const struct opts *o, u128 total)
{
	if (o->has_expect && total != o->expect)
		die(STATUS_INPUT, "the data do not have the total of "
		    "--expect-weight");
}
