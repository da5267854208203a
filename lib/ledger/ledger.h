/*
 * ledger: a privacy budget in an SQLite file, charged before anything is
 * printed.
 *
 * A charge is one transaction, synced to disk before the call returns; so
 * output without a charge cannot be, and a charge without output (a crash
 * between the two) wastes budget, but never overspends.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include "account.h"
#include "bound.h"

#define LEDGER_WAIT 120000	/* ms to wait for another job's lock */

struct ledger;

/* A request to a ledger; the texts and the bounds belong to the caller. */
struct charge {
	struct charge_to to;
	struct slice slice;
	struct bound_set bounds;
	struct rational amount;	/* epsilon of the whole release */
	const char *tool;
	char *options;		/* one form for equal command lines */
	char *report;		/* the release's public facts in JSON */
};

enum ledger_answer {
	LEDGER_OK,		/* charged (or could be) */
	LEDGER_STORED,		/* released with this id: the stored bytes */
	LEDGER_REFUSED		/* and why, without a full stop */
};

/*
 * Opens an existing ledger to charge it.  A file that is missing, broken,
 * read-only, no ledger, or of a newer version ends the program with status 1,
 * an earlier version with status 3.
 */
struct ledger *ledger_open(const char *path);

/*
 * Looks for a release with c's id: LEDGER_STORED with the bytes in out, a
 * refusal if the options differ, or LEDGER_OK.
 */
enum ledger_answer ledger_find(struct ledger *l, const struct charge *c,
    struct text *out);

/*
 * The part of a budget that a charge concerns: the bound facts, and the budget
 * left.  The texts last until ledger_purse_end.
 */
struct purse {
	struct bound_set bounds;
	struct account account;
	int64_t most;		/* most slices that a person is in */
	struct rational spent;	/* charged to the slice so far */
	struct rational *slice;	/* spent, or without a slice NULL */
	struct rational amount;	/* the charge's cost in this purse */
	unsigned times;		/* as a multiple of the charge's epsilon */
	struct sqlite3_stmt *row;	/* the row that holds the texts */
};

/* The purse for a charge's data set, account and slice; status 1 if missing. */
void ledger_purse(struct ledger *l, const struct charge *c, struct purse *p);
void ledger_purse_end(struct purse *p);

/*
 * Charges durably and, with an id, stores the bytes of the release; without a
 * release (NULL) says the same answer and changes nothing.
 */
enum ledger_answer ledger_charge(struct ledger *l, const struct charge *c,
    const struct text *release, struct text *out);

void ledger_close(struct ledger *l);

#endif
