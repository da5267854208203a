/* opts: the shared options, in one table. */
#include "opts.h"

#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
#include "err.h"
#include "host.h"
#include "random/rng.h"
#include "metric_spec.h"

static const struct opt shared[] = {
	{ 'e', "epsilon", "E", "privacy budget of one release", OPEN },
	{ 'c', "column", "COL[,COL...]", "columns by name or number", OPEN },
	{ 'd', "delimiter", "C", "field delimiter, default ',' (or tab)" },
	{ 'H', "no-header", NULL, "the first record is data" },
	{ OPT_HEADER, "header", NULL, "it is names, though numbers" },
	{ OPT_SCHEMA, "schema", "FILE", "what columns are: a Table Schema" },
	{ OPT_MISSING, "missing", "LIST", "cells that mean no value: 99,-999" },
	{ OPT_QUOTE, "quote", "none", "the file never quotes" },
	{ OPT_SQL, "sql", "DIALECT[:TABLE]",
	    "print a query for --grouped; read nothing" },
	{ OPT_GROUPED, "grouped", NULL, "read the rows of --sql's query" },
	{ OPT_SHARDS, "shards", "N",
	    "with --grouped: the rows of N queries" },
	{ 'w', "weight", "COL", "counts of equal lines, no survey weights" },
	{ OPT_EXPECT_WEIGHT, "expect-weight", "N",
	    "refuse data of another total" },
	{ 'f', "format", "F", "plain, csv, tsv or json", OPEN },
	{ 'n', "repeat", "N", "N releases, charged N times", OPEN },
	{ 'g', "group", "COL[,COL...]",
	    "one answer for each key of --groups", OPEN },
	{ OPT_GROUPS, "groups", "FILE", "the public keys, one per line", OPEN },
	{ OPT_OTHERS, "others", NULL,
	    "one more answer, for all other keys", OPEN },
	{ OPT_PEOPLE, "unit", "COL", "rows of one COL are one person's" },
	{ OPT_PER, "per", "HOW",
	    "record: sum, mean, count, min, max, any, share", OPEN },
	{ OPT_MAX_ROWS, "max-rows", "K", "or up to K rows of a person", OPEN },
	{ OPT_MAX_GROUPS, "max-groups", "K",
	    "a person counts in up to K groups", OPEN },
	{ OPT_UNIT_SORTED, "unit-sorted", NULL, "input is sorted by --unit" },
	{ OPT_EPS_COLUMN, "epsilon-column", "COL",
	    "a record's own epsilon, at most E", OPEN },
	{ OPT_SLICE, "slice", "COL=VALUE", "records of this slice", OPEN },
	{ OPT_NEIGHBORS, "neighbors", "R", "add-remove or swap" },
	{ OPT_PUBLIC, "public", "COL[,COL...]",
	    "columns that are public under swap" },
	{ OPT_RANGE, "range", "A:B[,A:B...]",
	    "public range; clamps values", OPEN },
	{ OPT_ON_BAD, "on-bad", "P",
	    "bad cells: drop, center, a number, fail",
	    "not fail" },
	{ OPT_DIGITS, "digits", "K", "decimals of the grid, 0 to 18", OPEN },
	{ OPT_WITHIN, "within", "X", "epsilon for a 95 % error of X, or X%" },
	{ OPT_INTERVAL, "interval", "P",
	    "also bounds that hold with chance P", OPEN },
	{ OPT_LEDGER, "ledger", "FILE", "charge a budget ledger" },
	{ OPT_DATASET, "dataset", "NAME", "whose budget in the ledger" },
	{ OPT_ACCOUNT, "account", "NAME", "who pays, of those allotted" },
	{ OPT_RELEASE_ID, "release-id", "ID", "retry without a charge", OPEN },
	{ OPT_LABEL, "label", "TEXT", "kept with the ledger entry" },
	{ OPT_LIMITS, "limits", "US:BYTES:KEPT", "of a record; of an entry" },
	{ OPT_THREADS, "threads", "N", "the result is the same for any N" },
	{ OPT_EXPLAIN, "explain", NULL,
	    "say what it would do; read nothing", OPEN },
	{ OPT_CHECK, "check", NULL, "report bad input; release nothing" },
	{ OPT_NON_PRIVATE, "non-private", NULL, "the value without noise" },
	{ OPT_SEED, "seed", "N", "reproducible noise; NOT private" },
	{ 'v', "verbose", NULL, "the report of --explain on stderr", OPEN },
	{ 'h', "help", NULL,
	    "this text; see man dputils, dputils-cookbook", OPEN },
	{ 'V', "version", NULL, "name and version", OPEN },
};

#define SHARED (sizeof(shared) / sizeof(shared[0]))

bool
opts_among(const int *codes, int code)
{
	for (; *codes != 0; codes++)
		if (*codes == code)
			return true;
	return false;
}

const char *
opts_ledger(void)
{
	const char *ledger = getenv("DPUTILS_LEDGER");

	if (ledger != NULL && *ledger == '\0')
		err_die(STATUS_USAGE, "DPUTILS_LEDGER is empty: name a ledger, "
		    "or unset DPUTILS_LEDGER");
	return ledger;
}

bool
opts_totals(const struct opts *o)
{
	return o->unit.per == PER_SUM || o->unit.per == PER_COUNT;
}

bool
opts_takes(const struct opts *o, int code)
{
	const struct opt_row *r = o->row;

	while (r->opt != NULL && r->opt->code != code)
		r++;
	return r->opt != NULL;
}

static void
set_table(struct opts *o)
{
	bool only = o->tool->only[0] != 0;
	const int *codes = only ? o->tool->only : o->tool->without;
	struct opt_row *end = o->row;

	for (size_t i = 0; o->tool->rows[i].name != NULL; i++)
		(end++)->opt = &o->tool->rows[i];
	for (size_t i = 0; i < SHARED; i++)
		if (opts_among(codes, shared[i].code) == only)
			(end++)->opt = &shared[i];
	err_name(o->tool->name);
	err_guard();
	host_guard();
}

const struct opt *
opts_given(const struct opts *o, int code)
{
	const struct opt_row *r = o->row;

	while (r->opt != NULL && (r->opt->code != code || r->given == NULL))
		r++;
	return r->opt;
}

/* A word as a shell would take it. */
static void
say_word(struct text *out, const char *word)
{
	bool plain = *word != '\0' &&
	    strpbrk(word, " \t\n'\"\\$`;&|<>()*?[]{}#~!") == NULL;

	text_add(out, plain ? " " : " '");
	for (; *word != '\0'; word++)
		if (*word == '\'')
			text_add(out, "'\\''");
		else
			text_bytes(out, word, 1);
	text_add(out, plain ? "" : "'");
}

/*
 * Options that stand in columns of their own in a ledger's log, or print no
 * release.
 */
static const int logged[] = { OPT_LEDGER, OPT_DATASET, OPT_ACCOUNT,
	OPT_RELEASE_ID, OPT_LABEL, OPT_LIMITS, OPT_SQL, 0 };

/* An option as words of the command. */
static void
say_option(struct text *out, const struct opt *r)
{
	if (opts_among(logged, r->code))
		return;
	if (r->code < 256)
		text_printf(out, " -%c", r->code);
	else
		text_printf(out, " --%s", r->name);
	if (r->arg != NULL)
		say_word(out, optarg);
}

static char found[64];	/* as getopt keeps optarg */

const char *
opts_found(void)
{
	return found;
}

/* Keeps each option's argument for opts_record, and its words. */
static void
note_given(struct opts *o, int code)
{
	struct opt_row *r = o->row;

	while (r->opt != NULL && r->opt->code != code)
		r++;
	if (r->opt == NULL)
		return;
	snprintf(found, sizeof(found), "--%s", r->opt->name);
	if (r->opt->arg != NULL && r->given != NULL)
		err_die(STATUS_USAGE, "%s is given twice", found);
	r->given = "";
	if (r->opt->arg != NULL)
		r->given = optarg;
	say_option(&o->said, r->opt);
}

/*
 * Options that do not change the released numbers.  A release id belongs to a
 * data set already.
 */
static const int aside[] = { 'v', OPT_LEDGER, OPT_LABEL, OPT_RELEASE_ID,
	OPT_LIMITS, OPT_THREADS, OPT_DATASET, OPT_EXPECT_WEIGHT, 0 };

/*
 * A given option's argument.  Under a release id a digest stands for a public
 * file, so that a retry prints no old numbers under new keys.
 */
static void
record_value(const struct opts *o, const struct opt_row *r, struct text *out)
{
	const char *kind = "";
	char digest[DIGEST_TEXT];
	struct text value = TEXT_INIT;

	if (o->charge.id != NULL && r->opt->arg != NULL)
		kind = r->opt->arg;
	if (strcmp(kind, "FILE") == 0 || (strcmp(kind, "FILE|LIST") == 0 &&
	    !opts_listed(r->given)))
		text_add(&value, digest_file(r->opt->name, r->given, digest));
	else if (strcmp(kind, "SPEC") == 0)
		metric_name(&value, r->given);
	else
		text_add(&value, r->given);
	text_exact(out, value.buf, value.len);
	text_free(&value);
}

/* The operands from one to another, as in a list of JSON. */
static void
record_operands(const struct opts *o, size_t from, size_t to, struct text *out)
{
	for (size_t i = from; i < to; i++) {
		text_add(out, i > from ? ", " : "");
		text_exact(out, o->operands[i], strlen(o->operands[i]));
	}
}

/* How many operands are public. */
static size_t
open_operands(const struct opts *o)
{
	return FIXED_LEAST(o->noperands, o->op.secret ? 1 : SIZE_MAX);
}

void
opts_record(const struct opts *o, struct text *out)
{
	text_printf(out, "{\"tool\": \"%s\", ", o->tool->name);
	for (const struct opt_row *r = o->row; r->opt != NULL; r++) {
		if (r->given == NULL || opts_among(aside, r->opt->code))
			continue;
		text_printf(out, "\"%s\": ", r->opt->name);
		record_value(o, r, out);
		text_add(out, ", ");
	}
	text_add(out, "\"operands\": [");
	record_operands(o, 0, open_operands(o), out);
	text_add(out, "]}");
}

char *
opts_secret(const struct opts *o)
{
	struct text t = TEXT_INIT;

	record_operands(o, open_operands(o), o->noperands, &t);
	return t.len > 0 ? text_string(&t) : NULL;
}

char *
opts_command(const struct opts *o)
{
	struct text out = TEXT_INIT;
	size_t i = 0, open = open_operands(o);

	text_add(&out, o->tool->name);
	/* dp-gate has an operation after the dashes */
	while (i < FIXED_LEAST(o->plain, open) ||
	    (i < open && o->tool->ask != NULL))
		say_word(&out, o->operands[i++]);
	text_bytes(&out, o->said.buf, o->said.len);
	text_add(&out, open > i ? " --" : "");
	while (i < open)
		say_word(&out, o->operands[i++]);
	if (o->noperands > open)
		text_add(&out, " ...");
	if (o->file != NULL)
		say_word(&out, o->file);
	return text_string(&out);
}

/* Our option, or a cure in words, for a foreign program's name. */
static const char *
other_word(const char *text)
{
	static const char *const words[][2] = { { "bounds", "range" },
	    { "min", "range" }, { "max", "range" }, { "lower", "range" },
	    { "upper", "range" }, { "clamp", "range" }, { "ci", "interval" },
	    { "group-by", "group" }, { "by", "group" }, { "where", "slice" },
	    { "filter", "slice" }, { "sep", "delimiter" }, { "eps", "epsilon" },
	    { "separator", "delimiter" }, { "confidence", "interval" },
	    { "budget", "ledger" }, { "csv", "format" }, { "json", "format" },
	    { "delta", "no delta is needed: every release is pure epsilon" },
	    { "noise", "the tool chooses the noise: --explain tells which" },
	    { "within", "here the error depends on the data; see --explain" },
	    { "N", "-H says that the first record is data" },
	    { "o", "answers go to standard output: > FILE" },
	    { "output", "answers go to standard output: > FILE" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i][0], text) == 0)
			return words[i][1];
	return text;
}

/* getopt refused the word: no option, several options, or an extra argument. */
static noreturn void
bad_word(const struct opts *o, const char *word)
{
	size_t len = strcspn(word, "="), many = 0, n = 0;
	const char *names[OPTS_ROWS], *near, *other;
	struct text begun = TEXT_INIT;
	char *text = err_copy(word, len);

	for (; o->row[n].opt != NULL; n++) {
		names[n] = o->row[n].opt->name;
		if (strncmp(names[n], text, len) == 0)
			text_printf(&begun, "%s--%s", many++ > 0 ? ", " : "",
			    names[n]);
	}
	if (many > 1)
		err_die(STATUS_USAGE, "--%s is short for several: %s", text,
		    text_string(&begun));
	if (many == 1)
		err_die(STATUS_USAGE, "%s takes no argument",
		    text_string(&begun));
	other = other_word(text);
	if (strchr(other, ' ') != NULL)
		err_die(STATUS_USAGE, "no option --%s: %s", text, other);
	near = names_near(other, names, n);
	if (near != NULL)
		err_die(STATUS_USAGE, "no option --%s; did you mean --%s? (see "
		    "%s --help)", text, near, o->tool->name);
	err_die(STATUS_USAGE, "no option --%s (see %s --help)", text,
	    o->tool->name);
}

static noreturn void
bad_option(const struct opts *o, int c, const char *at)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	const char *name = letter, *cure = "", *other = other_word(letter + 1);
	bool word = strncmp(at, "--", 2) == 0;

	if (word || optopt <= 0 || optopt > 255)
		name = at;
	if (c == ':')
		err_die(STATUS_USAGE, "missing argument of %s (see %s --help)",
		    name, o->tool->name);
	if (word)
		bad_word(o, at + 2);
	if (optopt >= '0' && optopt <= '9')
		cure = "; numbers below 0 come after --";
	if (strchr(other, ' ') != NULL)
		err_die(STATUS_USAGE, "no option %s: %s", letter, other);
	err_die(STATUS_USAGE, "no option %s%s (see %s --help)", letter, cure,
	    o->tool->name);
}

/*
 * A leading '-' makes getopt hand out operands in order, whatever
 * POSIXLY_CORRECT says; ':' leaves the messages to opts.  A single dash before
 * a long name spells another option's argument; no long name is a letter.
 */
static int
next_code(const struct opts *o, int argc, char **argv)
{
	const char *word = optind < argc ? argv[optind] : "";
	const char *name = word[0] == '-' ? other_word(word + 1) : "";
	struct option longs[OPTS_ROWS + 2] = { { NULL } }, *l = longs;
	char letters[2 * OPTS_ROWS + 3] = "-:", *c = letters + 2;

	for (const struct opt_row *r = o->row; r->opt != NULL; r++) {
		const struct opt *p = r->opt;

		if (strcmp(p->name, name) == 0)
			err_die(STATUS_USAGE, "%s: a long name takes two "
			    "dashes: --%s", word, name);
		*l++ = (struct option){ p->name, p->arg == NULL ? no_argument :
		    required_argument, NULL, p->code };
		/* --epsilon-column begins with --eps, too */
		if (p->code == 'e')
			*l++ = (struct option){ "eps", required_argument,
			    NULL, 'e' };
		if (p->code < 256)
			*c++ = (char)p->code;
		if (p->code < 256 && p->arg != NULL)
			*c++ = ':';
	}
	*c = '\0';
	return getopt_long(argc, argv, letters, longs, NULL);
}

int
opts_next(struct opts *o, int argc, char **argv)
{
	int c;

	if (o->row[0].opt == NULL)
		set_table(o);
	if (o->operands == NULL)
		o->operands = err_alloc(NULL, (size_t)argc + 1, sizeof(*argv));
	while ((c = next_code(o, argc, argv)) == 1) {
		o->operands[o->noperands++] = optarg;
		o->plain = o->noperands;
	}
	/* past the end, in musl, for a missing argument */
	if (c == '?' || c == ':')
		bad_option(o, c, argv[FIXED_LEAST(optind, argc) - 1]);
	while (c == -1 && optind < argc)
		o->operands[o->noperands++] = argv[optind++];
	note_given(o, c);
	o->topic = optind < argc ? argv[optind] : NULL;
	return c;
}

void
opts_rng(const struct opts *o, const char *stream, struct rng *r)
{
	if (opts_given(o, OPT_SEED) != NULL)
		rng_seeded(r, o->seed, stream);
	else
		rng_from(r, host_random);
}
