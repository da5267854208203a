/* opts_take: each shared option's effect, and rules for combinations. */
#include "opts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "metric_spec.h"

static void
take_ranges(struct ranges *all, const char *text)
{
	char *copy = err_copy(text, strlen(text)), *rest = copy, *low, *high;
	struct range *r;

	while ((low = high = text_field(&rest, ",")) != NULL) {
		text_field(&high, ":");
		if (high == NULL)
			err_die(STATUS_USAGE, "--range '%s' is not of the form "
			    "A:B, such as 0:120", low);
		all->at = err_alloc(all->at, all->n + 1, sizeof(*r));
		r = &all->at[all->n++];
		r->lo = opts_rational("--range", low);
		r->hi = opts_rational("--range", high);
		if (rational_cmp(r->lo, r->hi) >= 0)
			err_die(STATUS_USAGE, "--range '%s:%s': A must be "
			    "below B", low, high);
	}
	free(copy);
}

static void
take_on_bad(struct opts *o, const char *text)
{
	o->on_bad = ON_BAD_NUMBER;
	if (strcmp(text, "drop") == 0)
		o->on_bad = ON_BAD_DROP;
	else if (strcmp(text, "fail") == 0)
		o->on_bad = ON_BAD_FAIL;
	/* without a number it is the centre of each column's range */
	else if (strcmp(text, "center") != 0 && !rational_parse(text, &o->bad))
		err_die(STATUS_USAGE, "--on-bad '%s' is not drop, center, fail "
		    "or a number", text);
}

/* X, or X% of the range. */
static void
take_within(struct opts *o, const char *text)
{
	size_t len = strlen(text);
	char *number = err_copy(text, len);

	o->within_part = len > 0 && number[len - 1] == '%';
	if (o->within_part)
		number[len - 1] = '\0';
	o->within = opts_positive("--within", number);
	free(number);
}

static char
delimiter(const char *text)
{
	if (strcmp(text, "tab") == 0)
		return '\t';
	if (strlen(text) != 1 || strchr("\"\r\n", text[0]) != NULL)
		err_die(STATUS_USAGE, "--delimiter '%s' is not one character "
		    "or 'tab'", text);
	return text[0];
}

static void
take_slice(struct slice *s, const char *text)
{
	const char *equals = strchr(opts_name("--slice", text), '=');
	struct label value;

	if (equals == NULL || equals == text || equals[1] == '=')
		err_die(STATUS_USAGE, "--slice '%s' is not of the form "
		    "COLUMN=VALUE", text);
	s->column = err_copy(text, (size_t)(equals - text));
	value = text_trim(equals + 1, strlen(equals + 1));
	s->value = err_copy(value.text, value.len);
}

static const char *const quotes[] = { "none", "double", NULL };
static const char *const formats[] = { "plain", "csv", "tsv", "json", NULL };
static const char *const relations[] = { "add-remove", "swap", NULL };
static const char *const hows[] = { "sum", "mean", "count", "min", "max",
	"any", "share", NULL };

/*
 * Flags, kinds, which are `least' and what the place among the words adds, and
 * arguments that are kept as they are or as whole numbers.
 */
#define AT(member) offsetof(struct opts, member)
static const struct place {
	int code;
	enum { FLAG, KIND, TEXT, LINE, NAME, COUNT } kind;
	size_t at;
	uint64_t least, most;
	const char *const *words;
} places[] = {
	{ 'v', FLAG, AT(verbose) }, { OPT_CHECK, FLAG, AT(check) },
	{ OPT_EXPLAIN, FLAG, AT(explain) }, { OPT_OTHERS, FLAG, AT(others) },
	{ OPT_NON_PRIVATE, FLAG, AT(non_private) },
	{ OPT_UNIT_SORTED, FLAG, AT(unit.sorted) },
	{ 'H', KIND, AT(header), HEADER_NONE },
	{ OPT_HEADER, KIND, AT(header), HEADER_NUMBERS },
	{ 'f', KIND, AT(format), FORMAT_PLAIN, .words = formats },
	{ OPT_NEIGHBORS, KIND, AT(neighbors), .words = relations },
	{ OPT_PER, KIND, AT(unit.per), PER_SUM, .words = hows },
	{ 'c', TEXT, AT(columns) }, { 'g', TEXT, AT(group) },
	{ 'w', TEXT, AT(weight) }, { OPT_SAMPLING, TEXT, AT(sampling.column) },
	 { OPT_GROUPS, TEXT, AT(groups) },
	{ OPT_SCHEMA, TEXT, AT(schema_path) },
	{ OPT_MISSING, TEXT, AT(missing) }, { OPT_SQL, TEXT, AT(sql) },
	{ OPT_GROUPED, FLAG, AT(grouped) },
	{ OPT_PEOPLE, TEXT, AT(unit.column) }, { OPT_PUBLIC, TEXT, AT(public) },
	{ OPT_EPS_COLUMN, TEXT, AT(own_column) },
	{ OPT_LEDGER, TEXT, AT(charge.ledger) },
	{ OPT_LABEL, LINE, AT(charge.label) },
	{ OPT_ACCOUNT, NAME, AT(charge.account) },
	{ OPT_DATASET, NAME, AT(charge.dataset) },
	{ OPT_RELEASE_ID, NAME, AT(charge.id) },
	{ 'n', COUNT, AT(repeat), 1, 1000000000 },
	/* FIXED_MAX may have been a larger weight */
	{ OPT_EXPECT_WEIGHT, COUNT, AT(expect), 0, (uint64_t)FIXED_MAX - 1 },
	{ OPT_MAX_ROWS, COUNT, AT(unit.most), 1, PER_GROUPS },
	{ OPT_MAX_GROUPS, COUNT, AT(unit.groups), 1, PER_GROUPS },
	{ OPT_SEED, COUNT, AT(seed), 0, UINT64_MAX },
	{ OPT_SHARDS, COUNT, AT(shards), 1, 1000000000 },
	{ OPT_THREADS, COUNT, AT(threads), 1, 1024 },
};

enum per
opts_per(const char *name, const char *word)
{
	return (enum per)(PER_SUM + opts_choose(name, word, hows));
}

static void
take_place(struct opts *o, const struct opt *row)
{
	const struct place *p = places;
	void *at;

	while (p->code != row->code)
		p++;
	at = (char *)o + p->at;
	if (p->kind == FLAG)
		*(bool *)at = true;
	else if (p->kind == KIND)
		*(int *)at = (int)p->least + (p->words == NULL ? 0 :
		    opts_choose(OPTARG, p->words));
	else if (p->kind == COUNT)
		*(uint64_t *)at = opts_count(OPTARG, p->least, p->most);
	else if (p->kind == LINE)
		*(const char **)at = opts_line(OPTARG);
	else if (p->kind == TEXT)
		*(const char **)at = optarg;
	else
		*(const char **)at = opts_name(OPTARG);
}

void
opts_take(struct opts *o, int code)
{
	switch (code) {
	case 'd': o->delimiter = delimiter(optarg); break;
	case 'e': o->eps = opts_epsilon(OPTARG); break;
	case 'h':
	case 'V':
		opts_help(o);
	case OPT_INTERVAL: o->interval = opts_part(OPTARG, false); break;
	case OPT_DIGITS: o->digits = (int)opts_count(OPTARG, 0, 18); break;
	case OPT_MOST: o->sampling.most = opts_positive(OPTARG); break;
	case OPT_ON_BAD: take_on_bad(o, optarg); break;
	case OPT_RANGE: take_ranges(&o->ranges, optarg); break;
	case OPT_SLICE: take_slice(&o->slice, optarg); break;
	case OPT_LIMITS: opts_limits(&o->limits, optarg); break;
	case OPT_WITHIN: take_within(o, optarg); break;
	case OPT_QUOTE: o->unquoted = opts_choose(OPTARG, quotes) == 0; break;
	default:
		take_place(o, opts_given(o, code));
	}
}

/* --- options that need options ---------------------------------------- */

/*
 * Under swap neighbors share the public columns, and public columns decide an
 * answer's records.  A budget names the public columns itself.
 */
static void
check_public(const struct opts *o)
{
	const struct {
		const char *option, *columns;
	} looks[] = {
		{ "--group", o->op.hides_group ? NULL :
		    opts_group(o) },
		{ "--slice", opts_slice(o) },
		/* weights decide a person's group, or the drawn row */
		{ "--weight of people with --group", o->unit.column != NULL &&
		    o->group != NULL ? o->weight : NULL },
	};

	if (o->neighbors != NEIGHBORS_SWAP || o->charge.ledger != NULL)
		return;
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (!opts_public(o, looks[i].columns))
			err_die(STATUS_USAGE, "under swap %s makes public who "
			    "has which value of %s: say so by --public %s",
			    looks[i].option, looks[i].columns,
			    looks[i].columns);
}

void
opts_refuse(const struct rule *rule)
{
	for (; rule->words != NULL; rule++)
		if (rule->broken)
			err_die(STATUS_USAGE, "%s", rule->words);
}

static void
check_people(const struct opts *o)
{
	const struct unit *u = &o->unit;
	bool own = o->own_column != NULL, people = u->column != NULL;
	bool sampled = o->sampling.column != NULL;
	bool swap = o->neighbors == NEIGHBORS_SWAP;
	bool lacks = people && u->per == PER_NONE && u->most == 0 && !o->check;

	OPTS_REFUSE(
		{ !people && (u->per != PER_NONE || u->most > 0 ||
		    u->groups > 0 || u->sorted), "--per, --max-rows, "
		    "--max-groups and --unit-sorted need --unit COL" },
		{ u->most > 0 && (u->per != PER_NONE || u->groups > 0),
		    "--max-rows excludes --per and --max-groups: it keeps "
		    "rows as they are, whatever their groups" },
		{ lacks && o->op.cells, "--unit needs --per any or share "
		    "(a person counts once), --max-groups K (once in each of "
		    "up to K keys) or --max-rows K (up to K rows)" },
		{ lacks && o->op.keyed, "--unit needs --per any or share (a "
		    "person counts once) or --max-rows K (up to K rows)" },
		{ lacks && opts_takes(o, OPT_PER), "--unit needs --per "
		    "sum, mean, count, min, max, any or share (a person "
		    "counts once; with --max-groups K, once in each of up to "
		    "K groups), or --max-rows K (up to K rows)" },
		{ u->groups > 0 && o->group == NULL && !o->op.cells,
		    "--max-groups needs the groups of -g, or of hist: "
		    "without groups a person counts once already" },
		/* neighbors may differ in rows, and in groups */
		{ (u->most > 0 || u->groups > 0) && swap, "--max-rows and "
		    "--max-groups hide how many rows or groups a person has, "
		    "which swap takes as public: they need --neighbors "
		    "add-remove (which protects E under swap at E/2)" },
		{ sampled != (o->sampling.most.den > 0) && !o->check,
		    "--sampling-weight COL and --most W go together: W is "
		    "public, such as 5; a larger weight counts as W, and the "
		    "noise is W times as large" },
		{ sampled && (o->weight != NULL || own || u->per == PER_SHARE),
		    "--sampling-weight excludes --weight, --epsilon-column and "
		    "--per share: who counts w times is one person all the "
		    "same" },
		{ sampled && swap, "--sampling-weight needs --neighbors "
		    "add-remove: under swap the number of records is public, "
		    "and their weight is not" },
		{ own && o->eps.den == 0 && !o->explain && !o->check,
		    "--epsilon-column needs -e E" },
		{ own && swap, "--epsilon-column is for --neighbors "
		    "add-remove: a swap may bring in a record of another "
		    "epsilon" },
		/* one sample, for one release */
		{ own && !o->op.own_whole && !o->op.own_weight &&
		    o->repeat > 1, "--epsilon-column "
		    "makes one release of its sample of the records: no -n "
		    "with it" });
}

/*
 * Whole numbers, of which `most' has 2^30 or fewer, and a person in K groups
 * 2^40; or the finest decimals of which they have a 64th: what has no need of
 * these bits is the grid of squares and products.
 */
static void
opts_set_sampling(struct opts *o)
{
	struct sampling *s = &o->sampling;
	uint64_t times = o->unit.groups + o->unit.most;
	int64_t units, room = ((int64_t)1 << 40) / (int64_t)(times > 1024 ?
	    times : 1024);

	if (s->most.den == 0)
		return;
	if (rational_cmp(s->most, (struct rational){ room, 1 }) > 0)
		err_die(STATUS_USAGE, "--most is at most 2^30, and at most "
		    "2^40/K with --max-groups K or --max-rows K");
	for (int k = 0; k <= FIXED_DIGITS && rational_grid(s->most, k,
	    FIXED_CEIL, &units) && units <= (k > 0 ? room >> 6 : room); k++) {
		s->digits = k;
		s->units = units;
	}
	o->unit.whole = (uint64_t)fixed_pow10(s->digits);
	o->unit.records = (uint64_t)s->units;
}

static void
opts_check_rules(const struct opts *o)
{
	const struct charge_to *to = &o->charge;
	bool off = to->ledger == NULL, swap = o->neighbors == NEIGHBORS_SWAP;
	bool expect = opts_given(o, OPT_EXPECT_WEIGHT) != NULL;
	bool quiet = o->check || o->explain || o->non_private;

	OPTS_REFUSE(
		{ off && (to->id != NULL || opts_given(o, OPT_DATASET) ||
		    *to->account != '\0' || to->label != NULL), "--release-id, "
		    "--dataset, --account and --label need --ledger" },
		{ !off && (opts_given(o, OPT_SEED) || o->non_private), "--seed "
		    "and --non-private are not private: no --ledger with "
		    "them (unset DPUTILS_LEDGER)" },
		{ !off && (o->check || o->on_bad == ON_BAD_FAIL), "--check and "
		    "--on-bad fail tell of the data and charge nothing: no "
		    "--ledger with them (unset DPUTILS_LEDGER)" },
		{ !off && (expect || o->unit.sorted), "--expect-weight and "
		    "--unit-sorted tell whether the data keep a promise: no "
		    "--ledger with them" },
		{ opts_given(o, 'H') && opts_given(o, OPT_HEADER),
		    "--header and --no-header exclude each other" },
		{ o->eps.den > 0 && o->within.den > 0,
		    "--epsilon and --within exclude each other" },
		{ o->eps.den == 0 && o->within.den == 0 && !quiet,
		    "no epsilon given (-e E); it has no default" },
		{ (o->group == NULL) != (o->groups == NULL), "--group COL and "
		    "--groups FILE go together: the file lists the keys that "
		    "get an answer, one on a line; a list taken from the data "
		    "would tell who is there" },
		{ opts_given(o, OPT_INTERVAL) && o->non_private, "--interval "
		    "speaks of the noise: there is none with --non-private" },
		{ o->others && o->groups == NULL && !o->op.cells,
		    "--others needs --group and --groups" },
		{ swap && o->on_bad == ON_BAD_DROP, "--on-bad drop would "
		    "change n, which is public under --neighbors swap" },
		{ opts_bad_outside(o), "--on-bad: the number is outside "
		    "--range" },
		{ o->public != NULL && !swap && !o->op.listed, "--public names "
		    "columns that neighbors share under swap: it needs "
		    "--neighbors swap" },
		{ o->slice.value != NULL && o->op.listed, "--slice chooses "
		    "among private records; here a line of the input is an "
		    "answer, and public" },
		{ expect && !swap && !o->op.listed, "--expect-weight "
		    "promises a public total: it needs --neighbors swap" });
}

/* --- the input ---------------------------------------------------------- */

void
opts_file(struct opts *o, size_t n)
{
	if (o->noperands > n + 1)
		err_die(STATUS_USAGE, "unexpected operand: of '%s' and '%s' "
		    "one FILE is read, and columns go with -c", o->operands[n],
		    o->operands[n + 1]);
	if (o->noperands == n + 1 && strcmp(o->operands[n], "-") != 0)
		o->file = o->operands[n];
	if (o->noperands > n)
		o->noperands = n;
}

/*
 * Refuses the data as a public file, which is an option's FILE, FILE|LIST, or
 * the file of a SPEC.
 */
static void
refuse_public(const struct opt_row *r, const struct stat *data)
{
	const char *kind = r->opt->arg, *given = r->given;
	struct metric_spec s = { .file = NULL };
	struct stat st;

	if (given == NULL || kind == NULL)
		return;
	if (strcmp(kind, "SPEC") == 0 && metric_parse(given, &s))
		given = s.file;
	else if (strcmp(kind, "FILE") != 0 && (opts_listed(given) ||
	    strcmp(kind, "FILE|LIST") != 0))
		return;
	if (given != NULL && stat(given, &st) == 0 && !S_ISCHR(st.st_mode) &&
	    st.st_dev == data->st_dev && st.st_ino == data->st_ino)
		err_die(STATUS_USAGE, "--%s %s is the input: this file is "
		    "public, and the records are not; write it without looking "
		    "at them", r->opt->name, given);
	metric_spec_free(&s);
}

/* Opens FILE in place of standard input. */
static void
input_open(const struct opts *o)
{
	int fd = o->file == NULL || o->explain ? STDIN_FILENO :
	    open(o->file, O_RDONLY | O_CLOEXEC);
	struct stat data;

	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
		err_sys("an operand is the FILE to read, and "
		    "columns go with -c: %s", opts_input(o));
	if (fd != STDIN_FILENO)
		close(fd);
	if (opts_takes(o, 'd') && fstat(STDIN_FILENO, &data) == 0)
		for (const struct opt_row *r = o->row; r->opt != NULL; r++)
			refuse_public(r, &data);
}

void
opts_begin(struct opts *o, const struct operation *op)
{
	o->op = *op;
	/* --check reads by the schema of the ledger, and nothing else of it */
	if (o->charge.ledger == NULL && !o->check &&
	    opts_takes(o, OPT_LEDGER))
		o->charge.ledger = opts_ledger();
	if (opts_given(o, OPT_NEIGHBORS) == NULL)
		o->neighbors = op->neighbors;
	if (o->eps.den == 0)
		o->eps = op->eps;
	if (o->ranges.n == 0)
		o->ranges = op->ranges;
}

void
opts_check(struct opts *o)
{
	check_people(o);
	opts_check_rules(o);
	check_public(o);
	opts_check_engine(o);
	input_open(o);
	if (o->unit.most > 0)
		o->unit.per = PER_ROWS;
	if (o->unit.per == PER_SHARE || (o->own_column != NULL &&
	    o->op.own_weight))
		o->unit.whole = o->op.parts > 0 ? o->op.parts : PER_WHOLE;
	o->unit.records = o->unit.whole;
	opts_set_sampling(o);
	/* of the two one at most is given */
	o->unit.records *= FIXED_MOST(o->unit.groups + o->unit.most, 1);
	o->unit.weighted = o->unit.whole > 1 || o->sampling.column != NULL ||
	    o->grouped || (o->weight != NULL && (o->unit.per == PER_NONE ||
	    o->unit.per == PER_ROWS));
	if (o->on_bad == ON_BAD_DEFAULT)
		o->on_bad = o->neighbors == NEIGHBORS_SWAP || o->op.listed ?
		    ON_BAD_NUMBER : ON_BAD_DROP;
	/* e^20 > 4.8 10^8; a test or an audit makes no promise */
	if (o->eps.den > 0 && !o->check && !o->non_private &&
	    opts_takes(o, OPT_LEDGER) && o->eps.num / 20 >= o->eps.den)
		err_warn("an epsilon of 20 or more protects nobody: one record "
		    "(by --metric: a move by 1) may change the odds of an "
		    "answer by a factor of 10^8 and more");
	if (opts_given(o, OPT_SEED) && !o->check && !o->explain)
		err_warn("--seed given: the output is NOT private");
	if (o->non_private && !o->check && !o->explain)
		err_warn("--non-private given: the output is NOT private");
}

/*
 * The total was promised in public: a message may tell the broken promise, but
 * not the private total.
 */
void
opts_expect(const struct opts *o, u128 total)
{
	if (opts_given(o, OPT_EXPECT_WEIGHT) && total != o->expect)
		err_die(STATUS_INPUT, "the data do not have the total of "
		    "--expect-weight");
}
