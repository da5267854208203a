/*
 * ledger_old: ledgers of version 4, which dputils 1.0.0 made.
 *
 * They are looked at as they are, and become of the present version when they
 * are first opened for a charge or a change.
 */
#pragma once

#include "ledger_sql.h"

#define OLD_VERSION 4

/*
 * The tables of version 4, as sqlite_master has them.  The present ones begin
 * with the same columns.
 */
#define OLD_DATA_SET \
	"CREATE TABLE data_set (name TEXT PRIMARY KEY," \
	" neighbors TEXT NOT NULL, metric TEXT, domain TEXT, public TEXT," \
	" unit TEXT, weight TEXT, slices TEXT, delimiter TEXT, header TEXT," \
	" max_slices INTEGER, sampled TEXT, population TEXT," \
	" total TEXT NOT NULL, created TEXT NOT NULL"
#define OLD_PARTS \
	"CREATE TABLE account (data_set TEXT NOT NULL" \
	" REFERENCES data_set(name), name TEXT NOT NULL, total TEXT NOT NULL," \
	" whole TEXT NOT NULL, top TEXT NOT NULL, releases INTEGER NOT NULL," \
	" PRIMARY KEY (data_set, name));" \
	"CREATE TABLE slice (data_set TEXT NOT NULL, account TEXT NOT NULL," \
	" value TEXT NOT NULL, spent TEXT NOT NULL," \
	" PRIMARY KEY (data_set, account, value)," \
	" FOREIGN KEY (data_set, account) REFERENCES account(data_set, name));"
#define OLD_ENTRY \
	"CREATE TABLE entry (number INTEGER PRIMARY KEY," \
	" state INTEGER NOT NULL, time TEXT NOT NULL," \
	" data_set TEXT NOT NULL REFERENCES data_set(name)," \
	" account TEXT NOT NULL, verb TEXT NOT NULL, tool TEXT NOT NULL," \
	" asked TEXT NOT NULL, amount TEXT NOT NULL, neighbors TEXT," \
	" slice TEXT, options TEXT, report TEXT, label TEXT, id TEXT," \
	" output BLOB"
#define OLD_TABLES \
	OLD_DATA_SET ");" OLD_PARTS OLD_ENTRY ", UNIQUE (data_set, id));"

/* Views with the columns that old tables lack take their names. */
void old_show(struct ledger *l);

/*
 * Within a transaction: makes the tables anew, and keeps all that is in them,
 * but for the private operands of laplace value, which are overwritten.  Ends
 * the program with status 1 while one of 1.0.0 is under a charge.
 */
void old_renew(struct ledger *l);
