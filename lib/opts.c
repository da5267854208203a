/* opts: the options that every tool shares, in one table. */
#include "opts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "release.h"

static const struct opt shared[] = {
	{ 'e', "epsilon", "E", "privacy budget of one release" },
	{ 'c', "column", "COL[,COL...]", "columns by name or number" },
	{ 'd', "delimiter", "C", "field delimiter, default ',' (or tab)" },
	{ 'H', "no-header", NULL, "the first record is data" },
	{ 'w', "weight", "COL", "column that counts equal records" },
	{ 'f', "format", "F", "plain, csv or json" },
	{ 'n', "repeat", "N", "N releases, charged N times" },
	{ 'g', "group", "COL", "one answer for each key of --groups" },
	{ OPT_GROUPS, "groups", "FILE", "the public keys, one per line" },
	{ OPT_NEIGHBORS, "neighbors", "R", "add-remove or swap" },
	{ OPT_RANGE, "range", "A:B[,A:B...]", "public range; clamps values" },
	{ OPT_ON_BAD, "on-bad", "P", "bad cells: drop, a number, or fail" },
	{ OPT_DIGITS, "digits", "K", "decimals of the grid, 0 to 18" },
	{ OPT_WITHIN, "within", "X",
	    "choose epsilon for a 95 % error of X" },
	{ OPT_LEDGER, "ledger", "FILE", "charge a budget ledger" },
	{ OPT_RELEASE_ID, "release-id", "ID", "retry without a new charge" },
	{ OPT_LABEL, "label", "TEXT", "kept with the ledger entry" },
	{ OPT_THREADS, "threads", "N", "the result is the same for any N" },
	{ OPT_EXPLAIN, "explain", NULL, "say what would be done; read nothing" },
	{ OPT_CHECK, "check", NULL, "report bad input; release nothing" },
	{ OPT_NON_PRIVATE, "non-private", NULL, "the value without noise" },
	{ OPT_SEED, "seed", "N", "reproducible noise; NOT private" },
	{ 'v', "verbose", NULL, "the report of --explain on stderr" },
	{ 'h', "help", NULL, "this text" },
	{ 'V', "version", NULL, "name and version" },
};

#define SHARED (sizeof(shared) / sizeof(shared[0]))

static bool
taken(const struct opts *o, int code)
{
	const int *w;

	for (w = o->without; w != NULL && *w != 0; w++)
		if (*w == code)
			return false;
	return true;
}

static void
add_row(struct opts *o, const struct opt *row, size_t *n)
{
	size_t len = strlen(o->letters);

	o->rows[(*n)++] = (struct option){ row->name,
	    row->arg == NULL ? no_argument : required_argument, NULL,
	    row->code };
	if (row->code > 255)
		return;
	o->letters[len++] = (char)row->code;
	if (row->arg != NULL)
		o->letters[len++] = ':';
	o->letters[len] = '\0';
}

/*
 * A leading '-' makes getopt hand out operands in their place, whatever
 * POSIXLY_CORRECT says; ':' leaves the messages to us.
 */
static void
set_tables(struct opts *o)
{
	size_t i, n = 0;

	strcpy(o->letters, "-:");
	for (i = 0; i < o->owns; i++)
		add_row(o, &o->own[i], &n);
	for (i = 0; i < SHARED; i++)
		if (taken(o, shared[i].code))
			add_row(o, &shared[i], &n);
	opterr = 0;
	err_name(o->tool);
}

static void
add_operand(struct opts *o, char *operand)
{
	o->operands = err_alloc(o->operands, o->noperands + 1,
	    sizeof(*o->operands));
	o->operands[o->noperands++] = operand;
}

int
opts_next(struct opts *o, int argc, char **argv)
{
	int c;

	if (o->rows[0].name == NULL)
		set_tables(o);
	while ((c = getopt_long(argc, argv, o->letters, o->rows, NULL)) == 1)
		add_operand(o, optarg);
	if (c == '?' || c == ':') {
		const char *at = argv[optind - 1];
		bool word = strncmp(at, "--", 2) == 0;
		char letter[3] = { '-', (char)optopt, '\0' };

		die(STATUS_USAGE, "%s %s (see %s --help)", c == '?' ?
		    "unknown, ambiguous or overfull option" :
		    "missing argument of", word || optopt <= 0 ||
		    optopt > 255 ? at : letter, o->tool);
	}
	while (c == -1 && optind < argc)
		add_operand(o, argv[optind++]);
	return c;
}

static noreturn void
help(const struct opts *o)
{
	struct release out = RELEASE_INIT;
	size_t i;

	release_printf(&out, "usage: %s %s\n", o->tool, o->synopsis);
	for (i = 0; i < o->owns + SHARED; i++) {
		const struct opt *r = i < o->owns ? &o->own[i] :
		    &shared[i - o->owns];
		char letter[4] = "   ", name[64];

		if (i >= o->owns && !taken(o, r->code))
			continue;
		if (r->code < 256)
			snprintf(letter, sizeof(letter), "-%c,", r->code);
		snprintf(name, sizeof(name), "%s%s%s", r->name,
		    r->arg == NULL ? "" : " ", r->arg == NULL ? "" : r->arg);
		release_printf(&out, "  %s --%-24s %s\n", letter, name,
		    r->help);
	}
	release_flush(&out);
	exit(STATUS_OK);
}

static noreturn void
version(const struct opts *o)
{
	struct release out = RELEASE_INIT;

	release_printf(&out, "%s (dputils) %s\n", o->tool, DPUTILS_VERSION);
	release_flush(&out);
	exit(STATUS_OK);
}

struct rational
opts_rational(const char *name, const char *text)
{
	struct rational r;

	if (!rational_parse(text, &r))
		die(STATUS_USAGE, "%s '%s' is not a decimal of at most 18 "
		    "digits or a fraction p/q", name, text);
	return r;
}

struct rational
opts_positive(const char *name, const char *text)
{
	struct rational r = opts_rational(name, text);

	if (rational_sign(r) <= 0)
		die(STATUS_USAGE, "%s '%s' must be above 0", name, text);
	return r;
}

struct rational
opts_epsilon(const char *name, const char *text)
{
	struct rational r = opts_positive(name, text);
	const i128 limit = (i128)1 << 31;

	if (r.num >= limit || r.den >= limit)
		die(STATUS_USAGE, "%s '%s' must be a fraction of integers "
		    "below 2^31", name, text);
	return r;
}

uint64_t
opts_count(const char *name, const char *text, uint64_t least, uint64_t most)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 ||
	    n < least || n > most)
		die(STATUS_USAGE, "%s '%s' is not a whole number from %llu "
		    "to %llu", name, text, (unsigned long long)least,
		    (unsigned long long)most);
	return n;
}

/* Index of text among the words, NULL ends them; else dies. */
static int
choose(const char *name, const char *text, const char *const *words)
{
	int i;

	for (i = 0; words[i] != NULL; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	die(STATUS_USAGE, "%s '%s' is none of those it can be (see --help)",
	    name, text);
}

static void
add_range(struct opts *o, const char *text)
{
	const char *colon = strchr(text, ':');
	char *low;
	struct range *r;

	if (colon == NULL)
		die(STATUS_USAGE, "--range '%s' is not of the form A:B", text);
	low = strndup(text, (size_t)(colon - text));
	if (low == NULL)
		die(STATUS_INPUT, "out of memory");
	o->ranges = err_alloc(o->ranges, o->nranges + 1, sizeof(*r));
	r = &o->ranges[o->nranges++];
	r->lo = opts_rational("--range", low);
	r->hi = opts_rational("--range", colon + 1);
	if (rational_cmp(r->lo, r->hi) >= 0)
		die(STATUS_USAGE, "--range '%s': A must be below B", text);
	free(low);
}

static void
take_ranges(struct opts *o, const char *text)
{
	char *copy = strdup(text), *rest = copy, *one;

	if (copy == NULL)
		die(STATUS_INPUT, "out of memory");
	o->nranges = 0;
	while ((one = strsep(&rest, ",")) != NULL)
		add_range(o, one);
	free(copy);
}

static void
take_on_bad(struct opts *o, const char *text)
{
	if (strcmp(text, "drop") == 0)
		o->on_bad = ON_BAD_DROP;
	else if (strcmp(text, "fail") == 0)
		o->on_bad = ON_BAD_FAIL;
	else {
		if (!rational_parse(text, &o->bad))
			die(STATUS_USAGE, "--on-bad '%s' is not drop, fail "
			    "or a number", text);
		o->on_bad = ON_BAD_NUMBER;
		o->given_bad = true;
	}
}

static char
delimiter(const char *text)
{
	if (strcmp(text, "tab") == 0)
		return '\t';
	if (strlen(text) != 1 || strchr("\"\r\n", text[0]) != NULL)
		die(STATUS_USAGE, "--delimiter '%s' is not one character "
		    "or 'tab'", text);
	return text[0];
}

/* Options that hold a text or a flag. */
static bool
take_plain(struct opts *o, int code)
{
	switch (code) {
	case 'c': o->columns = optarg; break;
	case 'g': o->group = optarg; break;
	case 'v': o->verbose = true; break;
	case 'w': o->weight = optarg; break;
	case 'H': o->no_header = true; break;
	case OPT_CHECK: o->check = true; break;
	case OPT_EXPLAIN: o->explain = true; break;
	case OPT_GROUPS: o->groups = optarg; break;
	case OPT_LABEL: o->label = optarg; break;
	case OPT_LEDGER: o->ledger = optarg; break;
	case OPT_NON_PRIVATE: o->non_private = true; break;
	case OPT_RELEASE_ID: o->release_id = optarg; break;
	default: return false;
	}
	return true;
}

void
opts_take(struct opts *o, int code)
{
	static const char *const formats[] = { "plain", "csv", "json", NULL };
	static const char *const relations[] = { "add-remove", "swap", NULL };

	if (take_plain(o, code))
		return;
	switch (code) {
	case 'd':
		o->delimiter = delimiter(optarg);
		break;
	case 'e':
		o->eps = opts_epsilon("--epsilon", optarg);
		o->has_eps = true;
		break;
	case 'f':
		o->format = (enum format)choose("--format", optarg, formats);
		break;
	case 'h':
		help(o);
	case 'n':
		o->repeat = opts_count("--repeat", optarg, 1, 1000000000);
		break;
	case 'V':
		version(o);
	case OPT_DIGITS:
		o->digits = (int)opts_count("--digits", optarg, 0,
		    FIXED_DIGITS);
		break;
	case OPT_NEIGHBORS:
		o->neighbors = (enum neighbors)choose("--neighbors", optarg,
		    relations);
		o->given_neighbors = true;
		break;
	case OPT_ON_BAD:
		take_on_bad(o, optarg);
		break;
	case OPT_RANGE:
		take_ranges(o, optarg);
		break;
	case OPT_SEED:
		o->seed = opts_count("--seed", optarg, 0, UINT64_MAX);
		o->has_seed = true;
		break;
	case OPT_THREADS:
		o->threads = (unsigned)opts_count("--threads", optarg, 1,
		    1024);
		break;
	case OPT_WITHIN:
		o->within = opts_positive("--within", optarg);
		o->has_within = true;
		break;
	default:
		die(STATUS_USAGE, "unknown option");
	}
}

static void
check_ledger(struct opts *o)
{
	if (o->ledger == NULL && taken(o, OPT_LEDGER))
		o->ledger = getenv("DPUTILS_LEDGER");
	if (o->release_id != NULL && o->ledger == NULL)
		die(STATUS_USAGE, "--release-id needs --ledger");
	if (o->ledger != NULL && o->has_seed)
		die(STATUS_USAGE, "--seed is not private: no --ledger with it");
	if (o->ledger != NULL && o->non_private)
		die(STATUS_USAGE, "--non-private is refused with a --ledger");
}

void
opts_check(struct opts *o)
{
	check_ledger(o);
	if (o->has_eps && o->has_within)
		die(STATUS_USAGE, "--epsilon and --within exclude each other");
	if (!o->has_eps && !o->has_within && !o->check && !o->explain &&
	    !o->non_private)
		die(STATUS_USAGE, "no epsilon given (-e E); it has no default");
	if ((o->group == NULL) != (o->groups == NULL))
		die(STATUS_USAGE, "--group and --groups go together");
	if (o->neighbors == NEIGHBORS_SWAP && o->on_bad == ON_BAD_DROP)
		die(STATUS_USAGE, "--on-bad drop would change n, which is "
		    "public under --neighbors swap");
	if (o->on_bad == ON_BAD_DEFAULT)
		o->on_bad = o->neighbors == NEIGHBORS_SWAP ? ON_BAD_NUMBER :
		    ON_BAD_DROP;
	if (o->has_seed && !o->check && !o->explain)
		warn("--seed given: the output is NOT private");
	if (o->non_private && !o->check && !o->explain)
		warn("--non-private given: the output is NOT private");
}

const struct range *
opts_range(const struct opts *o, size_t c)
{
	if (o->nranges == 0)
		return NULL;
	return &o->ranges[o->nranges == 1 ? 0 : c];
}

void
opts_free(struct opts *o)
{
	free(o->ranges);
	free(o->operands);
}
