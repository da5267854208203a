/*
 * exec: a command run on parts of the records, a number of runs at once.
 *
 * Every run is a separate process group.  The end of a run ends every process
 * left in the group, and the end of this program, by a signal or not, ends
 * every group.
 */
#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "number/taint.h"
#include "tool/err.h"
#include "tool/host.h"

#define OUTPUT 1024	/* a longer output cannot be two numbers */
#define LATE (-1)	/* no status of waitpid */
#define NAP 10		/* milliseconds until an end is looked for again */

extern char **environ;

/* --- the command -------------------------------------------------------- */

void
exec_find(const char *name)
{
	const char *path = getenv("PATH");
	char *copy, *rest, *folder;
	struct text at = TEXT_INIT;
	struct stat file;

	if (path == NULL)
		path = "/bin:/usr/bin";
	if (strchr(name, '/') != NULL)
		path = "";	/* an empty name is the current folder */
	rest = copy = err_copy(path, strlen(path));
	do {
		folder = text_field(&rest, ":");
		if (folder == NULL)
			err_die(STATUS_USAGE, "'%s' is not a command, or may "
			    "not be run (-- CMD [ARG ...]; the data come by "
			    "< FILE)", name);
		at.len = 0;
		text_printf(&at, "%s%s%s", folder, *folder != '\0' ? "/" : "",
		    name);
	} while (access(at.buf, X_OK) != 0 || stat(at.buf, &file) != 0 ||
	    !S_ISREG(file.st_mode));
	free(copy);
	text_free(&at);
}

/* --- runs --------------------------------------------------------------- */

/* A process under way. */
struct slot {
	int out;		/* read end; -1: the slot is free */
	uint32_t run;
	int64_t deadline;
	size_t len;
	char buf[OUTPUT];
};

/* Process groups, one for each slot; 0: none. */
static volatile pid_t *group;
static unsigned groups;

static void
end_groups(void)
{
	for (unsigned j = 0; j < groups; j++)
		if (group[j] > 0)
			kill(-group[j], SIGKILL);
}

static void
end_on_signal(int number)
{
	end_groups();
	signal(number, SIG_DFL);
	raise(number);
}

/*
 * A signal that ends this program ends the runs; runs inherit ignored
 * signals.
 */
static void
watch(unsigned jobs)
{
	static const int ends[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	group = err_alloc(NULL, jobs, sizeof(*group));
	groups = jobs;
	atexit(end_groups);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (signal(ends[i], end_on_signal) == SIG_IGN)
			signal(ends[i], SIG_IGN);
}

static int64_t
milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A run's records as a file in memory, so that no pipe can fill up. */
static int
run_file(const struct exec *e, uint32_t run)
{
	struct text t = TEXT_INIT;

	text_bytes(&t, e->head.text, e->head.len);
	if (e->blocks)
		text_bytes(&t, e->record[run].text, e->record[run].len);
	for (unsigned i = 0; !e->blocks && i < e->n; i++)
		if (run >> i & 1)
			text_bytes(&t, e->record[i].text, e->record[i].len);
	/* the command is as private as this program, and so are its numbers */
	taint_public(&t, sizeof(t));
	taint_public(t.buf, t.len);
	return text_file(&t, "a subset of the records");
}

/* A separate group, with the signals as before any was blocked. */
static int
exec_spawn(const struct exec *e, pid_t *pid, int in, int out,
    const sigset_t *mask)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int error;

	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, in, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, out, 1) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, e->words, 2) != 0 ||
	    posix_spawnattr_init(&attr) != 0 ||
	    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
	    POSIX_SPAWN_SETSIGMASK) != 0 ||
	    posix_spawnattr_setsigmask(&attr, mask) != 0)
		err_die(STATUS_INPUT, "out of memory");
	error = posix_spawnp(pid, e->argv[0], &actions, &attr, e->argv,
	    environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return error;
}

/* A run that gave no numbers. */
static void
exec_fail(const struct exec *e, uint32_t run, int status, int64_t *const f[2],
    struct failure *bad)
{
	if (bad->runs == 0 || run < bad->first)
		*bad = (struct failure){ run, status, bad->runs };
	bad->runs++;
	for (size_t p = 0; e->otherwise != NULL && p < e->parts; p++)
		f[p][run] = e->otherwise[p];
}

/*
 * 0, or why the command cannot be run.  The program ends then, but not after a
 * run that may fail: that run may have removed the command.
 */
static int
exec_start(const struct exec *e, struct slot *s, unsigned j, uint32_t run)
{
	sigset_t all, before;
	int in = run_file(e, run), out[2], error;
	pid_t pid;

	if (host_pipe(out) != 0)
		err_sys("pipe");
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	error = exec_spawn(e, &pid, in, out[1], &before);
	group[j] = error == 0 ? pid : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (error != 0 && (e->otherwise == NULL || run == 0))
		err_die(STATUS_INPUT, "cannot run '%s': %s", e->argv[0],
		    strerror(error));
	close(in);
	close(out[1]);
	if (error != 0) {
		close(out[0]);
		return error;
	}
	*s = (struct slot){ .out = out[0], .run = run,
	    .deadline = milliseconds() + e->timeout };
	return 0;
}

/* Reads the bytes that came; false at the end, or when too long already. */
static bool
drain(struct slot *s)
{
	ssize_t n = text_some(s->out, s->buf + s->len, OUTPUT - s->len);

	if (n < 0)
		err_sys("output of the command");
	taint_private(s->buf + s->len, (size_t)n);
	s->len += (size_t)n;
	return n > 0 && s->len < OUTPUT;
}

/* An output's numbers: exactly `parts', blanks or commas between. */
static bool
parse(const struct exec *e, const struct slot *s, int64_t *const f[2])
{
	static const char between[5] = " \t\r\n,";
	size_t at = 0, found = 0, len;

	for (;; at += len, found++) {
		while (at < s->len && memchr(between, s->buf[at], 5) != NULL)
			at++;
		if (at == s->len)
			return found == e->parts;
		for (len = 0; at + len < s->len && memchr(between,
		    s->buf[at + len], 5) == NULL; len++)
			;
		if (found == e->parts || !fixed_cell(s->buf + at, len,
		    e->digits, &f[found][s->run]))
			return false;
	}
}

/* Has the slot's process ended?  The process still has to be waited for. */
static bool
ended(unsigned j)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)group[j], &info, WEXITED | WNOHANG |
	    WNOWAIT) == 0 && info.si_pid != 0;
}

/*
 * Ends a run and the processes left behind; returns the run's status.  Until
 * the first process is waited for, no new process can have the group's number.
 */
static int
reap(const struct slot *s, unsigned j)
{
	const struct timespec nap = { 0, 100000 };
	bool late = false;
	int status;

	while (s->len < OUTPUT && !late && !ended(j)) {
		late = milliseconds() >= s->deadline;
		nanosleep(&nap, NULL);
	}
	kill(-group[j], SIGKILL);
	while (waitpid(group[j], &status, 0) < 0)
		if (errno != EINTR)
			err_sys("waiting for the command");
	group[j] = 0;
	return late ? LATE : status;
}

static void
exec_finish(const struct exec *e, struct slot *s, unsigned j,
    int64_t *const f[2], struct failure *bad)
{
	int status = reap(s, j);

	close(s->out);
	s->out = -1;
	if (s->len < OUTPUT && status == 0 && parse(e, s, f))
		return;
	if (s->len == OUTPUT)
		status = 0;
	exec_fail(e, s->run, status, f, bad);
}

static noreturn void
report(const struct exec *e, const struct failure *bad)
{
	static const char *const numbers[] = { "one number", "two numbers" };
	char list[256], how[64] = "took longer than --timeout allows";
	int status = bad->status;
	size_t at = 0;

	for (unsigned i = 0; i < e->n; i++)
		if (bad->first >> i & 1)
			at += (size_t)snprintf(list + at, sizeof(list) - at,
			    " %u", e->number[i]);
	if (status == 0)
		snprintf(how, sizeof(how), "did not print %s",
		    numbers[e->parts > 1]);
	else if (status != LATE && WIFSIGNALED(status))
		snprintf(how, sizeof(how), "was ended by signal %d",
		    WTERMSIG(status));
	else if (status != LATE)
		snprintf(how, sizeof(how), "failed with status %d",
		    WEXITSTATUS(status));
	err_die(STATUS_INPUT, "'%s' %s on the subset of records%s", e->argv[0],
	    how, list);
}

/* Waits until a process has something to say, has ended, or must end. */
static unsigned
serve(const struct exec *e, struct slot *slot, struct pollfd *wait,
    int64_t *const f[2], struct failure *bad)
{
	unsigned over = 0;

	for (unsigned j = 0; j < e->jobs; j++)
		wait[j] = (struct pollfd){ .fd = slot[j].out,
		    .events = POLLIN };
	if (poll(wait, e->jobs, NAP) < 0 && errno != EINTR)
		err_sys("waiting for the command");
	for (unsigned j = 0; j < e->jobs; j++) {
		bool more = wait[j].revents == 0 || drain(&slot[j]);

		if (slot[j].out < 0 || (more &&
		    milliseconds() < slot[j].deadline))
			continue;
		exec_finish(e, &slot[j], j, f, bad);
		over++;
	}
	return over;
}

void
exec_runs(const struct exec *e, uint32_t first, uint32_t end,
    int64_t *const f[2], struct failure *bad)
{
	struct slot *slot = err_alloc(NULL, e->jobs, sizeof(*slot));
	struct pollfd *wait = err_alloc(NULL, e->jobs, sizeof(*wait));
	unsigned running = 0;

	*bad = (struct failure){ 0, 0, 0 };
	watch(e->jobs);
	for (unsigned j = 0; j < e->jobs; j++)
		slot[j].out = -1;
	for (;;) {
		if (e->otherwise == NULL && bad->runs > 0)
			end = first;
		for (unsigned j = 0; j < e->jobs && first < end; j++)
			if (slot[j].out < 0) {
				if (exec_start(e, &slot[j], j, first) == 0)
					running++;
				else
					exec_fail(e, first, 0, f, bad);
				first++;
			}
		if (running == 0 && first >= end)
			break;
		running -= serve(e, slot, wait, f, bad);
	}
	free(wait);
	free(slot);
	if (e->otherwise == NULL && bad->runs > 0)
		report(e, bad);
}
