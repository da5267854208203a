/* ledger_tables: the tables of a ledger, and those of older ones. */
#ifndef LEDGER_TABLES_H
#define LEDGER_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger_sql.h"

#define LEDGER_APPLICATION 0x64707574	/* "dput": marks the file as ours */

/*
 * Version 1 or LEDGER_VERSION; any other ends the program with words.
 */
int64_t ledger_version(struct ledger *l);

/* Makes the tables in an empty file, within a transaction of the caller. */
void ledger_make_tables(struct ledger *l);

/*
 * Turns the tables of version 1 into those of this version, within a
 * transaction of the caller.  To look, copies are made that last as long as
 * the connection and shadow the file.
 */
void ledger_upgrade(struct ledger *l, bool look);

#endif
