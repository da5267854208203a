/* exec: a function given as a command, on every subset of a few records. */
#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/err.h"

#define OUTPUT 1024	/* a longer output is not two numbers */

extern char **environ;

/* A process under way. */
struct slot {
	pid_t pid;
	int out;		/* read end; -1: the slot is free */
	uint32_t subset;
	size_t len;
	char buf[OUTPUT];
};

/* The first subset that went wrong; none while subset is 0. */
struct failure {
	uint32_t subset;
	int status;		/* of waitpid; 0: it printed something else */
};

static void
write_all(int fd, const struct label *l)
{
	const char *p = l->text;
	size_t n = l->len;

	while (n > 0) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			diesys(STATUS_INPUT, "a subset of the records");
		p += done;
		n -= (size_t)done;
	}
}

/* The subset as a file in memory, so that no pipe can fill up. */
static int
subset_file(const struct exec *e, uint32_t subset)
{
	int fd = memfd_create("subset", MFD_CLOEXEC);

	if (fd < 0)
		diesys(STATUS_INPUT, "memory for a subset");
	write_all(fd, &e->head);
	for (unsigned i = 0; i < e->n; i++)
		if (subset >> i & 1)
			write_all(fd, &e->record[i]);
	if (lseek(fd, 0, SEEK_SET) != 0)
		diesys(STATUS_INPUT, "a subset of the records");
	return fd;
}

static void
start(const struct exec *e, struct slot *s, uint32_t subset)
{
	posix_spawn_file_actions_t actions;
	int in = subset_file(e, subset), out[2], error;

	if (pipe2(out, O_CLOEXEC) != 0)
		diesys(STATUS_INPUT, "pipe");
	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, in, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, out[1], 1) != 0 ||
	    (!e->loud && posix_spawn_file_actions_addopen(&actions, 2,
	    "/dev/null", O_WRONLY, 0) != 0))
		die(STATUS_INPUT, "out of memory");
	error = posix_spawnp(&s->pid, e->argv[0], &actions, NULL, e->argv,
	    environ);
	if (error != 0)
		die(STATUS_INPUT, "cannot run '%s': %s", e->argv[0],
		    strerror(error));
	posix_spawn_file_actions_destroy(&actions);
	close(in);
	close(out[1]);
	s->out = out[0];
	s->subset = subset;
	s->len = 0;
}

/* Reads what there is; false at the end, or when it is too long already. */
static bool
drain(struct slot *s)
{
	ssize_t n = read(s->out, s->buf + s->len, OUTPUT - s->len);

	if (n < 0 && errno == EINTR)
		return true;
	if (n < 0)
		diesys(STATUS_INPUT, "output of the command");
	s->len += (size_t)n;
	return n > 0 && s->len < OUTPUT;
}

/* The numbers of an output: exactly `parts`, blanks or commas between. */
static bool
parse(const struct exec *e, const struct slot *s, int64_t *const f[2])
{
	static const char between[] = " \t\r\n,";
	size_t at = 0, found = 0, len;

	for (;; at += len, found++) {
		while (at < s->len && s->buf[at] != '\0' &&
		    strchr(between, s->buf[at]) != NULL)
			at++;
		if (at == s->len)
			return found == e->parts;
		for (len = 0; at + len < s->len && (s->buf[at + len] == '\0' ||
		    strchr(between, s->buf[at + len]) == NULL); len++)
			;
		if (found == e->parts || !fixed_cell(s->buf + at, len,
		    e->digits, &f[found][s->subset]))
			return false;
	}
}

static void
finish(const struct exec *e, struct slot *s, int64_t *const f[2],
    struct failure *bad)
{
	bool endless = s->len == OUTPUT;
	int status;

	if (endless)
		kill(s->pid, SIGKILL);
	close(s->out);
	s->out = -1;
	if (waitpid(s->pid, &status, 0) < 0)
		diesys(STATUS_INPUT, "waiting for the command");
	if (!endless && status == 0 && parse(e, s, f))
		return;
	if (endless)
		status = 0;
	if (bad->subset == 0 || s->subset < bad->subset)
		*bad = (struct failure){ s->subset, status };
}

static noreturn void
report(const struct exec *e, const struct failure *bad)
{
	char list[256];
	size_t at = 0;

	for (unsigned i = 0; i < e->n; i++)
		if (bad->subset >> i & 1)
			at += (size_t)snprintf(list + at, sizeof(list) - at,
			    " %u", e->number[i]);
	if (WIFSIGNALED(bad->status))
		die(STATUS_INPUT, "'%s' was ended by signal %d on the subset "
		    "of records%s", e->argv[0], WTERMSIG(bad->status), list);
	if (bad->status != 0)
		die(STATUS_INPUT, "'%s' failed with status %d on the subset "
		    "of records%s", e->argv[0], WEXITSTATUS(bad->status),
		    list);
	die(STATUS_INPUT, "'%s' did not print %s on the subset of records%s",
	    e->argv[0], e->parts == 1 ? "one number" : "two numbers", list);
}

/* Waits until one process has something to say, or has ended. */
static unsigned
serve(const struct exec *e, struct slot *slot, struct pollfd *wait,
    int64_t *const f[2], struct failure *bad)
{
	unsigned ended = 0;

	for (unsigned j = 0; j < e->jobs; j++)
		wait[j] = (struct pollfd){ .fd = slot[j].out,
		    .events = POLLIN };
	if (poll(wait, e->jobs, -1) < 0 && errno != EINTR)
		diesys(STATUS_INPUT, "waiting for the command");
	for (unsigned j = 0; j < e->jobs; j++) {
		if (wait[j].revents != 0 && !drain(&slot[j])) {
			finish(e, &slot[j], f, bad);
			ended++;
		}
	}
	return ended;
}

void
exec_subsets(const struct exec *e, int64_t *const f[2])
{
	struct slot *slot = err_alloc(NULL, e->jobs, sizeof(*slot));
	struct pollfd *wait = err_alloc(NULL, e->jobs, sizeof(*wait));
	uint32_t next = 1, end = (uint32_t)1 << e->n;
	struct failure bad = { 0, 0 };
	unsigned running = 0;

	for (unsigned j = 0; j < e->jobs; j++)
		slot[j].out = -1;
	while (running > 0 || (next < end && bad.subset == 0)) {
		for (unsigned j = 0; j < e->jobs && next < end &&
		    bad.subset == 0; j++) {
			if (slot[j].out < 0) {
				start(e, &slot[j], next++);
				running++;
			}
		}
		running -= serve(e, slot, wait, f, &bad);
	}
	free(wait);
	free(slot);
	if (bad.subset != 0)
		report(e, &bad);
}
