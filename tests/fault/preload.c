/*
 * preload: makes one call of a program fail; for tests/fault/run.
 *
 * The environment says which: FAULT_CALL is one of the names below, FAULT_AT
 * the number of the first call that fails (from 1), FAULT_MORE is set when
 * all later ones fail as well, FAULT_ERRNO is what they fail with, FAULT_FD a
 * descriptor that gets one byte for each failure, and a second one where
 * later calls would fail with FAULT_MORE; FAULT_NAME the program that is meant
 * (what it starts is left alone).  FAULT_CALL "short" makes every
 * read, write and getrandom slow instead: interrupted every second time, and
 * a few bytes long when not; "half" makes write number FAULT_AT to standard
 * output write half of what it should, and all later ones fail.  "log" lets all
 * be, and writes to FAULT_FD what becomes of files, for tests/fault/cuts; the
 * program is killed before its sync number FAULT_AT.
 *
 * Counting begins when the program does, not with the loader.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOW 7		/* bytes at a time */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static char call[32];
static long at, seen, slowed;
static int error = EIO, note = -1;
static bool more, slow, half, logs;

__attribute__((constructor))
static void
begin(void)
{
	const char *name = getenv("FAULT_CALL"), *tool = getenv("FAULT_NAME");
	const char *text;

	if (name == NULL || tool == NULL ||
	    strcmp(tool, program_invocation_short_name) != 0)
		return;
	if ((text = getenv("FAULT_AT")) != NULL)
		at = atol(text);
	if ((text = getenv("FAULT_ERRNO")) != NULL)
		error = atoi(text);
	if ((text = getenv("FAULT_FD")) != NULL)
		note = atoi(text);
	more = getenv("FAULT_MORE") != NULL;
	slow = strcmp(name, "short") == 0;
	half = strcmp(name, "half") == 0;
	logs = strcmp(name, "log") == 0;
	strncpy(call, name, sizeof(call) - 1);
}

/* Lines `what path offset bytes', and behind each its bytes. */
static void
tell(char what, int fd, const char *path, off_t offset, const void *data,
    size_t n)
{
	char line[4300], link[32], name[4096] = "";
	int len;

	if (!logs)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (path == NULL && readlink(link, name, sizeof(name) - 1) > 0)
		path = name;
	len = snprintf(line, sizeof(line), "%c\t%s\t%lld\t%zu\n", what,
	    path != NULL ? path : "", (long long)offset, n);
	syscall(SYS_write, note, line, (size_t)len);
	if (n > 0)
		syscall(SYS_write, note, data, n);
}

/* Does this call of `name` fail? */
static bool
fails(const char *name)
{
	long k;

	if (strcmp(call, name) != 0)
		return false;
	k = __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED);
	if (note >= 0 && (k == at || k == at + 1))
		syscall(SYS_write, note, "!", 1);
	if (k < at || (k > at && !more))
		return false;
	errno = error;
	return true;
}

/* Is this call interrupted?  If not, *n becomes small. */
static bool
hinders(size_t *n)
{
	if (!slow)
		return false;
	if (++slowed % 2 == 1) {
		errno = EINTR;
		return true;
	}
	if (*n > SLOW)
		*n = SLOW;
	return false;
}

void *
malloc(size_t size)
{
	return fails("malloc") ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails("malloc") ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return fails("malloc") ? NULL : __libc_realloc(old, size);
}

ssize_t
read(int fd, void *buf, size_t n)
{
	if (fails("read") || hinders(&n))
		return -1;
	if (fd == STDIN_FILENO)
		tell('r', fd, NULL, 0, NULL, 0);
	return syscall(SYS_read, fd, buf, n);
}

ssize_t
pread64(int fd, void *buf, size_t n, off_t offset)
{
	return fails("read") ? -1 : syscall(SYS_pread64, fd, buf, n, offset);
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	if (half && fd == STDOUT_FILENO) {
		if (++seen > at) {
			errno = ENOSPC;
			return -1;
		}
		if (seen == at) {
			syscall(SYS_write, note, "!", 1);
			n = (n + 1) / 2;
		}
	}
	if (fails("write") || hinders(&n))
		return -1;
	if (fd == STDOUT_FILENO)
		tell('p', fd, NULL, 0, buf, n);
	return syscall(SYS_write, fd, buf, n);
}

ssize_t
pwrite64(int fd, const void *buf, size_t n, off_t offset)
{
	tell('w', fd, NULL, offset, buf, n);
	return fails("write") ? -1 : syscall(SYS_pwrite64, fd, buf, n, offset);
}

int
fsync(int fd)
{
	if (logs && ++seen == at)
		raise(SIGKILL);
	tell('s', fd, NULL, 0, NULL, 0);
	return fails("sync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int
ftruncate64(int fd, off_t n)
{
	tell('t', fd, NULL, n, NULL, 0);
	return fails("truncate") ? -1 : (int)syscall(SYS_ftruncate, fd, n);
}

int
unlink(const char *path)
{
	tell('u', -1, path, 0, NULL, 0);
	return fails("unlink") ? -1 : (int)syscall(SYS_unlink, path);
}

int
open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (fails("open"))
		return -1;
	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
		tell('c', -1, path, 0, NULL, 0);
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int
close(int fd)
{
	int done = (int)syscall(SYS_close, fd);

	return fails("close") ? -1 : done;
}

ssize_t
getrandom(void *buf, size_t n, unsigned flags)
{
	if (fails("getrandom") || hinders(&n))
		return -1;
	return syscall(SYS_getrandom, buf, n, flags);
}

FILE *
fopen64(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *);

	if (fails("open"))
		return NULL;
	*(void **)&real = dlsym(RTLD_NEXT, "fopen64");
	return real(path, mode);
}

/* The flag that ferror looks at is part of the C library's own layout. */
size_t
fread(void *buf, size_t size, size_t n, FILE *f)
{
	size_t (*real)(void *, size_t, size_t, FILE *);

	if (fails("read")) {
		f->_flags |= 0x20;
		return 0;
	}
	*(void **)&real = dlsym(RTLD_NEXT, "fread");
	return real(buf, size, n, f);
}

int
pipe2(int fd[2], int flags)
{
	return fails("pipe") ? -1 : (int)syscall(SYS_pipe2, fd, flags);
}

/* What runs after the program, such as counters of coverage, is let alone. */
void
exit(int status)
{
	void (*real)(int);

	call[0] = '\0';
	slow = half = false;
	*(void **)&real = dlsym(RTLD_NEXT, "exit");
	real(status);
	__builtin_unreachable();
}

int
memfd_create(const char *name, unsigned flags)
{
	return fails("memfd") ? -1 :
	    (int)syscall(SYS_memfd_create, name, flags);
}

int
posix_spawnp(pid_t *pid, const char *file,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
    char *const argv[], char *const envp[])
{
	int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	    const posix_spawnattr_t *, char *const [], char *const []);

	if (fails("spawn"))
		return error;
	*(void **)&real = dlsym(RTLD_NEXT, "posix_spawnp");
	return real(pid, file, actions, attr, argv, envp);
}

/* The same calls by their other names. */
#define ALIAS(of) __attribute__((alias(#of)))
ssize_t pread(int fd, void *buf, size_t n, off_t offset) ALIAS(pread64);
ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
    ALIAS(pwrite64);
int fdatasync(int fd) ALIAS(fsync);
int ftruncate(int fd, off_t n) ALIAS(ftruncate64);
int open(const char *path, int flags, ...) ALIAS(open64);
FILE *fopen(const char *path, const char *mode) ALIAS(fopen64);
