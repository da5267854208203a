/* pairs: a family of small neighbouring inputs; audit only. */
#ifndef PAIRS_H
#define PAIRS_H

#include "audit.h"

#define AUDIT_PAIRS 256

/* A built-in pair: two small files of one column, made and removed here. */
struct neighbors_pair {
	char words[AUDIT_TEXT];
	char *left, *right;	/* paths */
};

/*
 * Makes the family for a column whose values lie in [lo, hi] (texts): a few
 * equal or extreme records and one that comes (add-remove) or changes (swap).
 * Returns their number; the files stand in a new folder, in TMPDIR where that
 * is given, until the program ends, also by a signal that asks it to, or they
 * are removed.
 */
size_t audit_pairs(struct neighbors_pair **pair, const char *column,
    const char *lo, const char *mid, const char *hi, bool swap);
void audit_pairs_remove(void);

/* Does not return once a signal has taken the files away: nobody is to
   complain that they are missing. */
void audit_pairs_hold(void);

#endif
