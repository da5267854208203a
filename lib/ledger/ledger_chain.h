/*
 * ledger_chain: a ledger's past, and its secret key.
 *
 * Each change of a ledger is a row of the chain: an entry that was made, or an
 * entry that was settled or closed.  A row has the SHA-256 of the row before
 * and of the entry as it was then, so that a digest that was once told names
 * all that had happened.  A copy from before does not have it.
 *
 * The first row has, in the place of a row before, a digest of the ledger's
 * secret key, so that two ledgers share no digest.
 */
#ifndef LEDGER_CHAIN_H
#define LEDGER_CHAIN_H

#include "ledger_sql.h"
#include "tool/digest.h"

/* Makes the ledger's secret key. */
void chain_begin(struct ledger *l);

/* Adds the present state of an entry. */
void chain_add(struct ledger *l, int64_t number);

/*
 * The last digest, in buf, which is returned; "" where nothing was changed
 * since dputils 1.0.0, which kept no chain.
 */
char *chain_last(struct ledger *l, char *buf);

/* Is this the digest of a row? */
bool chain_has(struct ledger *l, const char *digest);

/*
 * A digest of a text that only this ledger can make; in buf, which is
 * returned.  NULL for NULL.
 */
char *chain_keyed(struct ledger *l, const char *text, char *buf);

#endif
