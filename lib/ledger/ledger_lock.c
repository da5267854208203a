/* ledger_lock: which entries have a program that runs. */
#include "ledger.h"

#include <errno.h>
#include <time.h>

#include "ledger_sql.h"
#include "tool/err.h"
#include "tool/host.h"

/*
 * An entry's byte, far after the bytes that SQLite locks and the end of the
 * file.
 */
#define ENTRIES ((off_t)1 << 41)
#define TICK 20		/* ms */

/*
 * Tries a lock on a byte, or looks who has it; false where another has.
 *
 * A lock ends with the descriptor, and so with the process, however the process
 * ends.  The lock is of the open file: another descriptor of the process that
 * is closed would not end it.  But closing this one ends all locks that SQLite
 * has, so it stays open until ledger_close.
 */
static bool
lock_byte(struct ledger *l, bool take, off_t at)
{
	struct flock byte = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
	    .l_start = at, .l_len = 1 };

	if (l->fd < 0)
		l->fd = host_lock_file(l->path);
	if (l->fd < 0)
		err_sys("ledger %s", l->path);
	if (host_lock(l->fd, take, &byte) == 0)
		return take || byte.l_type == F_UNLCK;
	if (errno != EAGAIN && errno != EACCES)
		err_sys("ledger %s: its lock", l->path);
	return false;
}

bool
ledger_hold(struct ledger *l, int64_t number)
{
	return lock_byte(l, true, ENTRIES + (off_t)number);
}

bool
ledger_held(struct ledger *l, int64_t number)
{
	return !lock_byte(l, false, ENTRIES + (off_t)number);
}

bool
ledger_tick(int *ms, int most)
{
	nanosleep(&(struct timespec){ .tv_nsec = TICK * 1000000 }, NULL);
	*ms += TICK;
	return *ms < most;
}
