/* pairs: a family of small neighbouring inputs; audit only. */
#ifndef PAIRS_H
#define PAIRS_H

#include "audit.h"

#define AUDIT_PAIRS 64	/* pairs at most */

/* Two inputs, by the paths of their files. */
struct neighbors_pair {
	const char *words, *path[2];
};

/*
 * Makes the family for a column whose values lie in a range, given by the
 * texts of its low end, middle and high end: a few equal or extreme records
 * and a record that comes (add-remove) or changes (swap).  Returns the number
 * of pairs.  The files are in memory and end with the program.
 */
size_t audit_pairs(struct neighbors_pair pair[AUDIT_PAIRS], const char *column,
    const char *const value[3], enum neighbors relation);

#endif
