/* run: a program, with only the policy's data. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gate.h"

struct label
gate_bytes(int fd)
{
	struct stat s;
	struct label bytes = { "", 0 };

	if (fstat(fd, &s) != 0)
		err_sys("memory");
	if (s.st_size == 0)
		return bytes;
	bytes.len = (size_t)s.st_size;
	bytes.text = mmap(NULL, bytes.len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes.text == MAP_FAILED)
		err_sys("memory");
	return bytes;
}

/* --- programs ------------------------------------------------------------ */

/* A program; fd can be read when the program has ended, and is -1 when that
   was seen. */
struct child {
	pid_t pid;
	int fd;
};

/*
 * end: a program's descriptors 0, 1, 2 and 3; -1: closed.  A program that
 * cannot be started is a program that dies.  It is a group of its own, for its
 * children to end with it.
 */
static struct child
child_start(char **argv, char **env, const int end[4])
{
	pid_t gate = getpid(), pid = fork();

	if (pid < 0)
		err_sys("fork");
	if (pid > 0)
		return (struct child){ pid, (int)syscall(SYS_pidfd_open, pid,
		    0) };
	setpgid(0, 0);
	for (int i = 0; i < 4; i++)
		if (end[i] >= 0 && (dup2(end[i], i) < 0 ||
		    fcntl(i, F_SETFD, 0) != 0))
			_exit(127);
	/* ends with the gate, also one that has ended by now, and takes a
	   closed pipe as ever */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == gate &&
	    chdir("/") == 0 && signal(SIGPIPE, SIG_DFL) != SIG_ERR &&
	    gate_limit())
		execve(argv[0], argv, env);
	_exit(127);
}

static void
child_kill(const struct child *c)
{
	if (c->fd < 0)
		return;
	kill(c->pid, SIGKILL);
	kill(-c->pid, SIGKILL);
}

/* The exit status, or GATE_DIED where a program never began, too. */
static int
child_finish(struct child *c)
{
	int status;

	if (waitpid(c->pid, &status, 0) < 0)
		err_sys("waiting");
	close(c->fd);
	c->fd = -1;
	return WIFEXITED(status) && WEXITSTATUS(status) < 127 ?
	    WEXITSTATUS(status) : GATE_DIED;
}

/* --- the data ------------------------------------------------------------ */

/*
 * A tool that reads half of the data to its end would settle an answer to it.
 * So the gate passes the source's bytes on, and the tool sees their end only
 * when the source has ended well.
 */
struct flow {
	int from, to;		/* -1: ended; read by nobody */
	size_t n, sent;
	char bytes[65536];
};

/* A tool, the source of its data, if any, and what flows between. */
struct run {
	struct child tool, source;
	struct flow flow;
	int status;		/* the tool's, GATE_DIED before it has ended */
};

static void
flow_stop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
flow_take(struct flow *f)
{
	ssize_t n = read(f->from, f->bytes, sizeof(f->bytes));

	f->sent = 0;
	f->n = n > 0 && f->to >= 0 ? (size_t)n : 0;
	if (n <= 0)
		flow_stop(&f->from);
}

/* A command is heard to its end although nobody reads what it prints. */
static void
flow_give(struct flow *f)
{
	ssize_t n = write(f->to, f->bytes + f->sent, f->n - f->sent);

	if (n < 0 && errno != EAGAIN)
		flow_stop(&f->to);
	f->sent += n > 0 ? (size_t)n : 0;
	if (f->to < 0 || f->sent == f->n)
		f->n = f->sent = 0;
}

static int
open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		err_sys("%s", path);
	return fd;
}

/* Starts the source, if any; what the tool reads from. */
static int
run_source(struct run *r, const struct policy *p)
{
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	char *env[] = { path, NULL };
	int null = open_file("/dev/null", O_RDWR), in[2], out[2];

	if (p == NULL)
		return null;
	if (p->from == NULL)
		return open_file(p->line[POLICY_DATA], O_RDONLY);
	if (host_pipe(in) != 0 || host_pipe(out) != 0 ||
	    fcntl(out[1], F_SETFL, O_NONBLOCK) != 0)
		err_sys("pipe");
	r->source = child_start(p->from, env, (int[]){ null, in[1], null, -1 });
	close(in[1]);
	r->flow.from = in[0];
	r->flow.to = out[1];
	return out[0];
}

/* --- to the end ---------------------------------------------------------- */

static void
run_kill(struct run *r)
{
	child_kill(&r->tool);
	child_kill(&r->source);
	flow_stop(&r->flow.from);
}

/* The tool has ended: who was refused needs no data any more. */
static void
run_tool_ended(struct run *r)
{
	r->status = child_finish(&r->tool);
	flow_stop(&r->flow.to);
	r->flow.n = 0;
	if (r->status != STATUS_OK)
		run_kill(r);
}

/* False where the source has failed. */
static bool
run_source_ended(struct run *r)
{
	bool well = child_finish(&r->source) == STATUS_OK;

	return well || (r->tool.fd < 0 && r->status != STATUS_OK);
}

/* Waits for an event, which is what to look at; 0: the time is over. */
static int
run_wait(struct run *r, struct pollfd at[4], const struct timespec *until)
{
	const struct flow *f = &r->flow;
	struct timespec now;
	int64_t ms;

	at[0] = (struct pollfd){ r->tool.fd, POLLIN, 0 };
	at[1] = (struct pollfd){ r->source.fd, POLLIN, 0 };
	at[2] = (struct pollfd){ f->n == 0 ? f->from : -1, POLLIN, 0 };
	at[3] = (struct pollfd){ f->n > 0 ? f->to : -1, POLLOUT, 0 };
	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (until->tv_sec - now.tv_sec) * 1000 +
	    (until->tv_nsec - now.tv_nsec + 999999) / 1000000;
	return ms > 0 ? poll(at, 4, (int)ms) : 0;
}

/* False where the answer is not one to all of the data, in time. */
static bool
run_step(struct run *r, const struct timespec *until)
{
	struct pollfd at[4];
	int n = run_wait(r, at, until);

	if (n < 0 && errno != EINTR)
		err_sys("waiting");
	if (n == 0)
		return false;
	if (at[2].revents != 0)
		flow_take(&r->flow);
	if (at[3].revents != 0)
		flow_give(&r->flow);
	if (at[0].revents != 0)
		run_tool_ended(r);
	if (at[1].revents != 0 && !run_source_ended(r))
		return false;
	if (r->source.fd < 0 && r->flow.from < 0 && r->flow.n == 0)
		flow_stop(&r->flow.to);
	return true;
}

/* Until all have ended; what is late or has half of the data is killed. */
static int
run_finish(struct run *r, const struct timespec *until)
{
	while (r->tool.fd >= 0 || r->source.fd >= 0 || r->flow.from >= 0)
		if (!run_step(r, until)) {
			run_kill(r);
			r->status = GATE_HALF;
			break;
		}
	if (r->tool.fd >= 0)
		child_finish(&r->tool);
	flow_stop(&r->flow.to);
	return r->status;
}

struct outcome
gate_run(const struct policy *p, char **argv, int sent, time_t seconds)
{
	static char *nothing[] = { NULL };
	static struct run r;
	struct text none = TEXT_INIT;
	struct outcome a = { .out = text_file(&none, "memory"),
	    .err = text_file(&none, "memory") };
	struct timespec until;
	int in;

	r = (struct run){ .tool.fd = -1, .source.fd = -1, .flow.from = -1,
	    .flow.to = -1, .status = GATE_DIED };
	clock_gettime(CLOCK_MONOTONIC, &a.begun);
	until = a.begun;
	until.tv_sec += seconds;
	in = run_source(&r, p);
	r.tool = child_start(argv, nothing, (int[]){ in, a.out, a.err, sent });
	close(in);
	a.status = run_finish(&r, &until);
	return a;
}
