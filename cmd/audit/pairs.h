/* pairs: a family of small neighbouring inputs; audit only. */
#ifndef PAIRS_H
#define PAIRS_H

#include "audit.h"

#define AUDIT_PAIRS 64	/* pairs at most */
#define PAIR_PATH 32

/* A built-in pair: two small inputs with one column, by file paths. */
struct neighbors_pair {
	char words[AUDIT_TEXT];
	char left[PAIR_PATH], right[PAIR_PATH];
};

/*
 * Makes the family for a column whose values lie in [lo, hi] (texts): a few
 * equal or extreme records and a record that comes (add-remove) or changes
 * (swap).  Returns the number of pairs.  The files are in memory and end with
 * the program.
 */
size_t audit_pairs(struct neighbors_pair pair[AUDIT_PAIRS], const char *column,
    const char *lo, const char *mid, const char *hi, bool swap);

#endif
