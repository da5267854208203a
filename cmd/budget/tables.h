/* tables: the tables of a ledger, and those of version 1. */
#ifndef TABLES_H
#define TABLES_H

#include "ledger/ledger_sql.h"

/*
 * Makes the tables of this version, in an empty file or (old) from those of
 * version 1, within a transaction of the caller.  To look, they last as long
 * as the connection and shadow the file.
 */
void tables_make(struct ledger *l, bool old, bool look);

#endif
