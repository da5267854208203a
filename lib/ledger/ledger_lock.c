/* ledger_lock: which entries have a program that runs. */
#include "ledger.h"

#include <errno.h>

#include "ledger_sql.h"
#include "tool/err.h"
#include "tool/host.h"

/*
 * An entry's byte, far behind the bytes that SQLite locks, the end of the file,
 * and the turns of dp-gate.
 */
#define ENTRIES ((off_t)1 << 41)

/*
 * A lock ends with the descriptor, and so with the process, however the process
 * ends.  The lock is of the open file: another descriptor of the process that
 * is closed would not end it.  But closing this one ends all locks that SQLite
 * has, so it stays open until ledger_close.
 */
static int
lock_file(struct ledger *l)
{
	if (l->fd < 0)
		l->fd = host_lock_file(l->path);
	if (l->fd < 0)
		err_sys("ledger %s", l->path);
	return l->fd;
}

static struct flock
byte_of(int64_t number)
{
	return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET,
	    .l_start = ENTRIES + (off_t)number, .l_len = 1 };
}

bool
ledger_hold(struct ledger *l, int64_t number)
{
	struct flock byte = byte_of(number);

	if (host_lock(lock_file(l), true, &byte) == 0)
		return true;
	if (errno != EAGAIN && errno != EACCES)
		err_sys("ledger %s: its lock", l->path);
	return false;
}

bool
ledger_held(struct ledger *l, int64_t number)
{
	struct flock byte = byte_of(number);

	if (host_lock(lock_file(l), false, &byte) != 0)
		err_sys("ledger %s: its lock", l->path);
	return byte.l_type != F_UNLCK;
}
