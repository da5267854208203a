/*
 * batch: many draws from one process.
 *
 * Each process's draws are dealt out over the samples, so that each half of the
 * samples holds draws from every process: noise that a process draws once for
 * several draws shows.
 */
#include "number/fixed.h"
#include "run.h"
#include "tool/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


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
	struct sample all;

	snprintf(number, sizeof(number), "%zu", draws);
	argv = with_count(w->job->argv, number);
	all = audit_once(w->job, argv, SIZE_MAX / 4);
	if (all.status != 0)
		fail_batch(w->job, argv, number, all.status);
	p = skip_header(all.text, draws * w->job->lines);
	for (i = 0; i < draws; i++)
		if (!cut_lines(&p, w->job->lines, &w->sample[at + i * shares]))
			err_die(STATUS_INPUT, "'%s -n %s' did not print %zu "
			    "lines for each draw", argv[0], number,
			    w->job->lines);
	free(all.text);
	free(argv);
}

void
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
