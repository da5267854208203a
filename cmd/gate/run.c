/* run: a program, with only the policy's data. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gate.h"

#define GIB ((rlim_t)1 << 30)

/* Room, time, files and descriptors for the gate's programs. */
static const struct {
	int what;
	rlim_t most;
} limits[] = {
	{ RLIMIT_CORE, 0 }, { RLIMIT_CPU, 600 }, { RLIMIT_NOFILE, 64 },
	{ RLIMIT_FSIZE, GIB },
#ifndef ERR_WATCHED
	{ RLIMIT_AS, 8 * GIB },
#endif
};

static bool
limit(void)
{
	struct rlimit now;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (getrlimit(limits[i].what, &now) != 0)
			return false;
		now.rlim_cur = now.rlim_max = now.rlim_max < limits[i].most ?
		    now.rlim_max : limits[i].most;
		if (setrlimit(limits[i].what, &now) != 0)
			return false;
	}
	return true;
}

/*
 * end: a program's descriptors 0, 1, 2 and 3; -1: closed.  A program that
 * cannot be started is a program that dies.
 */
static pid_t
start(char **argv, char **env, const int end[4])
{
	pid_t pid = fork();

	if (pid < 0)
		err_sys("fork");
	if (pid > 0)
		return pid;
	for (int i = 0; i < 4; i++)
		if (end[i] >= 0 && (dup2(end[i], i) < 0 ||
		    fcntl(i, F_SETFD, 0) != 0))
			_exit(127);
	/* ends with the gate, and takes a closed pipe as ever */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && chdir("/") == 0 &&
	    signal(SIGPIPE, SIG_DFL) != SIG_ERR && limit())
		execve(argv[0], argv, env);
	_exit(127);
}

/* The exit status, or GATE_DIED where a program never began, too. */
static int
run_finish(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) < 0)
		err_sys("waiting");
	return WIFEXITED(status) && WEXITSTATUS(status) < 127 ?
	    WEXITSTATUS(status) : GATE_DIED;
}

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

static int
open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		err_sys("%s", path);
	return fd;
}

/* The policy's data; *pid is the command that prints them, or 0. */
static int
data(const struct policy *p, pid_t *pid)
{
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	char *env[] = { path, NULL };
	int null = open_file("/dev/null", O_RDWR), ends[2];

	*pid = 0;
	if (p == NULL)
		return null;
	if (p->from == NULL)
		return open_file(p->line[POLICY_DATA], O_RDONLY);
	if (host_pipe(ends) != 0)
		err_sys("pipe");
	*pid = start(p->from, env, (int[]){ null, ends[1], null, -1 });
	close(ends[1]);
	return ends[0];
}

/*
 * A command whose rows nobody needs any more is stopped.  After an answer the
 * command is heard to its end, since an answer to half the data is not an
 * answer.
 */
static int
end_source(pid_t source, int in, int status)
{
	char buf[65536];

	while (status == STATUS_OK && read(in, buf, sizeof(buf)) > 0)
		;
	if (status != STATUS_OK)
		kill(source, SIGKILL);
	if (run_finish(source) != 0 && status == STATUS_OK)
		return GATE_HALF;
	return status;
}

struct outcome
gate_run(const struct policy *p, char **argv, int sent)
{
	struct text none = TEXT_INIT;
	struct outcome a = { text_file(&none, "memory"),
	    text_file(&none, "memory"), GATE_DIED };
	static char *nothing[] = { NULL };
	pid_t source;
	int in = data(p, &source);

	a.status = run_finish(start(argv, nothing, (int[]){ in, a.out, a.err,
	    sent }));
	if (source != 0)
		a.status = end_source(source, in, a.status);
	close(in);
	return a;
}
