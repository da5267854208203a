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
#pragma once

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

/*
 * witness.c: digests kept in a file elsewhere, one on each line, the last one
 * last.  An older copy of a ledger that comes back lacks the changes since, and
 * with them the digests.
 *
 * Ends the program with status 3 where the ledger lacks the file's last line,
 * and with status 1 where this is no digest, or the file no regular one, such
 * as /dev/null, which keeps nothing.  An empty file knows nothing.
 */
void witness_check(struct ledger *l, const char *path);

/*
 * Adds the ledger's last digest, unless it is the last line; false, and nothing
 * added, where there is no room.
 */
bool witness_add(struct ledger *l, const char *path);
