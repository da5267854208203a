/*
 * steps: stands in for a tool beside dp-gate, and ends it after a number of
 * system calls; for tests/gate/paid.
 *
 * Runs the real program, named by the file `steps' beside this one, with a pipe
 * for its standard input.  The header alone is in the pipe, until the program
 * asks for more: from there on its system calls are counted, with those of its
 * threads, and it is killed at the entry of call number AT (from 0: before it
 * has a byte of the first record).  A line of `steps': FOLDER AT WHEN; WHEN is
 * `record', or `header' to count from the first byte on.  What happened is
 * written to `steps.seen': the number of calls, and whether it was killed.
 *
 * A request for help is passed on as it is.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM (16 << 20)
#define PATH 4096

static char data[ROOM];
static size_t size, head;

static void
fail(const char *what)
{
	perror(what);
	exit(126);
}

/* The data, and where the records begin. */
static void
load(void)
{
	ssize_t n;

	while ((n = read(0, data + size, ROOM - size)) > 0)
		size += (size_t)n;
	while (head < size && data[head++] != '\n')
		;
}

/* Writes bytes into the pipe, whose room is large enough for them. */
static void
give(int fd, const char *s, size_t n)
{
	ssize_t done;

	while (n > 0 && (done = write(fd, s, n)) > 0) {
		s += done;
		n -= (size_t)done;
	}
}

/* A process that writes the rest of the data; the pipe may be smaller. */
static void
give_rest(int fd)
{
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGPIPE, SIG_DFL);
		give(fd, data + head, size - head);
		_exit(0);
	}
	close(fd);
}

static pid_t
start(const char *path, char **argv, const int ends[2])
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(ends[0], 0);
	close(ends[0]);
	close(ends[1]);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	execv(path, argv);
	_exit(127);
}

/* What the tool did, and where to stop it. */
struct watch {
	pid_t tool;
	int pipe;		/* to give the records */
	long at, seen;
	bool counts, killed;
	int reads;
};

/* A call that begins: true where it is the tool's last. */
static bool
call_begins(struct watch *w, pid_t pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return false;
	if (info.entry.nr == SYS_read && info.entry.args[0] == 0 &&
	    ++w->reads == 2) {
		w->counts = true;
		give_rest(w->pipe);
	}
	return w->counts && w->seen++ == w->at;
}

/* Until the tool ends, or is ended: its status as waitpid gives it. */
static int
watch(struct watch *w)
{
	int status, signal;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid == w->tool)
				return status;
			continue;
		}
		signal = WSTOPSIG(status);
		if (signal == (SIGTRAP | 0x80) && call_begins(w, pid)) {
			w->killed = true;
			kill(w->tool, SIGKILL);
			waitpid(w->tool, &status, __WALL);
			return status;
		}
		if (signal == (SIGTRAP | 0x80) || signal == SIGTRAP ||
		    signal == SIGSTOP)
			signal = 0;
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)signal);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static char own[PATH], path[2 * PATH], folder[PATH], when[32];
	struct watch w = { .at = -1 };
	char *name = strrchr(argv[0], '/') + 1;
	int ends[2], status;
	FILE *f;

	if (readlink("/proc/self/exe", own, sizeof(own) - 1) < 0)
		fail("own name");
	*strrchr(own, '/') = '\0';
	snprintf(path, sizeof(path), "%s/steps", own);
	f = fopen(path, "r");
	if (f == NULL || fscanf(f, "%4095s %ld %31s", folder, &w.at, when) != 3)
		fail("steps");
	fclose(f);
	strcat(path, ".seen");
	f = fopen(path, "w");
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (argc > 1 && strcmp(argv[1], "--help") == 0)
		execv(path, argv);
	load();
	if (pipe(ends) != 0)
		fail("pipe");
	give(ends[1], data, head);
	w.pipe = ends[1];
	w.counts = strcmp(when, "header") == 0;
	w.tool = start(path, argv, ends);
	close(ends[0]);
	waitpid(w.tool, &status, 0);
	ptrace(PTRACE_SETOPTIONS, w.tool, NULL, PTRACE_O_TRACESYSGOOD |
	    PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE);
	ptrace(PTRACE_SYSCALL, w.tool, NULL, NULL);
	status = watch(&w);
	fprintf(f, "%ld %d %d\n", w.seen, w.reads, w.killed);
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}
