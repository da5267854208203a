/*
 * change: what a curator does to a budget, each in one transaction that is
 * logged.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "ledger/ledger.h"

/* A new budget; texts belong to the caller, NULL where they do not apply. */
struct terms {
	const char *path, *dataset, *label;
	struct bound_set bounds;
	int64_t most;		/* slices of a person, 0: does not apply */
	struct rational sampled;	/* chance of a person; num 0: none */
	struct rational total;	/* with a chance, of the population */
};

/*
 * Moves x > 0 of what is left from one account to another; false, and nothing
 * changed, where there is less.
 */
bool change_move(struct account *from, struct account *to, struct rational x);

/*
 * Makes the file, or adds a data set to it; status 1 where it exists.  In a
 * folder whose files belong to its group, the group may write the file.
 */
void change_create(const struct terms *t);

/* Raises the total of a data set. */
void change_add(struct ledger *l, const struct terms *t);

/* Moves so much of what is left to an account; status 3 where there is less. */
void change_allot(struct ledger *l, const struct terms *t,
    const char *account);

#endif
