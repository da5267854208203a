/* ask: from the asked words to a tool's command line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gate.h"
#include "input/view.h"
#include "tool/digest.h"

#define SENT_MOST (1 << 20)	/* bytes that an asker may send */
#define LABEL 200		/* bytes kept in the ledger from the words */
#define LIMITS "10:128:1048576"	/* of a record, and of what is kept */
#define PATIENCE 60		/* seconds that a tool may take for its table */

struct asked {
	const struct policy *p;
	struct tool tool;	/* the tool's name and open options */
	struct opt row[OPTS_ROWS];
	size_t n;
	struct opts o;
	char **argv;		/* the tool's */
	size_t argc;
	char **said;		/* the words, with options spelled out */
	bool sends;
	bool weighed;		/* the budget has a column of weights */
	struct rational eps;
	uint64_t repeat;
};

/* --- the tool's table ---------------------------------------------------- */

/* The fields of a line, at tabs. */
static bool
fields(char *line, const char *field[4], int n)
{
	for (int i = 0; i < n; i++)
		field[i] = text_field(&line, "\t");
	return field[n - 1] != NULL && line == NULL;
}

static bool
add_row(struct asked *a, char *line)
{
	size_t n = a->n;
	const char *f[4];

	if (n == OPTS_ROWS || !fields(line, f, 4))
		return false;
	a->row[n] = (struct opt){ f[1][0] == '-' ? 256 + (int)n : f[1][0],
	    f[0], strcmp(f[2], "-") == 0 ? NULL : f[2], NULL, f[3] };
	a->o.row[a->n++].opt = &a->row[n];
	return true;
}

/* The tool itself lists its options, and the open options. */
static void
read_table(struct asked *a, char *path)
{
	static char help[] = "--help", options[] = "options";
	char *argv[] = { path, help, options, NULL };
	struct outcome said = gate_run(NULL, argv, -1, PATIENCE);
	struct label all = gate_bytes(said.out);
	char *rest = err_copy(all.text, all.len);
	char *line = text_field(&rest, "\n");
	const char *f[4] = { NULL };
	bool known = said.status == STATUS_OK && fields(line, f, 3);

	if (known && strcmp(f[1], "open") != 0)
		err_die(STATUS_USAGE, "%s is not for people who may not see "
		    "the data", f[0]);
	a->tool = (struct tool){ .name = f[0], .ask = f[2] };
	a->o = (struct opts)OPTS_INIT(&a->tool);
	while (known && (line = text_field(&rest, "\n")) != NULL &&
	    *line != '\0')
		known = add_row(a, line);
	if (!known)
		err_die(STATUS_INPUT, "%s does not list its options", path);
}

static void
add(struct asked *a, char *word)
{
	a->argv = err_alloc(a->argv, a->argc + 2, sizeof(*a->argv));
	a->argv[a->argc++] = word;
	a->argv[a->argc] = NULL;
}

/* An option in full form, if the tool has the option. */
static void
add_option(struct asked *a, const char *name, const char *value)
{
	struct text t = TEXT_INIT;
	size_t i = 0;

	while (i < a->n && strcmp(a->row[i].name, name) != 0)
		i++;
	if (i == a->n || (value == NULL && a->row[i].arg != NULL))
		return;
	text_printf(&t, "--%s%s%s", name, value == NULL ? "" : "=",
	    value == NULL ? "" : value);
	add(a, text_string(&t));
}

/* --- values ------------------------------------------------------------- */

/*
 * The policy's columns, at most so many, or any columns without a list.  A
 * view, such as age@10, is as open as its column, where the ledger's schema
 * reads it as a view.
 */
static void
check_columns(const struct policy *p, const char *names, size_t len,
    size_t most)
{
	char *some = err_copy(names, len), *all = some;
	const struct schema *s = strchr(all, '@') != NULL ? gate_schema(p) :
	    NULL;

	if (s != NULL) {
		some = view_columns(s, all);
		free(all);
	}
	if (p->line[POLICY_COLUMNS] != NULL && (names_count(some) > most ||
	    !names_within(p->line[POLICY_COLUMNS], some)))
		err_die(STATUS_USAGE, "'%s' is not a column that you may ask "
		    "for (show names them%s)", some, strchr(some, '@') != NULL ?
		    "; views such as @month need a budget with a schema" : "");
	free(some);
}

/* Attributes of a list, `sex=F,M;age=17..90', are columns. */
static void
check_list(const struct policy *p, const char *list)
{
	size_t len;

	if (p->line[POLICY_COLUMNS] != NULL && strchr(list, '"') != NULL)
		err_die(STATUS_USAGE, "no quotes here within a list of "
		    "--domain");
	for (;; list += len + 1) {
		check_columns(p, list, strcspn(list, "="), 1);
		len = strcspn(list, ";");
		if (list[len] == '\0')
			return;
	}
}

/* A sent file has the asker's header, where a file names columns. */
static void
add_file(struct asked *a, const struct opt *r, const char *name)
{
	bool names = strchr(r->arg, '|') != NULL &&
	    a->p->line[POLICY_COLUMNS] != NULL;
	char *path = gate_public(a->p, name);

	if (strcmp(name, "-") == 0 && !names) {
		a->sends = true;
		add_option(a, r->name, GATE_SENT);
		return;
	}
	if (path == NULL)
		err_die(STATUS_USAGE, "'%s' is not a file that you may name "
		    "here (show lists them; - is what you send)", name);
	add_option(a, r->name, path);
	free(path);
}

/*
 * A tool takes a list for a single name where the header has this name, and the
 * column may not be open: a quote makes it a list.
 */
static void
add_columns(struct asked *a, const struct opt *r, const char *list)
{
	const char *end = names_end(list);
	struct text t = TEXT_INIT;
	char *names;

	check_columns(a->p, list, strlen(list), SIZE_MAX);
	if (*end == ',' && *list != '"')
		text_printf(&t, "\"%.*s\"", (int)(end - list), list);
	else
		end = list;
	text_add(&t, end);
	names = text_string(&t);
	add_option(a, r->name, names);
	free(names);
}

/* An option with the tool's argument for the asker's argument. */
static void
add_value(struct asked *a, const struct opt *r, const char *text)
{
	bool list = strcmp(r->arg, "FILE|LIST") == 0 && opts_listed(text);

	if (strstr(r->arg, "FILE") != NULL && !list) {
		add_file(a, r, text);
		return;
	}
	if (strcmp(r->arg, "COL[,COL...]") == 0) {
		add_columns(a, r, text);
		return;
	}
	if (list)
		check_list(a->p, text);
	else if (strncmp(r->arg, "COL", 3) == 0)
		check_columns(a->p, text, strcspn(text, strchr(r->arg, '=') !=
		    NULL ? "=" : ""), 1);
	add_option(a, r->name, text);
}

/* --- options ------------------------------------------------------------ */

static void
check_open(const struct opt *r, const char *text)
{
	bool not = strncmp(r->ask, "not ", 4) == 0;
	bool only = strncmp(r->ask, "only ", 5) == 0;

	if (strcmp(r->ask, "open") == 0 ||
	    (not && strcmp(r->ask + 4, text) != 0) ||
	    (only && strcmp(r->ask + 5, text) == 0))
		return;
	err_die(STATUS_USAGE, "--%s%s%s is not yours to choose: the policy and "
	    "the budget say it, or nobody does", r->name, not ? " " : "",
	    not ? text : "");
}

static void
take_option(struct asked *a, const struct opt *r, const char *text)
{
	check_open(r, text);
	if (r->code == 'e')
		a->eps = opts_epsilon("--epsilon", text);
	if (r->code == 'n')
		a->repeat = opts_count("--repeat", text, 1, UINT64_MAX);
	if (a->p->most.num > 0 &&
	    rational_cmp(account_times(a->eps, a->repeat), a->p->most) > 0)
		err_die(STATUS_USAGE, "one release may cost %s at most, by -e, "
		    "and -n times that", a->p->line[POLICY_MOST]);
	if (text == NULL)
		add_option(a, r->name, NULL);
	else
		add_value(a, r, text);
}

/*
 * A tool that requires --domain or --keys takes it from the schema, for what -c
 * has, and then reads records: universe_check, and choice_check, where nothing
 * but -s and --scale, which are closed, makes candidates of two columns.  Where
 * the budget has weights, each line would be an element with its count.
 */
static bool
schema_gives(const struct asked *a, const char *name)
{
	const struct schema *s;

	if (opts_given(&a->o, 'c') == NULL || (strcmp(name, "--domain") == 0 &&
	    a->weighed))
		return false;
	s = gate_schema(a->p);
	return s != NULL && s->n > 0;
}

/* One operation at most, and the options required for an open tool. */
static void
check_words(const struct asked *a)
{
	const struct opts *o = &a->o;

	for (size_t i = 0; i < o->noperands; i++)
		if (i > 0 || o->operands[i][0] == '-' ||
		    !policy_has(a->tool.ask, o->operands[i]))
			err_die(STATUS_USAGE, "'%s' is not an operation that "
			    "you may ask for (%s), and you cannot name files "
			    "here", o->operands[i], a->tool.ask);
	for (const struct opt_row *r = o->row; r->opt != NULL; r++) {
		char name[64] = "--";

		strncat(name, r->opt->name, sizeof(name) - 3);
		if (r->given == NULL && policy_has(a->tool.ask, name) &&
		    !schema_gives(a, name))
			err_die(STATUS_USAGE, "%s is needed here: without it "
			    "lines of the data would be public", name);
	}
}

/* False for a request for help alone, which lists what is open. */
static bool
take_words(struct asked *a, char **words)
{
	static char open[] = "open";
	int argc = 0, c;
	size_t i;

	while (words[argc] != NULL)
		argc++;
	/* the label has the words as asked; opts_next spells options out */
	a->said = err_alloc(NULL, (size_t)argc + 1, sizeof(*a->said));
	memcpy(a->said, words, ((size_t)argc + 1) * sizeof(*a->said));
	words = a->said;
	optind = 0;	/* getopt begins anew */
	while ((c = opts_next(&a->o, argc, words)) != -1) {
		for (i = 0; a->row[i].code != c; i++)
			;
		take_option(a, &a->row[i], a->row[i].arg == NULL ? NULL :
		    optarg);
		if (c == 'h')
			add(a, open);
		if (c == 'h' || c == 'V')
			return false;
	}
	return true;
}

/* --- words from policy and budget ----------------------------------------- */

static void
add_label(struct asked *a, char **words)
{
	struct text t = TEXT_INIT;
	const char *who = a->p->line[POLICY_ACCOUNT];
	char *s;

	text_printf(&t, "%s:", who != NULL ? who :
	    strrchr(a->p->path, '/') + 1);
	for (; *words != NULL; words++)
		text_printf(&t, " %s", *words);
	if (t.len > LABEL)	/* not within a character */
		for (t.len = LABEL; (t.buf[t.len] & 0xc0) == 0x80; t.len--)
			;
	s = text_string(&t);
	add_option(a, "label", s);
	free(s);
}

/* The bytes of the digest behind a metric's file, which the tool makes anew. */
static size_t
digest(const char *metric)
{
	size_t len = strlen(metric), tail = DIGEST_TEXT + strlen(" (");

	return len > tail && metric[len - 1] == ')' &&
	    strncmp(metric + len - tail, " (", 2) == 0 ? tail : 0;
}

/* Bound facts have the names of their options. */
static void
add_bound(struct asked *a, const char *const *is)
{
	static const enum bound rows[] = { BOUND_NEIGHBORS, BOUND_METRIC,
	    BOUND_PUBLIC, BOUND_UNIT, BOUND_WEIGHT, BOUND_DELIMITER,
	    BOUND_QUOTE };

	for (size_t i = is[BOUND_METRIC] != NULL; i < sizeof(rows) /
	    sizeof(rows[0]); i++)
		if (is[rows[i]] != NULL) {
			char *said = err_copy(is[rows[i]], strlen(is[rows[i]])
			    - digest(is[rows[i]]));

			add_option(a, bound_name(rows[i]), said);
			free(said);
		}
	if (is[BOUND_HEADER] != NULL)
		add_option(a, "no-header", NULL);
	if (is[BOUND_GROUPED] != NULL)
		add_option(a, "grouped", NULL);
}

/* A small charge is a question all the same, if only by how its tool ends. */
static void
check_least(const struct asked *a, const struct purse *purse)
{
	struct rational least = gate_least(a->p, purse), each;
	char all[ACCOUNT_TEXT], one[ACCOUNT_TEXT];

	if (a->eps.num == 0 ||
	    rational_cmp(account_times(a->eps, a->repeat), least) >= 0)
		return;
	if (!rational_div(&each, least, (struct rational){ (i128)a->repeat,
	    1 }))
		each = least;
	err_die(STATUS_USAGE, "one release costs %s at least: -e %s",
	    account_text(all, least, FIXED_CEIL),
	    account_text(one, each, FIXED_CEIL));
}

/* What the ledger says of the question, and what the words then lack. */
static void
look_at_purse(struct asked *a)
{
	struct purse purse;
	struct ledger *l = gate_purse(a->p, &purse);

	a->weighed = purse.bounds.is[BOUND_WEIGHT] != NULL;
	check_words(a);
	check_least(a, &purse);
	add_bound(a, purse.bounds.is);
	ledger_purse_end(&purse);
	ledger_close(l);
}

static int
sent_file(void)
{
	struct text sent = TEXT_INIT;

	if (!text_read(&sent, STDIN_FILENO, SENT_MOST))
		err_sys("standard input");
	if (sent.len > SENT_MOST)
		err_die(STATUS_USAGE, "more than %d bytes were sent",
		    SENT_MOST);
	return text_file(&sent, "memory");
}

struct request
gate_ask(const struct policy *p, char **words)
{
	static struct asked a;
	static char dashes[] = "--";
	struct request r = { .sent = -1 };

	if (strchr(words[0], '/') != NULL ||
	    !policy_has(p->line[POLICY_TOOLS], words[0]))
		err_die(STATUS_USAGE, "'%s' is not a tool that you may ask for "
		    "(show, %s)", words[0], p->line[POLICY_TOOLS]);
	a = (struct asked){ .p = p, .repeat = 1, .eps = { 0, 1 } };
	add(&a, host_beside(words[0]));
	read_table(&a, a.argv[0]);
	r.charges = take_words(&a, words);
	r.argv = a.argv;
	if (r.charges)
		look_at_purse(&a);
	if (a.sends)
		r.sent = sent_file();
	if (!r.charges)
		return r;
	/* a look at all columns is one at all that may be named */
	if (opts_given(&a.o, 'c') == NULL)
		add_option(&a, "columns", p->line[POLICY_COLUMNS]);
	add_option(&a, "ledger", p->line[POLICY_LEDGER]);
	add_option(&a, "dataset", p->line[POLICY_DATASET]);
	add_option(&a, "account", p->line[POLICY_ACCOUNT]);
	add_option(&a, "limits", p->line[POLICY_LIMITS] != NULL ?
	    p->line[POLICY_LIMITS] : LIMITS);
	add_label(&a, words);
	add(&a, dashes);
	if (a.o.noperands > 0)
		add(&a, a.o.operands[0]);
	r.argv = a.argv;
	return r;
}
