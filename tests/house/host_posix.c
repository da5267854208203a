/*
 * host_posix: lib/tool/host.c for a system that has POSIX and /dev/urandom.  A
 * process hides nothing here from others of the user, a container's own file
 * system and a file mounted by itself are not known, and records for a command
 * stand in /tmp, in a file without a name.
 */
#include "tool/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/err.h"
#include "tool/text.h"

void
host_random(void *buf, size_t n)
{
	static FILE *source;

	if (source == NULL && (source = fopen("/dev/urandom", "re")) != NULL)
		setvbuf(source, NULL, _IONBF, 0);
	if (source == NULL || fread(buf, 1, n, source) != n)
		err_die(STATUS_ENTROPY, "the kernel gives no random bytes");
}

void
host_guard(void)
{
}

void
host_touch(void *at, size_t n)
{
	(void)at;
	(void)n;
}

unsigned
host_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (unsigned)n : 1;
}

uint64_t
host_used(void)
{
	return 0;
}

uint64_t
host_room(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(
	    _SC_PAGESIZE);
}

/* Where PATH has it. */
char *
host_beside(const char *tool)
{
	return err_copy(tool, strlen(tool));
}

/* Between the calls another thread's command may inherit an end for a while. */
int
host_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return -1;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

int
host_file(void)
{
	char path[] = "/tmp/dputils.XXXXXX";
	int fd = mkstemp(path);

	if (fd >= 0) {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	return fd;
}

/*
 * The lock is the process's, and SQLite, as it ends its own locks on the
 * ledger, ends all that the process has there: another file beside it.
 */
int
host_lock_file(const char *path)
{
	struct text t = TEXT_INIT;
	char *beside;
	int fd;

	text_printf(&t, "%s-entries", path);
	beside = text_string(&t);
	fd = open(beside, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)		/* who may read alone can look at locks */
		fd = open(beside, O_RDONLY | O_CLOEXEC);
	free(beside);
	return fd;
}

int
host_lock(int fd, bool take, struct flock *bytes)
{
	return fcntl(fd, take ? F_SETLK : F_GETLK, bytes);
}

bool
host_forgets(const char *path)
{
	(void)path;
	return false;
}

bool
host_mounted(const char *path)
{
	(void)path;
	return false;
}
