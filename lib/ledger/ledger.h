/*
 * ledger: a privacy budget in an SQLite file, charged before anything is
 * printed.
 *
 * A charge is one transaction, synced to disk before it returns; so output
 * without a charge cannot be, and a charge without output (a crash between
 * the two) can only waste budget, never overspend it.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include "account.h"
#include "bound.h"
#include "tool/text.h"

#define LEDGER_WAIT 120000	/* ms to wait for another job's lock */
#define LEDGER_DATASET "default"

struct ledger;

/* What is asked of a ledger; all texts belong to the caller. */
struct charge {
	const char *dataset;	/* whose budget */
	const char *account;	/* who pays; NULL: nobody in particular */
	const char *column;	/* --slice COLUMN=VALUE, or both NULL */
	const char *value;
	const struct bound_set *bounds;
	struct rational amount;	/* epsilon of the whole release */
	const char *tool;
	const char *options;	/* one form for equal command lines */
	const char *report;	/* JSON of the release's public facts */
	const char *label;	/* or NULL */
	const char *id;		/* --release-id, or NULL */
};

enum ledger_answer {
	LEDGER_OK,		/* charged (or could be) */
	LEDGER_STORED,		/* this id was released: here are its bytes */
	LEDGER_REFUSED		/* and here is why, without a full stop */
};

/*
 * Opens an existing ledger to charge it.  A file that is missing, broken,
 * read-only, no ledger, or of a newer version ends the program with status 1,
 * one of an earlier version with status 3.
 */
struct ledger *ledger_open(const char *path);

/*
 * Looks for a release of c's id: LEDGER_STORED with its bytes in out, a
 * refusal where it was made with other options, or LEDGER_OK.
 */
enum ledger_answer ledger_find(struct ledger *l, const struct charge *c,
    struct text *out);

/*
 * The part of a budget that a charge concerns: what binds it, and what is
 * left.  Its texts last until ledger_purse_end.
 */
struct purse {
	struct bound_set bounds;
	struct account account;
	int64_t most;		/* slices that a person is in at most */
	struct rational slice;	/* charged to the slice so far */
	struct rational amount;	/* what the charge counts here */
	unsigned times;		/* so many times its epsilon */
	struct sqlite3_stmt *row;	/* that the texts are in */
};

/* Of a charge's data set, account and slice; without them status 1. */
void ledger_purse(struct ledger *l, const struct charge *c, struct purse *p);
void ledger_purse_end(struct purse *p);

/* Says what ledger_charge would, and changes nothing. */
enum ledger_answer ledger_ask(struct ledger *l, const struct charge *c,
    struct text *out);

/* Charges durably and, with an id, stores the bytes of the release. */
enum ledger_answer ledger_charge(struct ledger *l, const struct charge *c,
    const struct text *release, struct text *out);

void ledger_close(struct ledger *l);

#endif
