/* err: how a tool speaks and exits. */
#include "err.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "names.h"

#define SHORTEST 128	/* entries that an array grows by, if it is short, */
#define LONGEST 524288	/* and if it is long */
#define SAID 8192	/* bytes in a message; the rest is cut */

static const char *name = "dputils";

void
err_name(const char *tool)
{
	name = tool;
}

/* A descriptor for the wrong direction fails as a closed one does. */
static void
err_hold(int fd, int flags)
{
	if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
		(void)!open("/dev/null", flags);
}

void
err_guard(void)
{
	static const struct rlimit none = { 0, 0 };

	err_hold(STDIN_FILENO, O_WRONLY);
	err_hold(STDOUT_FILENO, O_RDONLY);
	err_hold(STDERR_FILENO, O_RDONLY);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_CORE, &none);
}

/* File names, arguments and keys must not drive a terminal. */
static void
err_say(const char *format, va_list args, const char *reason)
{
	char text[SAID];
	size_t len, i;

	vsnprintf(text, sizeof(text), format, args);
	len = strlen(text);
	while ((i = names_control(text, len)) < len)
		text[i] = '?';
	if (reason != NULL)
		fprintf(stderr, "%s: %s: %s\n", name, text, reason);
	else
		fprintf(stderr, "%s: %s\n", name, text);
}

void
err_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_say(format, args, NULL);
	va_end(args);
}

/* When several threads die, only the first speaks and exits. */
static atomic_flag dying = ATOMIC_FLAG_INIT;

#ifdef __SANITIZE_ADDRESS__
/*
 * Memory that a dying tool holds is not a leak: the compiler need not keep a
 * pointer that nobody will free.
 */
int __lsan_is_turned_off(void);

int
__lsan_is_turned_off(void)
{
	return atomic_flag_test_and_set(&dying);
}
#endif

/* The last words. */
static noreturn void
err_end(int status, const char *format, va_list args, const char *reason)
{
	while (atomic_flag_test_and_set(&dying))
		pause();
	err_say(format, args, reason);
	exit(status);
}

void
err_die(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_end(status, format, args, NULL);
}

void
err_sys(const char *format, ...)
{
	const char *reason = strerror(errno);
	va_list args;

	va_start(args, format);
	err_end(STATUS_INPUT, format, args, reason);
}

void *
err_alloc(void *old, size_t count, size_t size)
{
	void *new = NULL;
	size_t all = count * size + (count * size == 0);

	if (size == 0 || count <= SIZE_MAX / size)
		new = old == NULL ? calloc(1, all) : realloc(old, all);
	if (new == NULL)
		err_die(STATUS_INPUT, "out of memory");
	return new;
}

/*
 * What follows the data grows by blocks, of an eighth to a half of its length:
 * the memory in use tells the number of records, and growth by a factor would
 * tell its logarithm in one step.  Large arrays have pages of their own
 * (host_guard), which move without a copy, and by such blocks rarely.
 */
void *
err_grow(void *old, size_t n, size_t *room, size_t size)
{
	size_t block = SHORTEST;

	if (n < *room)
		return old;
	while (block < LONGEST && n / 8 >= block)
		block *= 4;
	*room = n + block;
	return err_alloc(old, *room, size);
}

char *
err_copy(const char *text, size_t len)
{
	size_t n = strnlen(text, len);

	return memcpy(err_alloc(NULL, n + 1, 1), text, n);
}
