/*
 * ledger_old: ledgers of version 4, which dputils 1.0.0 made.
 *
 * They are looked at as they are, and become of the present version when they
 * are first opened for a charge or a change.
 */
#ifndef LEDGER_OLD_H
#define LEDGER_OLD_H

#include "ledger_sql.h"

#define OLD_VERSION 4

extern const char old_tables[];		/* as sqlite_master has them */

/* Views with the columns that old tables lack take their names. */
void old_show(struct ledger *l);

/*
 * Within a transaction: makes the tables anew, and keeps all that is in them,
 * but for the private operands of laplace value, which are overwritten.  Ends
 * the program with status 1 while one of 1.0.0 is under a charge.
 */
void old_renew(struct ledger *l);

#endif
