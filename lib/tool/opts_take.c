/* opts_take: what each shared option sets, and how arguments are read. */
#include "opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

/* What numbers for people have and ours have not. */
static const char *
hint(const char *text)
{
	return strpbrk(text, ",%$") == NULL ? "" :
	    ": digits and a point alone, no comma, no sign of percent or "
	    "money";
}

struct rational
opts_rational(const char *name, const char *text)
{
	struct rational r;

	if (!rational_parse(text, &r))
		die(STATUS_USAGE, "%s '%s' is not a decimal of at most 18 "
		    "digits or a fraction p/q%s", name, text, hint(text));
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

/* Digits alone, up to 2^64 - 1, or a decimal that is whole, such as 1e4. */
static bool
whole(const char *text, uint64_t *n)
{
	struct rational r;
	char *end;

	errno = 0;
	*n = strtoull(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == '\0')
		return errno == 0;
	if (strchr(text, '/') != NULL || !rational_parse(text, &r) ||
	    r.den != 1 || r.num < 0 || r.num > UINT64_MAX)
		return false;
	*n = (uint64_t)r.num;
	return true;
}

uint64_t
opts_count(const char *name, const char *text, uint64_t least, uint64_t most)
{
	uint64_t n;

	if (!whole(text, &n) || n < least || n > most)
		die(STATUS_USAGE, "%s '%s' is not a whole number from %llu "
		    "to %llu%s", name, text, (unsigned long long)least,
		    (unsigned long long)most, hint(text));
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
	opts_unknown(name, text, words);
}

static void
add_range(struct opts *o, const char *text)
{
	const char *colon = strchr(text, ':');
	char *low;
	struct range *r;

	if (colon == NULL)
		die(STATUS_USAGE, "--range '%s' is not of the form A:B, "
		    "such as 0:120", text);
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

/* X, or X% of the range. */
static void
take_within(struct opts *o, const char *text)
{
	size_t len = strlen(text);
	char *number = strdup(text);

	if (number == NULL)
		die(STATUS_INPUT, "out of memory");
	o->within_part = len > 0 && number[len - 1] == '%';
	if (o->within_part)
		number[len - 1] = '\0';
	o->within = opts_positive("--within", number);
	o->has_within = true;
	free(number);
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

/*
 * A text that a ledger keeps and dp-budget prints: it must not look like
 * another line.  Control characters are those of ASCII and, in UTF-8, the
 * others up to U+009F.
 */
static const char *
one_line(const char *name, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	for (; *p != '\0'; p++)
		if (*p < 32 || *p == 127 || (*p == 0xc2 && p[1] >= 0x80 &&
		    p[1] < 0xa0))
			die(STATUS_USAGE, "%s holds a control character, such "
			    "as a line feed", name);
	return text;
}

const char *
opts_name(const char *name, const char *text)
{
	if (text[0] == '\0')
		die(STATUS_USAGE, "%s is empty", name);
	return one_line(name, text);
}

static void
take_slice(struct opts *o, const char *text)
{
	static const char blank[] = " \t";
	const char *equals = strchr(opts_name("--slice", text), '=');
	size_t len;

	if (equals == NULL || equals == text)
		die(STATUS_USAGE, "--slice '%s' is not of the form "
		    "COLUMN=VALUE", text);
	free(o->slice_column);
	free(o->slice_value);
	o->slice_column = strndup(text, (size_t)(equals - text));
	o->slice_value = strdup(equals + 1 + strspn(equals + 1, blank));
	if (o->slice_column == NULL || o->slice_value == NULL)
		die(STATUS_INPUT, "out of memory");
	for (len = strlen(o->slice_value); len > 0 &&
	    strchr(blank, o->slice_value[len - 1]) != NULL; len--)
		o->slice_value[len - 1] = '\0';
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
	case OPT_ACCOUNT:
		o->account = opts_name("--account", optarg);
		break;
	case OPT_DATASET:
		o->dataset = opts_name("--dataset", optarg);
		break;
	case OPT_LABEL: o->label = one_line("--label", optarg); break;
	case OPT_LEDGER: o->ledger = optarg; break;
	case OPT_NON_PRIVATE: o->non_private = true; break;
	case OPT_OTHERS: o->others = true; break;
	case OPT_PEOPLE: o->unit = optarg; break;
	case OPT_STRICT_CSV: o->strict_csv = true; break;
	case OPT_UNIT_SORTED: o->unit_sorted = true; break;
	case OPT_RELEASE_ID:
		o->release_id = opts_name("--release-id", optarg);
		break;
	default: return false;
	}
	return true;
}

static void
take_interval(struct opts *o, const char *text)
{
	o->interval = opts_positive("--interval", text);
	o->has_interval = true;
	if (o->interval.num >= o->interval.den)
		die(STATUS_USAGE, "--interval '%s' must be below 1, as 0.95 "
		    "is", text);
}

static bool
take_person(struct opts *o, int code)
{
	static const char *const hows[] = { "sum", "mean", "count", "min",
	    "max", "any", "share", NULL };

	if (code == OPT_PER)
		o->per = (enum per)choose("--per", optarg, hows) + PER_SUM;
	else if (code == OPT_MAX_ROWS)
		o->max_rows = opts_count("--max-rows", optarg, 1, 1000000);
	return code == OPT_PER || code == OPT_MAX_ROWS;
}

/* Options that are a whole number. */
static bool
take_number(struct opts *o, int code)
{
	switch (code) {
	case 'n':
		o->repeat = opts_count("--repeat", optarg, 1, 1000000000);
		return true;
	case OPT_DIGITS:
		o->digits = (int)opts_count("--digits", optarg, 0,
		    FIXED_DIGITS);
		return true;
	case OPT_EXPECT_WEIGHT:
		o->expect = opts_count("--expect-weight", optarg, 0,
		    (uint64_t)FIXED_MAX);
		return o->has_expect = true;
	case OPT_SEED:
		o->seed = opts_count("--seed", optarg, 0, UINT64_MAX);
		return o->has_seed = true;
	case OPT_THREADS:
		o->threads = (unsigned)opts_count("--threads", optarg, 1,
		    1024);
		return true;
	default:
		return false;
	}
}

void
opts_take(struct opts *o, int code)
{
	static const char *const formats[] = { "plain", "csv", "tsv", "json",
	    NULL };
	static const char *const relations[] = { "add-remove", "swap", NULL };

	if (take_plain(o, code) || take_person(o, code) ||
	    take_number(o, code))
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
		o->format = (enum format)choose("--format", optarg,
		    formats) + FORMAT_PLAIN;
		break;
	case 'h':
		opts_help(o);
	case 'V':
		opts_version(o);
	case OPT_INTERVAL:
		take_interval(o, optarg);
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
	case OPT_SLICE:
		take_slice(o, optarg);
		break;
	case OPT_WITHIN:
		take_within(o, optarg);
		break;
	default:
		die(STATUS_USAGE, "unknown option");
	}
}
