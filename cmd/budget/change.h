/*
 * change: a curator's changes to a budget, each in one logged transaction.
 */
#pragma once

#include "input/schema.h"
#include "ledger/ledger.h"

/* A new budget; texts belong to the caller, NULL where they do not apply. */
struct terms {
	const char *path, *dataset, *account, *label;
	const char *entry;	/* a release id, or a number of the log */
	char *command;		/* the words of the command */
	struct bound_set bounds;
	const struct schema *read;	/* by which its tables are read */
	int64_t most;		/* slices for a person, 0: does not apply */
	struct rational sampled;	/* a person's chance; num 0: none */
	struct rational total;	/* with a chance, for the population */
	struct text said;	/* by a change, for standard output */
};

/*
 * Moves x > 0 of the budget left from an account to another; false, and nothing
 * changed, where less is left.
 */
bool change_move(struct account *from, struct account *to, struct rational x);

/*
 * Makes the file, or adds a data set to it; status 1 if the set exists.
 */
void change_create(struct terms *t);

/*
 * Gives a data set another schema, which binds the same, while no entry is
 * open; status 3 if not.
 */
void change_schema(struct terms *t);

/* Raises the total of a data set. */
void change_add(struct terms *t);

/*
 * Moves a part of the budget left to an account; status 3 where less is
 * left.
 */
void change_allot(struct terms *t);

/*
 * Closes an open entry, whose charge stays, and says which; status 1 if there
 * is none, 3 while its program runs.
 */
void change_settle(struct terms *t);
