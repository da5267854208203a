/*
 * host: what Linux has and POSIX has not.  `make HOST=SOURCE' takes another
 * source than host.c, for another system.
 */
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's random bytes, all of them, or the program ends: status 4. */
void host_random(void *buf, size_t n);

/*
 * Called with err_guard: lets none of the user's other processes look inside,
 * and gives large arrays pages of their own, where the system can.
 */
void host_guard(void);

/* Has the system give the pages of n bytes at once, where it can. */
void host_touch(void *at, size_t n);

/* Processors that this process may use, at least 1. */
unsigned host_processors(void);

/*
 * Bytes of address space taken since host_guard, and those that this process
 * may have: the least of its limits, those of its groups, and the machine's
 * memory.
 */
uint64_t host_used(void);
uint64_t host_room(void);

/* The path of another tool, in the folder of this one. */
char *host_beside(const char *tool);

/* pipe(2), closed on exec. */
int host_pipe(int ends[2]);

/* A file without a name, closed on exec; -1 and errno where none is had. */
int host_file(void);

/*
 * Locks that end with the process and stay, whatever SQLite does to its own
 * locks on the file: a descriptor for the locks of a file, or -1; and fcntl(2)
 * that takes a lock, or looks whether another has it.
 */
int host_lock_file(const char *path);
int host_lock(int fd, bool take, struct flock *bytes);

/* Does a file that is, or may be made, end with its container? */
bool host_forgets(const char *path);

/* Is the file mounted by itself, away from those beside it? */
bool host_mounted(const char *path);
