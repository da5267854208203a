/* child: a tool of the family on the input, without a ledger or a terminal. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "describe.h"
#include "tool/err.h"
#include "tool/host.h"

#define WORDS 20	/* of a command, at most */

extern char **environ;

struct words {
	char *at[WORDS + 1];
	size_t n;
};

static void
word(struct words *w, const char *option, const char *value)
{
	struct text t = TEXT_INIT;

	text_printf(&t, "%s%s", option, value);
	w->at[w->n++] = text_string(&t);
}

/*
 * What the line says of the input.  A person has the mean of the rows, and
 * counts once in each column, unless the schema says otherwise.
 */
static void
pass_on(struct words *w, const struct describe *d, const struct piece *p)
{
	const struct opts *o = &d->opts;
	const struct unit *u = &o->unit;
	char buf[FIXED_TEXT];

	if (opts_given(o, OPT_PEOPLE) != NULL)
		word(w, "--unit=", u->column);
	if (p->n > 0 && u->column != NULL && u->most == 0) {
		if (p->kind == PIECE_KEYS && u->groups == 0 &&
		    o->schema->privacy.max_groups == NULL)
			word(w, "--max-groups=", "1");
		if (p->kind != PIECE_KEYS && (u->per == PER_NONE ||
		    opts_totals(o)))
			word(w, "--per=", "mean");
	}
	if (opts_given(o, 'd') != NULL)
		word(w, "--delimiter=", o->delimiter == '\t' ? "tab" :
		    (char[]){ o->delimiter, '\0' });
	/* another stream of draws for each piece */
	if (opts_given(o, OPT_SEED) != NULL)
		word(w, "--seed=", fixed_text(buf, (i128)o->seed + (p -
		    d->piece), 0));
}

static void
command(struct words *w, const struct describe *d, const struct piece *p)
{
	static const char *const verbs[PIECE_KINDS] = { "count", "stats",
	    "--quantile=0.25,0.5,0.75", "hist" };
	char eps[RATIONAL_TEXT];

	w->at[w->n++] = host_beside(p->kind == PIECE_QUARTILES ?
	    "em-quantile" : "laplace");
	word(w, verbs[p->kind], "");
	word(w, "--schema=", "/dev/fd/3");
	word(w, "--format=", "plain");
	if (p->columns != NULL)
		word(w, "--column=", p->columns);
	if (p->n > 1)
		word(w, "--on-bad=", "center");
	pass_on(w, d, p);
	if (d->opts.check) {
		word(w, "--check", "");
		return;
	}
	word(w, "--epsilon=", rational_exact(eps, p->eps));
	if (p->kind != PIECE_QUARTILES)
		word(w, "--interval=", "0.95");
}

/* A file's bytes as a string, and the file is closed. */
static char *
child_text(int fd)
{
	struct text t = TEXT_INIT;

	if (lseek(fd, 0, SEEK_SET) != 0 || !text_read(&t, fd, SIZE_MAX))
		err_sys("memory");
	close(fd);
	return text_string(&t);
}

static void
child_spawn(char **argv, const int fd[4], pid_t *pid)
{
	posix_spawn_file_actions_t a;
	int error = posix_spawn_file_actions_init(&a);

	for (int i = 0; i < 4 && error == 0; i++)
		error = fd[i] < 0 ? posix_spawn_file_actions_addopen(&a, i,
		    "/dev/null", O_RDONLY, 0) :
		    posix_spawn_file_actions_adddup2(&a, fd[i], i);
	if (error == 0)
		error = posix_spawnp(pid, argv[0], &a, NULL, argv, environ);
	if (error != 0)
		err_die(STATUS_INPUT, "cannot run %s: %s", argv[0],
		    strerror(error));
	posix_spawn_file_actions_destroy(&a);
}

int
child_run(const struct describe *d, const struct piece *p, const char *option,
    int input, char **out, char **err)
{
	struct text none = TEXT_INIT;
	int fd[4] = { input, text_file(&none, "memory"), text_file(&none,
	    "memory"), d->schema }, status;
	struct words w = { .n = 0 };
	pid_t pid;

	command(&w, d, p);
	if (option != NULL)
		word(&w, option, "");
	if ((input >= 0 && lseek(input, input == STDIN_FILENO ? d->start : 0,
	    SEEK_SET) < 0) || lseek(d->schema, 0, SEEK_SET) < 0)
		err_sys("the input");
	child_spawn(w.at, fd, &pid);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			err_sys("waiting for %s", w.at[0]);
	while (w.n > 0)
		free(w.at[--w.n]);
	*out = child_text(fd[1]);
	*err = child_text(fd[2]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_INPUT;
}

char *
child_words(char *err)
{
	char *line, *last = err, *words;

	while ((line = text_field(&err, "\n")) != NULL)
		if (*line != '\0')
			last = line;
	words = strstr(last, ": ");
	return words != NULL ? words + 2 : last;
}
