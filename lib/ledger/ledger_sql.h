/*
 * ledger_sql: a ledger's tables, every statement on the tables, and SQLite
 * calls that succeed or end the program.  Columns and parameters go by name.
 */
#pragma once

#include <sqlite3.h>

#include "number/fixed.h"
#include "tool/text.h"

struct ledger {
	sqlite3 *db;
	const char *path;
	int fd;			/* of the entries' locks; -1: not open */
	int64_t entry;		/* being paid for by this program; 0: none */
	bool create;		/* may the file be empty? */
	bool old;		/* the tables are those of ledger_old.h */
};

/*
 * An entry's state.  A charge is open until its output was made, or until the
 * curator closed it; other entries are settled from the first.
 */
enum entry_state { ENTRY_OPEN, ENTRY_SETTLED, ENTRY_CLOSED };

/* The statements; ledger_sql.c has the parameters' names. */
enum sql {
	SQL_LOOK, SQL_LOCK, SQL_COMMIT, SQL_ROLLBACK,
	SQL_FIND, SQL_PURSE, SQL_PAY, SQL_PAY_SLICE, SQL_ENTER,
	SQL_ENTRY, SQL_END_ENTRY, SQL_OPEN_ENTRIES,
	SQL_NEW_BUDGET, SQL_NEW_ACCOUNT, SQL_SET_BUDGET, SQL_SET_SCHEMA,
	SQL_SET_ACCOUNT,
	SQL_BUDGETS, SQL_ACCOUNTS, SQL_SLICES, SQL_CHARGES, SQL_LOG,
	SQL_CHAIN_ADD, SQL_CHAIN_LAST, SQL_CHAIN_FIND, SQL_KEY, SQL_NEW_KEY,
	/* ledger_old.c */
	SQL_OLD_ENTRIES, SQL_OLD_OPTIONS, SQL_OLD_OUTPUT,
	SQL_STATEMENTS
};

/*
 * Opens the file; status 1 where place_check finds a fault.  Flags as in
 * SQLite.
 */
struct ledger *sql_open(const char *path, int flags);

/* The same to look only, in a transaction that the caller ends. */
struct ledger *sql_open_look(const char *path);

/*
 * Status 1 for a file that is no ledger, of a newer version, or with foreign
 * tables; 3 for a version before dputils 1.0.0.  Opened to be created, an empty
 * file gets its tables.
 */
void sql_check(struct ledger *l);

/* Makes the tables, and the secret key. */
void sql_tables(struct ledger *l);

/* Status 1 with SQLite's reason. */
_Noreturn void sql_die(struct ledger *l);

/* A statement with pairs of names and texts (NULL is SQL's), and NULL. */
sqlite3_stmt *sql_prepare(struct ledger *l, enum sql which, ...);
void sql_bind(struct ledger *l, sqlite3_stmt *q, const char *name,
    const char *text);
void sql_bind_bytes(struct ledger *l, sqlite3_stmt *q, const char *name,
    const struct text *bytes);

/* Steps to the next row; false without a row. */
bool sql_row(struct ledger *l, sqlite3_stmt *q);

/* Steps a statement that returns nothing, and frees the statement. */
void sql_done(struct ledger *l, sqlite3_stmt *q);

/*
 * Ends an open entry, and keeps its output unless NULL; status 3 where the
 * entry was closed.
 */
void sql_end_entry(struct ledger *l, int64_t number, enum entry_state state,
    const struct text *output);

/* Statements that return nothing. */
void sql_script(struct ledger *l, const char *script);

/* A statement without parameters. */
void sql_run(struct ledger *l, enum sql which);

/* The column with this name; sql_word gives "" for SQL's NULL. */
const char *sql_text(sqlite3_stmt *q, const char *name);
const char *sql_word(sqlite3_stmt *q, const char *name);
int64_t sql_number(sqlite3_stmt *q, const char *name);

/*
 * A fraction, stored in the form of rational_fraction, since SQLite's numbers
 * would round the fraction.
 */
struct rational sql_rational(struct ledger *l, sqlite3_stmt *q,
    const char *name);

/*
 * ledger_place.c: where a ledger may stand.  Whoever may write a ledger's
 * folder may put a journal beside the ledger, and SQLite would play the journal
 * back: the charges would be gone.  So a ledger has one user who writes, its
 * owner, and root.
 *
 * Ends the program with status 1 for a file that is no regular file, is mounted
 * by itself, ends with its container, or, to be written, has two names; and
 * where others than root and the owner may write the file, its folder, a
 * journal, or, to be written, the folder of a link to it.  The file may be to
 * be made.
 */
void place_check(const char *path, bool writing);

/*
 * Makes the file where it is missing: its owner's alone, whatever the umask.
 * What root makes in a user's folder is this user's.
 */
void place_make(const char *path);

/* Syncs the folder, so that no journal comes back. */
void place_sync(const char *path);
