/*
 * ledger_sql: the tables of a ledger, all that is asked of them, and calls of
 * SQLite that succeed or end the program.  Columns and parameters go by name.
 */
#ifndef LEDGER_SQL_H
#define LEDGER_SQL_H

#include <sqlite3.h>

#include "number/fixed.h"

struct ledger {
	sqlite3 *db;
	const char *path;
};

/* What is asked; the names of parameters stand in ledger_sql.c. */
enum sql {
	SQL_LOOK, SQL_LOCK, SQL_COMMIT, SQL_ROLLBACK,
	SQL_FIND, SQL_PURSE, SQL_PAY, SQL_PAY_SLICE, SQL_ENTER,
	SQL_NEW_BUDGET, SQL_NEW_ACCOUNT, SQL_SET_BUDGET, SQL_SET_ACCOUNT,
	SQL_BUDGETS, SQL_ACCOUNTS, SQL_SLICES, SQL_LOG,
	SQL_STATEMENTS
};

/*
 * Opens the file, which is regular, no mount of its own and, to be written,
 * has one name; else status 1.  Flags as by SQLite.
 */
struct ledger *sql_open(const char *path, int flags);

/*
 * Status 1 for a file that is no ledger, of a newer version, or with tables
 * that are not ours; 3 for one of an earlier version.  Makes the tables of an
 * empty file where it shall.
 */
void sql_check(struct ledger *l, bool make);

/* Status 1 with SQLite's reason. */
_Noreturn void sql_die(struct ledger *l);

/* A statement with pairs of names and texts (NULL is SQL's), and NULL. */
sqlite3_stmt *sql_prepare(struct ledger *l, enum sql which, ...);
void sql_bind(struct ledger *l, sqlite3_stmt *q, const char *name,
    const char *text);

/* Steps to the next row; false when there is none. */
bool sql_row(struct ledger *l, sqlite3_stmt *q);

/* Steps a statement that returns nothing, and frees it. */
void sql_done(struct ledger *l, sqlite3_stmt *q);

/* A statement without parameters. */
void sql_run(struct ledger *l, enum sql which);

/* The column of this name; sql_word gives "" for SQL's NULL. */
const char *sql_text(sqlite3_stmt *q, const char *name);
const char *sql_word(sqlite3_stmt *q, const char *name);
int64_t sql_number(sqlite3_stmt *q, const char *name);

/*
 * A fraction, which is stored as rational_fraction writes it, since SQLite's
 * numbers would round it.
 */
struct rational sql_rational(struct ledger *l, sqlite3_stmt *q,
    const char *name);

#endif
