/* host: the one source of the library that asks for more than POSIX. */
#define _GNU_SOURCE 1
#include "host.h"

#include <errno.h>
#include <libgen.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "err.h"
#include "number/fixed.h"

#define PAGES 65536	/* bytes that have pages of their own */
#define OVERLAY 0x794c7630	/* the word for an overlay file system */
#define MOUNTED 0x2000	/* the mark of the root of a mount */

/* Requests above 256 bytes may come back short or interrupted. */
void
host_random(void *buf, size_t n)
{
	size_t have = 0;
	ssize_t got;

	while (have < n) {
		got = getrandom((char *)buf + have, n - have, 0);
		if (got > 0)
			have += (size_t)got;
		else if (got == 0 || errno != EINTR)
			err_die(STATUS_ENTROPY,
			    "the kernel gives no random bytes");
	}
}

/* NULL where there is no such file, or not for us. */
static FILE *
host_open(const char *path)
{
	FILE *f = fopen(path, "re");

	if (f == NULL && (errno == EMFILE || errno == ENFILE ||
	    errno == ENOMEM))
		err_sys("%s", path);
	return f;
}

/* The first number in a file; UINT64_MAX without one. */
static uint64_t
host_number(const char *path)
{
	unsigned long long n;
	FILE *f = host_open(path);
	bool known = f != NULL && fscanf(f, "%llu", &n) == 1;

	if (f != NULL)
		fclose(f);
	return known ? n : UINT64_MAX;
}

static uint64_t
host_space(void)
{
	uint64_t pages = host_number("/proc/self/statm");

	return pages == UINT64_MAX ? 0 : pages * (uint64_t)sysconf(
	    _SC_PAGESIZE);
}

static uint64_t begun;	/* the program itself */

uint64_t
host_used(void)
{
#ifdef ERR_WATCHED
	return 0;
#else
	uint64_t now = host_space();	/* once: the second look may fail */

	return now > begun ? now - begun : 0;
#endif
}

/* The least limit of a group and of those that it is in. */
static uint64_t
host_group(const char *folder, char *group, const char *name)
{
	char path[4096], *end;
	uint64_t least = UINT64_MAX, own;

	for (;;) {
		snprintf(path, sizeof(path), "%s%s/%s", folder, group, name);
		own = host_number(path);
		least = FIXED_LEAST(least, own);
		end = strrchr(group, '/');
		if (end == NULL)
			return least;
		*end = '\0';
	}
}

static uint64_t
host_groups(void)
{
	FILE *f = host_open("/proc/self/cgroup");
	uint64_t least = UINT64_MAX, own;
	char line[2048], *at;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		own = UINT64_MAX;
		if (strncmp(line, "0::", 3) == 0)
			own = host_group("/sys/fs/cgroup", line + 3,
			    "memory.max");
		else if ((at = strstr(line, ":memory:")) != NULL)
			own = host_group("/sys/fs/cgroup/memory", at + 8,
			    "memory.limit_in_bytes");
		least = FIXED_LEAST(least, own);
	}
	if (f != NULL)
		fclose(f);
	return least;
}

uint64_t
host_room(void)
{
	uint64_t least = host_groups();
	uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
	struct rlimit r;

	least = FIXED_LEAST(least, pages * (uint64_t)sysconf(_SC_PAGESIZE));
	if (getrlimit(RLIMIT_AS, &r) == 0)
		least = FIXED_LEAST(least, (uint64_t)r.rlim_cur);
	if (getrlimit(RLIMIT_DATA, &r) == 0)
		least = FIXED_LEAST(least, (uint64_t)r.rlim_cur);
	return least;
}

void
host_guard(void)
{
	begun = host_space();
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, PAGES);	/* glibc raises it else */
#endif
#ifndef ERR_WATCHED
	prctl(PR_SET_DUMPABLE, 0);
#endif
}

void
host_touch(void *at, size_t n)
{
#ifdef MADV_POPULATE_WRITE
	size_t into = (uintptr_t)at & ((size_t)sysconf(_SC_PAGESIZE) - 1);

	madvise((char *)at - into, n + into, MADV_POPULATE_WRITE);
#endif
}

unsigned
host_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

char *
host_beside(const char *tool)
{
	char *own = realpath("/proc/self/exe", NULL);

	if (own == NULL)
		err_sys("/proc/self/exe");
	own = err_alloc(own, strlen(own) + strlen(tool) + 1, 1);
	strcpy(strrchr(own, '/') + 1, tool);
	return own;
}

int
host_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC);
}

int
host_file(void)
{
	return memfd_create("input", MFD_CLOEXEC);
}

int
host_lock_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)		/* who may read alone can look at locks */
		fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd;
}

/* The open file has the lock: another descriptor may be closed. */
int
host_lock(int fd, bool take, struct flock *bytes)
{
	return fcntl(fd, take ? F_OFD_SETLK : F_OFD_GETLK, bytes);
}

bool
host_forgets(const char *path)
{
	char *copy = err_copy(path, strlen(path));
	struct statfs fs;
	bool known = statfs(path, &fs) == 0 || statfs(dirname(copy), &fs) == 0;

	free(copy);
	return known && (uint32_t)fs.f_type == OVERLAY;
}

/* A struct statx, which musl has since 1.2.4: its second word has the marks. */
bool
host_mounted(const char *path)
{
	uint64_t file[32];

	return syscall(SYS_statx, AT_FDCWD, path, 0, 0, file) == 0 &&
	    (file[1] & MOUNTED) != 0;
}
