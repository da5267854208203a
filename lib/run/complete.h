/*
 * complete: what the schema says, in place of options that are not given.
 *
 * The schema is that of --schema, or the one in the ledger; --missing and
 * --quote none make one without fields.  An option on the line wins: a narrower
 * range is taken; a range or a key outside what the schema says is status 2.
 */
#pragma once

#include "tool/opts.h"

/* Which defaults the operation takes; the tool's table says the rest. */
struct complete {
	bool numbers;		/* the columns of -c are numbers, */
	bool ranges;		/* their limits are ranges, */
	bool sums;		/* and they are added up */
	bool groups;		/* keys of the columns of -g */
	bool listed;		/* the records are public: of nobody */
	bool people;		/* rows of one person */
	bool counted;		/* and of its own counts people */
	bool keyed;		/* a person's rows have a key, no number */
	bool parts;		/* other tools get the schema, and answer */
	bool dates;		/* answers are values of the column */
};

/* Before the options are checked: opens the schema, and completes o. */
void complete_options(struct opts *o, const struct complete *takes);
