/* state: each data set's state, added up from the ledger. */
#pragma once

#include "ledger/ledger.h"

#define STATE_SLICES 5		/* listed slices: the costliest */

/* An account, or a slice, which has no total and no releases (den 0). */
struct part {
	char *name;
	struct rational total, spent, left, releases;
};

struct part_list {
	struct part *part;
	size_t n;
};

/* One data set; texts that do not apply are NULL. */
struct state {
	const char *name;
	struct bound_set bounds;
	int64_t most;		/* slices for a person, 0: does not apply */
	struct rational sampled, population;	/* 0: does not apply */
	struct rational total, spent, aside, left;
	uint64_t releases;
	struct part_list accounts, slices;
};

/* Opens a ledger to look at it, for which the right to read is enough. */
struct ledger *state_open(const char *path);

/* The spent budget, rounded up to 10^-18 beyond 126-bit fractions. */
struct rational state_spent(const struct account *a);

/*
 * Calls each for the data set (NULL: for all, by name).  `spent' is the sum
 * over accounts, `aside' the allotted and unspent budget, `left' the rest.
 */
void state_each(struct ledger *l, const char *dataset,
    void (*each)(void *arg, const struct state *s), void *arg);

/*
 * An epsilon, rounded up, such that the charges made are together (epsilon,
 * delta)-private, 0 < delta < 1; never more than their sum.
 */
struct rational state_worth(struct ledger *l, const struct state *s,
    struct rational delta);
