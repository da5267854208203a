/*
 * ledger: a privacy budget in an SQLite file, charged before a record is read.
 *
 * A charge is a transaction, synced to disk before the call returns, that makes
 * an open entry; the output settles the entry.  Nothing is given back: a
 * program that dies between the two has spent what its answer would have cost,
 * whatever its death may tell.  A program that runs holds a lock on its entry,
 * so that an open entry without a lock is one that a death left.
 */
#pragma once

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
	char *command;		/* the words of the command */
	char *secret;		/* its private operands; NULL: none */
	char *report;		/* the release's public facts in JSON */
	const char *schema;	/* the digest of what it is read by, or NULL */
};

enum ledger_answer {
	LEDGER_OK,		/* charged, or to be charged */
	LEDGER_OPEN,		/* an open entry with this id and options */
	LEDGER_STORED,		/* released with this id: the stored bytes */
	LEDGER_REFUSED		/* and why, without a full stop */
};

/*
 * Opens an existing ledger to charge it.  A file that is missing, broken,
 * read-only, no ledger, or of a newer version ends the program with status 1, a
 * version before dputils 1.0.0 with status 3.  One of 1.0.0 becomes of ours.
 */
struct ledger *ledger_open(const char *path);

/*
 * The text of a data set's schema, read and nothing else; false where the
 * ledger has none, or is missing or to be refused, which ledger_open says.
 */
bool ledger_schema(const char *path, const char *dataset, struct text *text);

/*
 * The part of a budget that a charge concerns: the bound facts, and the budget
 * left.  The texts last until ledger_purse_end.
 */
struct purse {
	struct bound_set bounds;
	struct account account;
	struct rational share;	/* allotted, or the budget's first total */
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
 * Says what ledger_charge would say, and charges nothing: LEDGER_OPEN for an
 * open entry with c's id.  Without an amount (den 0) only the id is looked for.
 */
enum ledger_answer ledger_ask(struct ledger *l, const struct charge *c,
    struct text *out);

/*
 * Charges durably, and makes or takes over an open entry: LEDGER_OK.  Waits for
 * another program with the same id; where the release is kept already, its
 * bytes in out are LEDGER_STORED.  Refuses other options than those of the
 * entry with the id, and an entry that the curator closed.
 */
enum ledger_answer ledger_charge(struct ledger *l, const struct charge *c,
    struct text *out);

/* Settles what was charged, durably, and with an id keeps the release. */
void ledger_settle(struct ledger *l, const struct charge_to *to,
    const struct text *release);

/*
 * Waits a moment for another program, and counts; false after `most' ms.
 */
bool ledger_tick(int *ms, int most);

/*
 * Holds the lock of an entry until the ledger is closed; false where another
 * program does.  And does another?  A number below 0 is a turn of dp-gate.
 */
bool ledger_hold(struct ledger *l, int64_t number);
bool ledger_held(struct ledger *l, int64_t number);

void ledger_close(struct ledger *l);
