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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "account.h"

#define LEDGER_VERSION 1
#define LEDGER_WAIT 120000	/* ms to wait for another job's lock */
#define LEDGER_DATASET "default"

struct ledger;

/* What is asked of a ledger; all texts belong to the caller. */
struct charge {
	const char *dataset;	/* whose budget */
	struct rational amount;
	const char *tool;
	const char *options;	/* one form for equal command lines */
	const char *report;	/* JSON of the release's public facts */
	const char *label;	/* or NULL */
	const char *id;		/* --release-id, or NULL */
};

enum ledger_answer {
	LEDGER_OK,		/* charged (or could be) */
	LEDGER_STORED,		/* this id was released: here are its bytes */
	LEDGER_SPENT,		/* not enough left */
	LEDGER_OTHER		/* this id was released with other options */
};

/*
 * Opens an existing ledger.  A file that is missing, broken, read-only, no
 * ledger, or of a newer version ends the program with status 1.
 */
struct ledger *ledger_open(const char *path);

/* Makes the file, or adds a data set to it; status 1 where it exists. */
void ledger_create(const char *path, const char *dataset,
    struct rational total);

/*
 * Looks for a release of c's id: LEDGER_STORED with its bytes, LEDGER_OTHER, or
 * LEDGER_OK where there is none.
 */
enum ledger_answer ledger_find(struct ledger *l, const struct charge *c,
    char **out, size_t *len);

/*
 * Says what ledger_charge would, and changes nothing.  On LEDGER_STORED *out
 * and *len are the stored bytes, for the caller to free.
 */
enum ledger_answer ledger_ask(struct ledger *l, const struct charge *c,
    char **out, size_t *len);

/* Charges durably and, with an id, stores the bytes *out of length *len. */
enum ledger_answer ledger_charge(struct ledger *l, const struct charge *c,
    char **out, size_t *len);

/* One data set's account and its number of releases, in order of names. */
struct ledger_budget {
	char *dataset;
	struct account account;
	uint64_t releases;
	struct ledger_budget *next;
};

/* One charge, in order of time. */
struct ledger_entry {
	const char *time, *dataset, *tool, *label, *id, *report;
	struct rational amount;
	int64_t number;
};

/* All data sets; free with ledger_free_budgets. */
struct ledger_budget *ledger_budgets(struct ledger *l);
void ledger_free_budgets(struct ledger_budget *b);

/* Calls entry for every charge; the texts live as long as the call. */
void ledger_log(struct ledger *l,
    void (*entry)(void *arg, const struct ledger_entry *e), void *arg);

void ledger_close(struct ledger *l);

#endif
