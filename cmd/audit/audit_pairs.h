/* audit_pairs: a family of small neighbouring inputs; audit only. */
#ifndef AUDIT_PAIRS_H
#define AUDIT_PAIRS_H

#include "audit.h"

#define AUDIT_PAIRS 256

/* A built-in pair: two small files of one column, made and removed here. */
struct neighbors_pair {
	char words[AUDIT_TEXT];
	char left[64];		/* paths */
	char right[64];
};

/*
 * Makes the family for a column whose values lie in [lo, hi] (texts): a few
 * equal or extreme records and one that comes (add-remove) or changes (swap).
 * Returns their number; the files stand in a new folder until the program
 * ends, however it ends, or they are removed.
 */
size_t audit_pairs(struct neighbors_pair **pair, const char *column,
    const char *lo, const char *mid, const char *hi, bool swap);
void audit_pairs_remove(void);

#endif
