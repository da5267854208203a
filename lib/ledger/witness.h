/*
 * witness: digests of a ledger's changes, kept in a file elsewhere.
 *
 * An older copy of a ledger that comes back lacks the changes since, and with
 * them the digests (ledger_chain.h).  The file has a digest on each line, the
 * last one last.
 */
#ifndef WITNESS_H
#define WITNESS_H

#include "ledger_sql.h"

/*
 * Ends the program with status 3 where the ledger lacks the file's last line,
 * and with status 1 where this is no digest.  An empty file knows nothing.
 */
void witness_check(struct ledger *l, const char *path);

/*
 * Adds the ledger's last digest, unless it is the last line; false, and nothing
 * added, where there is no room.
 */
bool witness_add(struct ledger *l, const char *path);

#endif
