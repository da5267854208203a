/* ledger_place: where a ledger may stand, and who holds its entries. */
#include "ledger_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ledger.h"
#include "tool/err.h"
#include "tool/host.h"

/* The path without links, as far as there is a file; the caller's. */
static char *
place_real(const char *path)
{
	char *real = realpath(path, NULL);

	return real != NULL ? real : err_copy(path, strlen(path));
}

/* The folder's path; the caller's. */
static char *
place_folder(const char *path)
{
	char *real = place_real(path), *name = dirname(real);
	char *folder = err_copy(name, strlen(name));

	free(real);
	return folder;
}

/* A sticky folder keeps files, and takes new ones all the same. */
static void
refuse_others(const char *path, const char *what, const struct stat *s,
    uid_t owner)
{
	if ((s->st_uid != 0 && s->st_uid != owner) ||
	    (s->st_mode & (S_IWGRP | S_IWOTH)) != 0)
		err_die(STATUS_INPUT, "ledger %s: others may write to %s, by "
		    "which charges could get lost; only root and the ledger's "
		    "owner may (chmod go-w, chown, or a folder of its own)",
		    path, what);
}

static void
check_journals(const char *path, uid_t owner)
{
	static const char *const ends[] = { "-journal", "-wal", "-shm" };
	char *real = place_real(path);
	struct stat s;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct text name = TEXT_INIT;

		text_printf(&name, "%s%s", real, ends[i]);
		if (lstat(name.buf, &s) == 0) {
			if (!S_ISREG(s.st_mode))
				err_die(STATUS_INPUT, "ledger %s: %s is not a "
				    "regular file", path, name.buf);
			refuse_others(path, name.buf, &s, owner);
		}
		text_free(&name);
	}
	free(real);
}

/*
 * A container's own file system forgets its changes with the container, and
 * the next one begins with an unspent copy.
 *
 * The journal that a killed job leaves stands beside the name in use: a second
 * name for the file, or a mount of the file alone, is not beside the journal,
 * and charges by further jobs are undone or lost.
 */
static void
check_file(const char *path, const struct stat *file, bool writing)
{
	if (!S_ISREG(file->st_mode))
		err_die(STATUS_INPUT, "ledger %s: not a regular file", path);
	if (host_mounted(path))
		err_die(STATUS_INPUT, "ledger %s: the file is mounted by "
		    "itself, by which charges could get lost; mount its folder",
		    path);
	if (writing && file->st_nlink > 1)
		err_die(STATUS_INPUT, "ledger %s: the file has another name (a "
		    "hard link), by which charges could get lost", path);
	refuse_others(path, path, file, file->st_uid);
}

/* Who may put another link in the place of a link turns charges to another
   budget; a sticky folder keeps the link. */
static void
check_link(const char *path, uid_t owner)
{
	char *copy = err_copy(path, strlen(path)), *folder = dirname(copy);
	struct stat link, s;

	if (lstat(path, &link) == 0 && S_ISLNK(link.st_mode) &&
	    stat(folder, &s) == 0) {
		if ((s.st_mode & S_ISVTX) != 0 &&
		    (link.st_uid == 0 || link.st_uid == owner))
			s.st_mode &= ~(mode_t)(S_IWGRP | S_IWOTH);
		refuse_others(path, folder, &s, owner);
	}
	free(copy);
}

void
place_check(const char *path, bool writing)
{
	char *folder = place_folder(path);
	bool there;
	struct stat file, s;
	uid_t owner = geteuid();

	if (host_forgets(path))
		err_die(STATUS_INPUT, "ledger %s: it stands in the image of a "
		    "container, whose copy forgets charges; keep it on a "
		    "volume, and mount its folder", path);
	there = stat(path, &file) == 0;
	if (there) {
		check_file(path, &file, writing);
		owner = file.st_uid;
	}
	/* without a folder SQLite says why */
	if (stat(folder, &s) == 0) {
		if (!there && owner == 0)	/* it will be the folder's */
			owner = s.st_uid;
		refuse_others(path, folder, &s, owner);
	}
	if (writing)
		check_link(path, owner);
	check_journals(path, owner);
	free(folder);
}

void
place_make(const char *path)
{
	char *folder = place_folder(path);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
	    S_IRUSR | S_IWUSR);
	struct stat s;

	if (fd < 0 && errno != EEXIST)
		err_sys("ledger %s", path);
	if (fd >= 0 && geteuid() == 0 && stat(folder, &s) == 0 &&
	    s.st_uid != 0 && fchown(fd, s.st_uid, (gid_t)-1) != 0)
		err_sys("ledger %s", path);
	if (fd >= 0)
		close(fd);
	free(folder);
}

void
place_sync(const char *path)
{
	char *folder = place_folder(path);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) != 0)
		err_sys("ledger %s: its folder", path);
	close(fd);
	free(folder);
}

/* --- which entries have a program that runs ------------------------------ */

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
	/* whoever may read alone has locks for reading, and runs no entry */
	if (host_lock(l->fd, take, &byte) == 0)
		return take || byte.l_type != F_WRLCK;
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
