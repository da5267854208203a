/* run: a command run many times, a few processes at once. */
#include "audit.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "number/fixed.h"
#include "number/hash.h"
#include "tool/err.h"
#include "tool/host.h"
#include "tool/parts.h"
#include "tool/text.h"

extern char **environ;

/* The threads' common state. */
struct audit_work {
	const struct audit_job *job;
	struct sample *sample;
	size_t n;
	atomic_size_t next;	/* first run, or share, not yet taken */
};

/* The pipe in a stream's place, or nothing. */
static int
put_fd(posix_spawn_file_actions_t *a, int pipe_end, int stream, bool taken)
{
	if (taken)
		return posix_spawn_file_actions_adddup2(a, pipe_end, stream);
	return posix_spawn_file_actions_addopen(a, stream, "/dev/null",
	    O_WRONLY, 0);
}

static void
audit_spawn(const struct audit_job *job, char **argv, int out[2], pid_t *pid)
{
	posix_spawn_file_actions_t a;
	int error;

	if (host_pipe(out) != 0)
		err_sys("pipe");
	if (posix_spawn_file_actions_init(&a) != 0 ||
	    posix_spawn_file_actions_addopen(&a, STDIN_FILENO, job->input,
	    O_RDONLY, 0) != 0 ||
	    put_fd(&a, out[1], STDOUT_FILENO, job->stream != STREAM_ERR) != 0 ||
	    put_fd(&a, out[1], STDERR_FILENO, job->stream != STREAM_OUT) != 0)
		error = ENOMEM;
	else
		error = posix_spawnp(pid, argv[0], &a, NULL, argv, environ);
	if (error != 0)
		err_die(STATUS_INPUT, "cannot run '%s': %s", argv[0],
		    strerror(error));
	posix_spawn_file_actions_destroy(&a);
	close(out[1]);
}

/* A run.  A signal counts as status 128 + its number, as in the shell. */
static struct sample
audit_once(const struct audit_job *job, char **argv)
{
	int out[2], status;
	struct text all = TEXT_INIT;
	size_t len;
	pid_t pid;

	audit_spawn(job, argv, out, &pid);
	text_read(&all, out[0], SIZE_MAX);	/* all of it is judged */
	len = all.len;
	close(out[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			err_sys("waiting for the command");
	if (WIFSIGNALED(status))
		status = 128 + WTERMSIG(status);
	else
		status = WEXITSTATUS(status);
	return (struct sample){ text_string(&all), len, status };
}

void
audit_words(const struct audit_job *job, char **argv)
{
	struct audit_job once = *job;
	struct sample s;

	once.stream = STREAM_ERR;
	s = audit_once(&once, argv);
	fwrite(s.text, 1, s.len, stderr);
	free(s.text);
}

/* So many runs more are done. */
static void
audit_progress(const struct audit_work *w, size_t more)
{
	struct audit_watch *watch = w->job->watch;
	size_t done = atomic_fetch_add(&watch->done, more) + more;
	int part = (int)(100 * done / watch->total);

	if (isatty(STDERR_FILENO) &&
	    atomic_exchange(&watch->part, part) != part)
		fprintf(stderr, "\r%s: %d %%\033[K", w->job->what, part);
}

static void
one_by_one(void *arg, unsigned part)
{
	struct audit_work *w = arg;
	size_t i;

	(void)part;
	while ((i = atomic_fetch_add(&w->next, 1)) < w->n) {
		w->sample[i] = audit_once(w->job, w->job->argv);
		audit_progress(w, 1);
	}
}

/* --- batches ------------------------------------------------------------- */

/*
 * Each process's draws are dealt out over the samples, so that each half of the
 * samples holds draws from every process: noise that a process draws once for
 * several draws shows.
 */

#define SHARE 50000	/* draws in a process, about */

/*
 * The command with the number of draws: in place of every {}, or without {} as
 * -n N before the first --, or at the end.
 */
static char **
with_count(char **argv, char *number)
{
	size_t n = 0, to = 0, at;
	bool marked = false;
	char **longer;

	for (; argv[n] != NULL; n++)
		marked = marked || strcmp(argv[n], "{}") == 0;
	for (at = 0; at < n && strcmp(argv[at], "--") != 0; at++)
		;
	longer = err_alloc(NULL, n + 3, sizeof(*longer));
	for (size_t i = 0; i <= n; i++) {
		if (!marked && i == at) {
			longer[to++] = "-n";
			longer[to++] = number;
		}
		if (i < n && strcmp(argv[i], "{}") == 0)
			longer[to++] = number;
		else if (i < n)
			longer[to++] = argv[i];
	}
	longer[to] = NULL;
	return longer;
}

/* Skips a header: the first line, if the output has a line too many. */
static char *
skip_header(char *text, size_t lines)
{
	size_t have = 0;
	char *p;

	for (p = text; (p = strchr(p, '\n')) != NULL; p++)
		have++;
	return have == lines + 1 ? strchr(text, '\n') + 1 : text;
}

/* The next `lines' lines at *p as a sample; false where lines are missing. */
static bool
cut_lines(char **p, size_t lines, struct sample *s)
{
	char *end = *p;

	for (size_t i = 0; i < lines; i++, end++)
		if ((end = strchr(end, '\n')) == NULL)
			return false;
	*s = (struct sample){ err_copy(*p, (size_t)(end - *p)),
	    (size_t)(end - *p), 0 };
	*p = end;
	return true;
}

/* The first thread here prints the command's words, and ends. */
static noreturn void
fail_batch(const struct audit_job *job, char **argv, const char *number,
    int status)
{
	static atomic_flag failing = ATOMIC_FLAG_INIT;

	while (atomic_flag_test_and_set(&failing))
		pause();
	audit_words(job, argv);
	err_die(STATUS_INPUT, "'%s -n %s' ended with status %d; try without "
	    "--batch", argv[0], number, status);
}

/* Share number `at` of `shares`: every so many-th sample. */
static void
run_share(struct audit_work *w, size_t at, size_t shares)
{
	size_t draws = (w->n - at + shares - 1) / shares, i;
	char number[32], **argv, *p;
	uint64_t header, before;
	struct sample all;

	snprintf(number, sizeof(number), "%zu", draws);
	argv = with_count(w->job->argv, number);
	all = audit_once(w->job, argv);
	if (all.status != 0)
		fail_batch(w->job, argv, number, all.status);
	p = skip_header(all.text, draws * w->job->lines);
	header = hash_bytes(all.text, (size_t)(p - all.text)) | 1;
	before = atomic_exchange(&w->job->watch->header, header);
	for (i = 0; i < draws && cut_lines(&p, w->job->lines,
	    &w->sample[at + i * shares]); i++)
		;
	/* what is passed over tells nothing: every run has the same */
	if (i < draws || *p != '\0' || (before != 0 && before != header))
		err_die(STATUS_INPUT, "'%s -n %s' did not print %zu lines for "
		    "each draw, or one header", argv[0], number, w->job->lines);
	free(all.text);
	free(argv);
}

/* A thread that makes share after share. */
static void
audit_batches(void *arg, unsigned part)
{
	struct audit_work *w = arg;
	size_t shares = w->job->jobs + w->n / SHARE, i;

	(void)part;
	shares = FIXED_LEAST(shares, w->n);
	while ((i = atomic_fetch_add(&w->next, 1)) < shares) {
		run_share(w, i, shares);
		audit_progress(w, w->n / shares);
	}
}

/* --- the whole ----------------------------------------------------------- */

struct sample *
audit_run(const struct audit_job *job, size_t n)
{
	struct audit_work w = { .job = job, .n = n };

	/* an audit must not spend the budget of the calling shell */
	unsetenv("DPUTILS_LEDGER");
	w.sample = err_alloc(NULL, n, sizeof(*w.sample));
	parts_run(job->jobs, job->batch ? audit_batches : one_by_one, &w);
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
	return w.sample;
}

void
audit_free(struct sample *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(s[i].text);
	free(s);
}
