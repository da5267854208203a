/*
 * ledger_sqlite: SQLite's calls, behind pointers.
 *
 * Most releases have no ledger, and loading SQLite costs them a quarter of
 * their life (0.2 of 0.9 ms).  So the library is loaded by ledger_open and
 * ledger_create alone, unless it was linked (make SQLITE=linked).
 */
#ifndef LEDGER_SQLITE_H
#define LEDGER_SQLITE_H

#include <sqlite3.h>

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

/* Status 1 where there is no SQLite, or one that lacks a call. */
const struct sqlite *ledger_sqlite(void);

#endif
