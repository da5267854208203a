/* ledger_tables: the tables of a ledger, and those of older ones. */
#ifndef LEDGER_TABLES_H
#define LEDGER_TABLES_H

#include "ledger_sql.h"

#define LEDGER_APPLICATION 0x64707574	/* "dput": marks the file as ours */

/*
 * Version 1 or LEDGER_VERSION; any other, and a file that is no ledger, ends
 * the program with words.
 */
int64_t ledger_version(struct ledger *l);

/*
 * Makes the tables of this version, in an empty file or from those of version
 * 1, within a transaction of the caller.  To look, they last as long as the
 * connection and shadow the file.
 */
void ledger_tables(struct ledger *l, bool look);

#endif
