/*
 * release: one output, whole or not at all.
 *
 * Everything is gathered in memory, written by one path at the end, and the
 * close is checked.  A full disk is status 1; a closed pipe is quiet.
 */
#ifndef RELEASE_H
#define RELEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/fixed.h"
#include "report.h"
#include "tool/text.h"

/* What is on its way to stdout. */
struct release {
	struct text text;
	/* set by release_begin */
	const struct report *report;
	char *head, *tail;	/* JSON around the value, the same each time */
	bool groups, keys;	/* does the release use these columns? */
	struct ledger *ledger;	/* NULL: none */
};

#define RELEASE_INIT \
	{ TEXT_INIT, NULL, NULL, NULL, false, false, NULL }

/*
 * The last step before input is looked at: prints --explain and exits; opens
 * the ledger and asks it.  A retry of a stored release prints its bytes and
 * exits; what the ledger refuses ends with status 3.
 */
void release_prepare(struct release *out, const struct report *r);

/*
 * The part of release_prepare that needs no epsilon, for tools that find it
 * in their input: a retry prints its bytes and exits.
 */
void release_retry(struct release *out, const struct report *r);

/*
 * Starts a release in the format of r->opts: in CSV the header line with the
 * columns that are used.
 */
void release_begin(struct release *out, const struct report *r, bool groups,
    bool keys);

/*
 * One output line: the value x * 10^-digits of release number `rel` (from 1),
 * with its group and key where release_begin said there are any (else NULL).
 */
void release_number(struct release *out, uint64_t rel,
    const struct label *group, const struct label *key, i128 x, int digits);

/* The same for a value that is a text. */
void release_text(struct release *out, uint64_t rel,
    const struct label *group, const struct label *key,
    const struct label *value);

/*
 * Charges the ledger, if there is one; then writes everything to stdout,
 * closes it, frees; status 1 on failure.
 */
void release_flush(struct release *out);

#endif
