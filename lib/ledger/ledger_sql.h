/*
 * ledger_sql: SQLite calls that succeed or end the program; ledger only.
 *
 * Most releases have no ledger, and loading SQLite costs them a quarter of
 * their life (0.2 of 0.9 ms).  So its calls stand behind pointers and the
 * library is loaded by sql_open alone, unless it was linked (make
 * SQLITE=linked).
 */
#ifndef LEDGER_SQL_H
#define LEDGER_SQL_H

#include <sqlite3.h>

#include "number/fixed.h"

#define LEDGER_VERSION 2
#define LEDGER_APPLICATION 0x64707574	/* "dput": marks the file as ours */

/* What is called, as CALL(name without sqlite3_). */
#define SQLITE_CALLS(CALL) \
	CALL(bind_blob64) \
	CALL(bind_text) \
	CALL(busy_timeout) \
	CALL(close) \
	CALL(column_blob) \
	CALL(column_bytes) \
	CALL(column_int64) \
	CALL(column_text) \
	CALL(errmsg) \
	CALL(exec) \
	CALL(finalize) \
	CALL(open_v2) \
	CALL(prepare_v2) \
	CALL(step)

#define SQLITE_POINTER(name) __typeof__(sqlite3_##name) *(name);

struct sqlite {
	SQLITE_CALLS(SQLITE_POINTER)
};

struct ledger {
	sqlite3 *db;
	const char *path;
	const struct sqlite *sqlite;
};

/*
 * Opens the file; settings are those of every ledger.  Flags as by SQLite.
 * Status 1 where there is no SQLite, or one that lacks a call.
 */
struct ledger *sql_open(const char *path, int flags);

/*
 * The version of a ledger, `least' or later; an earlier one is refused.  Status
 * 1 for a version that is not known and for a file that is no ledger.
 */
int64_t sql_version(struct ledger *l, int64_t least);

/* Status 1 with SQLite's reason. */
_Noreturn void sql_die(struct ledger *l);

void sql_run(struct ledger *l, const char *sql);

/* A statement with n texts, NULL for SQL's, in place of its question marks. */
sqlite3_stmt *sql_prepare(struct ledger *l, const char *sql, int n, ...);

/* Steps to the next row; false when there is none. */
bool sql_row(struct ledger *l, sqlite3_stmt *q);

/* Steps a statement that returns nothing, and frees it. */
void sql_done(struct ledger *l, sqlite3_stmt *q);

/* A text column; sql_column gives "" for SQL's NULL. */
const char *sql_text(struct ledger *l, sqlite3_stmt *q, int at);
const char *sql_column(struct ledger *l, sqlite3_stmt *q, int at);

/*
 * A fraction, which is stored as rational_fraction writes it, since SQLite's
 * numbers would round it.
 */
struct rational sql_rational(struct ledger *l, sqlite3_stmt *q, int at);

#endif
