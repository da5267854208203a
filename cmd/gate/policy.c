/* policy: a file with the rules for asks and the data. */
#include "policy.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/err.h"
#include "words.h"

static const char *const keys[] = { "data", "from", "ledger", "dataset",
	"account", "tools", "columns", "public", "max-epsilon", "least",
	"limits", "pace", "at-once", "witness", NULL };

/*
 * May others change this file, a folder's entries, or where a link leads?  A
 * sticky folder keeps entries.
 */
static bool
open_to_others(const struct stat *s)
{
	return (s->st_uid != 0 && s->st_uid != geteuid()) ||
	    ((s->st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
	    !S_ISLNK(s->st_mode) &&
	    !(S_ISDIR(s->st_mode) && (s->st_mode & S_ISVTX) != 0));
}

static void look_along(const char *what, const char *name, const char *path);

/* At a file or folder, and along what it says where it is a link. */
static void
look_at(const char *what, const char *name, const char *at)
{
	struct text to = TEXT_INIT;
	char link[PATH_MAX] = "";
	struct stat s;

	if (lstat(at, &s) != 0)
		err_sys("%s %s", what, at);
	if (open_to_others(&s))
		err_die(STATUS_INPUT, "%s %s: others may write to %s "
		    "(chmod go-w, chown root)", what, name, at);
	if (readlink(at, link, sizeof(link) - 1) < 0)
		return;
	text_printf(&to, "%.*s%s", link[0] == '/' ? 0 :
	    (int)(strrchr(at, '/') + 1 - at), at, link);
	look_along(what, name, to.buf);
	text_free(&to);
}

/* From / on, so that nobody else turns what comes after. */
static void
look_along(const char *what, const char *name, const char *path)
{
	size_t n = 0;

	do {
		char *at;

		n += 1 + strcspn(path + n + 1, "/");
		at = err_copy(path, n);
		look_at(what, name, at);
		free(at);
	} while (path[n] != '\0');
}

char *
policy_safe(const char *what, const char *path)
{
	char *real = realpath(path, NULL);

	if (path[0] != '/')
		err_die(STATUS_INPUT, "%s '%s' does not begin with /", what,
		    path);
	if (real == NULL)
		err_sys("%s %s", what, path);
	look_at(what, path, "/");
	look_along(what, path, path);
	return real;
}

static void
take_line(struct policy *p, size_t number, struct label line)
{
	char *text = err_copy(line.text, line.len), *rest = text;
	const char *wrong = NULL;
	size_t i = 0;

	text_field(&rest, " \t");
	rest = rest == NULL ? "" : rest + strspn(rest, " \t");
	while (keys[i] != NULL && strcmp(keys[i], text) != 0)
		i++;
	if (keys[i] == NULL)
		wrong = "no key";
	else if (*rest == '\0')
		wrong = "said without a value";
	else if (p->line[i] != NULL)
		wrong = "said twice";
	if (wrong != NULL)
		err_die(STATUS_INPUT, "policy %s: line %zu: '%s' is %s",
		    p->path, number, text, wrong);
	p->line[i] = err_copy(opts_line("the policy", rest), strlen(rest));
	free(text);
}

static void
read_lines(struct policy *p)
{
	FILE *f = fopen(p->path, "re");
	char *line = NULL;
	size_t cap = 0, number = 0;
	ssize_t n;

	if (f == NULL)
		err_sys("policy %s", p->path);
	while ((n = getline(&line, &cap, f)) >= 0) {
		struct label l = text_trim(line, strcspn(line, "\r\n"));

		number++;
		if (strlen(line) != (size_t)n)
			err_die(STATUS_INPUT, "policy %s: line %zu holds a NUL",
			    p->path, number);
		if (l.len > 0 && l.text[0] != '#')
			take_line(p, number, l);
	}
	if (ferror(f))
		err_sys("policy %s", p->path);
	free(line);
	fclose(f);
}

/* The program, and whatever file it is given, such as a script. */
static void
take_from(struct policy *p)
{
	p->from = words_split(p->line[POLICY_FROM]);
	for (char **word = p->from; *word != NULL; word++) {
		struct stat s;

		if (word == p->from || (**word == '/' &&
		    stat(*word, &s) == 0 && S_ISREG(s.st_mode)))
			free(policy_safe("from", *word));
	}
}

void
policy_read(struct policy *p, const char *path)
{
	static const int at[] = { POLICY_DATA, POLICY_LEDGER, POLICY_PUBLIC,
	    POLICY_WITNESS };
	char *old;

	*p = (struct policy){ .path = policy_safe("policy", path),
	    .to = { .dataset = LEDGER_DATASET, .account = "" },
	    .most = { 0, 1 }, .least = { 0, 1 }, .at_once = INT32_MAX };
	read_lines(p);
	if ((p->line[POLICY_DATA] == NULL) == (p->line[POLICY_FROM] == NULL) ||
	    p->line[POLICY_LEDGER] == NULL || p->line[POLICY_TOOLS] == NULL)
		err_die(STATUS_INPUT, "policy %s: it needs ledger, tools, and "
		    "either data or from", p->path);
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		if ((old = p->line[at[i]]) != NULL) {
			p->line[at[i]] = policy_safe(keys[at[i]], old);
			free(old);
		}
	if (p->line[POLICY_FROM] != NULL)
		take_from(p);
	if (p->line[POLICY_DATASET] != NULL)
		p->to.dataset = p->line[POLICY_DATASET];
	if (p->line[POLICY_ACCOUNT] != NULL)
		p->to.account = p->line[POLICY_ACCOUNT];
	if (p->line[POLICY_PACE] != NULL)
		p->pace = opts_count("pace", p->line[POLICY_PACE], 1, 3600);
	if (p->line[POLICY_AT_ONCE] != NULL)
		p->at_once = opts_count("at-once", p->line[POLICY_AT_ONCE], 1,
		    1000);
	if (p->line[POLICY_MOST] != NULL)
		p->most = opts_epsilon("max-epsilon", p->line[POLICY_MOST]);
	if (p->line[POLICY_LEAST] != NULL)
		p->least = opts_epsilon("least", p->line[POLICY_LEAST]);
}

bool
policy_has(const char *text, const char *word)
{
	size_t len, want = strlen(word);

	for (; *text != '\0'; text += len) {
		text += strspn(text, " \t");
		len = strcspn(text, " \t");
		if (len > 0 && len == want && strncmp(text, word, len) == 0)
			return true;
	}
	return false;
}
