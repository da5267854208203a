/* opts_engine: rules for --sql and --grouped. */
#include "opts.h"

/*
 * Behind an engine a release sees distinct rows and their counts.  What draws a
 * coin for each row or for each of a person's rows sees other rows there.
 */
static void
engine_check_counts(const struct opts *o)
{
	const struct unit *u = &o->unit;

	OPTS_REFUSE(
		{ o->op.alone || o->op.listed, "--sql and --grouped count "
		    "equal rows, and this looks at each row by itself: export "
		    "the rows" },
		{ u->per > PER_MAX || u->most > 0 || u->groups > 0, "--per any "
		    "and share, --max-rows and --max-groups draw among a "
		    "person's rows, which no engine repeats: export the rows, "
		    "without --sql and --grouped" },
		{ o->weight != NULL || o->sampling.column != NULL ||
		    o->own_column != NULL, "--sql and --grouped count rows "
		    "themselves: export the rows for --weight, "
		    "--sampling-weight and --epsilon-column" },
		{ u->sorted, "--unit-sorted is for a file of rows: no --sql "
		    "and no --grouped" },
		{ o->check || o->on_bad == ON_BAD_FAIL, "--check and --on-bad "
		    "fail tell of single cells, which --sql and --grouped do "
		    "not see: export the rows to look at them" });
}

void
opts_check_engine(const struct opts *o)
{
	const bool form = opts_given(o, 'd') != NULL || o->unquoted ||
	    opts_given(o, OPT_HEADER) != NULL || o->header == HEADER_NONE;

	OPTS_REFUSE(
		{ o->shards > 0 && !o->grouped, "--shards says how many "
		    "queries' rows --grouped reads" });
	if (o->sql == NULL && !o->grouped)
		return;
	OPTS_REFUSE(
		{ o->sql != NULL && o->grouped, "--sql prints the query, and "
		    "--grouped reads the query's rows: one of the two" },
		{ o->sql != NULL && o->explain, "--sql and --explain exclude "
		    "each other: --explain goes without --sql" },
		{ o->sql != NULL && o->file != NULL, "--sql reads no FILE: the "
		    "table stands behind the dialect, as in postgres:people" },
		{ form, "--sql names columns, and its rows come with a header "
		    "and commas or tabs: no --delimiter, --quote, --header or "
		    "--no-header" });
	engine_check_counts(o);
}
