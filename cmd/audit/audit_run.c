/* audit_run: a command run many times, a few processes at once. */
#include "audit_run.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool/err.h"

#define MOST 65536	/* bytes kept of one output, batches apart */

extern char **environ;

static void
spawn(const struct audit_job *job, char **argv, int out[2], pid_t *pid)
{
	posix_spawn_file_actions_t a;
	int error;

	if (pipe2(out, O_CLOEXEC) != 0)
		diesys(STATUS_INPUT, "pipe");
	if (posix_spawn_file_actions_init(&a) != 0 ||
	    posix_spawn_file_actions_addopen(&a, STDIN_FILENO, job->input,
	    O_RDONLY, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&a, out[1], STDOUT_FILENO) != 0 ||
	    (job->errors ? posix_spawn_file_actions_adddup2(&a, out[1],
	    STDERR_FILENO) : posix_spawn_file_actions_addopen(&a,
	    STDERR_FILENO, "/dev/null", O_WRONLY, 0)) != 0)
		error = ENOMEM;
	else
		error = posix_spawnp(pid, argv[0], &a, NULL, argv, environ);
	if (error != 0)
		die(STATUS_INPUT, "cannot run '%s': %s", argv[0],
		    strerror(error));
	posix_spawn_file_actions_destroy(&a);
	close(out[1]);
}

/* Reads all there is, keeps at most `most` bytes and a NUL. */
static void
read_output(int fd, struct sample *s, size_t most)
{
	char buf[16384];
	size_t cap = 256, keep;
	ssize_t n;

	s->text = err_alloc(NULL, cap, 1);
	for (;;) {
		n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		keep = (size_t)n < most - s->len ? (size_t)n : most - s->len;
		if (s->len + keep + 1 > cap) {
			cap = (s->len + keep) * 2 + 16;
			s->text = err_alloc(s->text, cap, 1);
		}
		memcpy(s->text + s->len, buf, keep);
		s->len += keep;
	}
	s->text[s->len] = '\0';
}

/* A signal counts as status 128 + its number, as in the shell. */
struct sample
audit_once(const struct audit_job *job, char **argv, size_t most)
{
	struct sample s = { NULL, 0, 0 };
	int out[2], status;
	pid_t pid;

	spawn(job, argv, out, &pid);
	read_output(out[0], &s, most);
	close(out[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			diesys(STATUS_INPUT, "waiting for the command");
	s.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	    WEXITSTATUS(status);
	return s;
}

void
audit_progress(const struct audit_work *w, size_t done)
{
	if (w->show)
		fprintf(stderr, "\r%s: %zu of %zu runs ", w->job->what, done,
		    w->n);
}

static void *
one_by_one(void *arg)
{
	struct audit_work *w = arg;
	size_t i;

	while ((i = atomic_fetch_add(&w->next, 1)) < w->n) {
		w->sample[i] = audit_once(w->job, w->job->argv, MOST);
		if (i % 100 == 0)
			audit_progress(w, i);
	}
	return NULL;
}

struct sample *
audit_run(const struct audit_job *job, size_t n)
{
	struct audit_work w = { .job = job, .n = n,
	    .show = isatty(STDERR_FILENO) != 0 };
	pthread_t *thread = err_alloc(NULL, job->jobs, sizeof(*thread));
	unsigned i;

	/* an audit must not spend the budget of the shell it is run from */
	unsetenv("DPUTILS_LEDGER");
	w.sample = err_alloc(NULL, n, sizeof(*w.sample));
	for (i = 0; i < job->jobs; i++)
		if (pthread_create(&thread[i], NULL,
		    job->batch ? audit_batches : one_by_one, &w) != 0)
			die(STATUS_INPUT, "cannot start a thread");
	for (i = 0; i < job->jobs; i++)
		pthread_join(thread[i], NULL);
	if (w.show)
		fprintf(stderr, "\r\033[K");
	free(thread);
	return w.sample;
}

void
audit_free(struct sample *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		free(s[i].text);
	free(s);
}
