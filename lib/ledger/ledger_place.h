/*
 * ledger_place: where a ledger may stand.
 *
 * Whoever may write a ledger's folder may put a journal beside the ledger, and
 * SQLite would play the journal back: the charges would be gone.  So a ledger
 * has one user who writes, its owner, and root.
 */
#ifndef LEDGER_PLACE_H
#define LEDGER_PLACE_H

#include <stdbool.h>

/*
 * Ends the program with status 1 for a file that is no regular file, is mounted
 * by itself, ends with its container, or, to be written, has two names; and
 * where others than root and the owner may write the file, its folder, or a
 * journal.  The file may be to be made.
 */
void place_check(const char *path, bool writing);

/*
 * Makes the file where it is missing: its owner's alone, whatever the umask.
 * What root makes in a user's folder is this user's.
 */
void place_make(const char *path);

/* Syncs the folder, so that no journal comes back. */
void place_sync(const char *path);

#endif
