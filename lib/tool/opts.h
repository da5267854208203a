/*
 * opts: the shared options, in one table.
 *
 * A tool adds rows and handles their codes; opts_take handles the shared codes.
 * The only environment variable read is DPUTILS_LEDGER.
 */
#pragma once

#include <getopt.h>
#include <stdnoreturn.h>

#include "names.h"
#include "number/neighbors.h"
#include "random/select.h"
#include "text.h"

#define DPUTILS_VERSION "1.1.0"
#define OPTS_ROWS 64	/* a tool's rows, shared rows included */
#define OPTS_LIST 32	/* entries in each list of struct tool */

/*
 * One option: code (a letter, or 256 and up), long name, argument and help.
 * dp-gate lets analysts use an option only where `ask' opens it; NULL is
 * closed.
 * An OPEN option tells no more than the charge pays for, with any argument and
 * any data; "not X" excludes the argument X, "only X" admits X alone.
 */
#define OPEN "open"
struct opt {
	int code;
	const char *name;
	const char *arg;	/* NULL: takes none */
	const char *help;
	const char *ask;
};

/* Codes of the long-only options; a tool's codes start at OPT_OWN. */
enum {
	OPT_NEIGHBORS = 256, OPT_RANGE, OPT_ON_BAD, OPT_CHECK, OPT_DIGITS,
	OPT_EXPLAIN, OPT_WITHIN, OPT_LEDGER, OPT_RELEASE_ID, OPT_LABEL,
	OPT_SEED, OPT_NON_PRIVATE, OPT_GROUPS, OPT_THREADS, OPT_DATASET,
	OPT_EXPECT_WEIGHT, OPT_INTERVAL, OPT_OTHERS,
	OPT_PEOPLE, OPT_PER, OPT_MAX_ROWS, OPT_MAX_GROUPS, OPT_UNIT_SORTED,
	OPT_SLICE, OPT_ACCOUNT, OPT_EPS_COLUMN, OPT_PUBLIC, OPT_HEADER,
	OPT_SAMPLING, OPT_MOST, OPT_LIMITS, OPT_SCHEMA, OPT_MISSING, OPT_QUOTE,
	OPT_SQL, OPT_GROUPED, OPT_SHARDS,
	OPT_OWN
};

/* For tools in which a record may count more or less than once. */
#define OPTS_SURVEY \
	{ OPT_SAMPLING, "sampling-weight", "COL", \
	    "weights of a survey, 0 to --most", OPEN }, \
	{ OPT_MOST, "most", "W", "a larger weight of a survey is W", OPEN }

/* The first line: a record, names that are no numbers, or any names. */
enum header { HEADER_NONE, HEADER_NAMES, HEADER_NUMBERS };

enum on_bad { ON_BAD_DEFAULT, ON_BAD_DROP, ON_BAD_NUMBER, ON_BAD_FAIL };

/* FORMAT_DEFAULT: not given; CSV where answers have names, or plain. */
enum format {
	FORMAT_DEFAULT, FORMAT_PLAIN, FORMAT_CSV, FORMAT_TSV, FORMAT_JSON
};

/*
 * --unit turns a person's rows into one record, or (PER_SHARE) into rows whose
 * weights add up to a whole, or (PER_ROWS) into --max-rows rows at most.
 */
enum per {
	PER_NONE, PER_SUM, PER_MEAN, PER_COUNT, PER_MIN, PER_MAX, PER_ANY,
	PER_SHARE, PER_ROWS
};

/*
 * Who is protected: a record, or with a column the person whose rows have one
 * value there.  opts_check sets the last three:
 *
 * - whole, the weight of a person or a record: 1, or with --per share and with
 *   own_weight PER_WHOLE or the tool's parts; with --sampling-weight the units
 *   of a weight of 1; it divides counts at the end;
 * - records, in how many records, or units of weight, neighbours differ at
 *   most: the whole, or the units of the largest sampling weight, and K times
 *   that with --max-rows K or --max-groups K.
 *   Tools multiply a record's sensitivity by this number, or run each group's
 *   mechanism with this part of epsilon;
 * - weighted: may a record's weight be another than 1?
 */
struct unit {
	const char *column;	/* NULL: a record */
	enum per per;
	uint64_t most, groups;	/* --max-rows, --max-groups; 0: not given */
	bool sorted;		/* the promise of --unit-sorted */
	uint64_t whole, records;
	bool weighted;
};
#define PER_WHOLE ((uint64_t)1 << 20)
#define PER_GROUPS 1000000	/* --max-groups and --max-rows at most */
/* For weights in columns: 2^32 people have fewer than 2^41 units. */
#define PER_PARTS ((uint64_t)1 << 9)

/*
 * --sampling-weight: a record counts w times, 0 <= w <= most, and is one record
 * all the same.  Its weight is a number of units on the grid with `digits'
 * decimals, `units' of them at most.
 */
struct sampling {
	const char *column;	/* NULL: every record counts once */
	struct rational most;	/* den 0: not given */
	int digits;
	int64_t units;
};

struct range {
	struct rational lo;
	struct rational hi;
};

struct ranges {
	struct range *at;	/* one, or a range for each column */
	size_t n;
};

/* --slice COLUMN=VALUE; both NULL without the option. */
struct slice {
	char *column, *value;
};

/* --limits: what a record may take, and a release that is kept; 0: anything. */
struct opts_limits {
	uint64_t ns, bytes, kept;
};

/* Where a release is charged, and under which names. */
#define LEDGER_DATASET "default"
struct charge_to {
	const char *ledger;	/* NULL: nowhere */
	const char *dataset;	/* whose budget */
	const char *account;	/* who pays; "": nobody in particular */
	const char *id;		/* --release-id, or NULL */
	const char *label;	/* or NULL */
};

/* A tool, described once in its main; zeros end the lists. */
struct tool {
	const char *name;
	/* usage after the name, the purpose, and an example */
	const char *synopsis;
	/*
	 * NULL: closed to dp-gate; or the operands that dp-gate lets through,
	 * and "--name" for each option that dp-gate insists on
	 */
	const char *ask;
	struct opt rows[OPTS_LIST];	/* the tool's options */
	/* shared codes not taken; or the codes taken */
	int without[OPTS_LIST], only[OPTS_LIST];
};

/*
 * What the chosen operation of a tool says of its records, and of options that
 * are not given; zeros say nothing.
 */
struct operation {
	bool listed;		/* the records are public: candidates */
	bool hides_group;	/* under swap, a group outside --public is
				   protected */
	bool own_whole;		/* uses each record's own epsilon itself; */
	bool own_weight;	/* or counts records with it as a weight */
	bool alone;		/* looks at each row by itself: an engine's
				   counts of equal rows will not do */
	bool cells;		/* the operation has groups of its own: it
				   takes --others and --max-groups without
				   --groups */
	bool secret;		/* operands after the first are private */
	/* what a schema may give it */
	bool numbers;		/* the columns of -c are numbers, */
	bool days, figures;	/* are dates, are none, */
	bool limits;		/* their limits are ranges, */
	bool sums;		/* and they are added up */
	bool groups;		/* keys of the columns of -g */
	bool people;		/* rows of one person */
	bool counted;		/* and of its own counts people */
	bool keyed;		/* a person's rows have a key, no number */
	bool passed;		/* other tools get the schema, and answer */
	bool dates;		/* answers are values of the column, */
	bool ranks;		/* and whole where all of the column are */
	uint64_t parts;		/* in a share or a record; 0: PER_WHOLE */
	/* without such an option */
	enum neighbors neighbors;
	struct rational eps;
	struct ranges ranges;
};

struct schema;

struct opts {
	const struct tool *tool;
	struct operation op;		/* from complete_options */
	/* the command line, and after complete_options what stands for it */
	bool check, explain, non_private, verbose, others;
	bool within_part;		/* --within X%: of the range */
	bool told;			/* interval is for release_tell alone */
	enum header header;
	char delimiter;
	struct rational eps, within, bad, interval;	/* den 0: not given */
	enum neighbors neighbors;
	enum on_bad on_bad;
	enum format format;
	struct ranges ranges;
	const char *columns, *weight, *group, *groups;
	struct unit unit;
	struct sampling sampling;
	/*
	 * --epsilon-column: decimals or fractions.  A record with an epsilon
	 * of 0 or less, or a bad cell, has no influence (--on-bad fail: a bad
	 * cell is status 1).  intake samples records by epsilon, or with
	 * own_weight makes it their weight, or with own_whole does nothing.
	 */
	const char *own_column;
	const char *public;
	/* columns that --group and --slice look at, where a schema knows that
	   they name views */
	const char *group_columns, *slice_column;
	/* what the table says, from --schema, --missing or the ledger */
	const struct schema *schema;
	const char *schema_path, *missing;
	const char *completed;		/* options that it gave, or NULL */
	bool dates;			/* answers are values of a column */
	bool unquoted;			/* --quote none */
	/*
	 * --sql DIALECT[:TABLE] prints the query whose rows --grouped reads;
	 * see run/engine.h
	 */
	const char *sql;
	bool grouped;
	uint64_t shards;		/* of --grouped; 0: any */
	struct charge_to charge;
	const char *topic;		/* the word after --help, or NULL */
	struct slice slice;
	struct opts_limits limits;
	uint64_t repeat, seed, expect, threads;	/* 0: none */
	int digits;			/* -1: not given */
	const char *file;		/* the input; NULL: standard input */
	char **operands;	/* before a "--", then after, then NULL */
	size_t noperands, plain;	/* plain: before the "--" */
	struct text said;	/* the options, in the order given */
	/* the tool's rows, then the shared rows that the tool takes; an end */
	struct opt_row {
		const struct opt *opt;
		const char *given;	/* the argument, or NULL */
	} row[OPTS_ROWS + 1];
};

#define OPTS_INIT(record) { .tool = (record), .delimiter = ',', \
	.header = HEADER_NAMES, .repeat = 1, .digits = -1, \
	.unit = { .whole = 1, .records = 1 }, \
	.charge = { .dataset = LEDGER_DATASET, .account = "" } }

/*
 * The next option's code, or -1 at the end; collects operands.  Without rows
 * the table becomes the tool's and the shared rows.
 */
int opts_next(struct opts *o, int argc, char **argv);
/* Is the code in the list, which ends with 0? */
bool opts_among(const int *codes, int code);
bool opts_takes(const struct opts *o, int code);	/* by the tool? */
/* The variable DPUTILS_LEDGER, or NULL; an empty one is status 2. */
const char *opts_ledger(void);
/* Is a person's number a total of rows, and --range one of totals? */
bool opts_totals(const struct opts *o);

/*
 * The option that opts_next found last, as in "--epsilon"; and both words that
 * the parsers below take, the option and its argument.
 */
const char *opts_found(void);
#define OPTARG opts_found(), optarg

/* The given option's row, or NULL. */
const struct opt *opts_given(const struct opts *o, int code);

/* Options that a tool refuses together, and why. */
struct rule {
	bool broken;
	const char *words;
};

/*
 * A table of rules; the first broken rule ends the program.  All rules are
 * looked at, even those after a broken one.
 */
#define OPTS_REFUSE(...) \
	opts_refuse((const struct rule[]){ __VA_ARGS__, { false, NULL } })
void opts_refuse(const struct rule *rule);

/* Handles a shared option, --help, --version and every mistake. */
void opts_take(struct opts *o, int code);

/* The operand after the first n, if any, is the input. */
void opts_file(struct opts *o, size_t n);

static inline const char *
opts_input(const struct opts *o)
{
	return o->file != NULL ? o->file : "standard input";
}

/* For complete_options, once the operation is known and before its rules. */
void opts_begin(struct opts *o, const struct operation *op);

/*
 * Refuses a missing epsilon and excluded combinations.  Without --on-bad sets
 * on_bad to drop or number.  Opens the input on descriptor 0.
 */
void opts_check(struct opts *o);

/* --help, or --version. */
noreturn void opts_help(const struct opts *o);

/*
 * Appends the options that shape the release, and the operands, as JSON.  The
 * order of options on the command line does not change the text.  With
 * --release-id each public file appears as its digest.
 */
void opts_record(const struct opts *o, struct text *out);

/* The private operands in JSON, which opts_record leaves out; NULL: none. */
char *opts_secret(const struct opts *o);

/*
 * The words of the command, `...' for private operands; the caller's.  Left out
 * is what a ledger's log has in columns of its own.
 */
char *opts_command(const struct opts *o);

/*
 * Refuses a number of columns; --explain refuses the same of the names in -c,
 * as the input would.
 */
void opts_columns(size_t n, size_t least, size_t most);
void opts_listed_columns(const struct opts *o, size_t least, size_t most);

/* The number of --on-bad on a grid, or 0; it saturates, as cells do. */
int64_t opts_bad(const struct opts *o, int digits);

/* Would --range cut the number of --on-bad? */
bool opts_bad_outside(const struct opts *o);

/* opts_engine.c: refuses what an engine's counts cannot answer. */
void opts_check_engine(const struct opts *o);

/* --expect-weight: exits with status 1 where the total is another. */
void opts_expect(const struct opts *o, u128 total);

/* The columns that --group, or --slice, looks at; NULL: none. */
static inline const char *
opts_group(const struct opts *o)
{
	return o->group_columns != NULL ? o->group_columns : o->group;
}

static inline const char *
opts_slice(const struct opts *o)
{
	return o->slice_column != NULL ? o->slice_column : o->slice.column;
}

/* Are the columns (NULL: none) public?  Without swap no column is public. */
static inline bool
opts_public(const struct opts *o, const char *columns)
{
	return names_within(o->neighbors == NEIGHBORS_SWAP ? o->public :
	    NULL, columns);
}

/* The range for column c. */
const struct range *opts_range(const struct opts *o, size_t c);

/* The place of a word of --per. */
enum per opts_per(const char *name, const char *word);

/* Parsers for option arguments; a wrong argument is status 2 with words. */
struct rational opts_rational(const char *name, const char *text);
struct rational opts_positive(const char *name, const char *text);
struct rational opts_epsilon(const char *name, const char *text);
uint64_t opts_count(const char *name, const char *text, uint64_t least,
    uint64_t most);
void opts_limits(struct opts_limits *l, const char *text);
/* A part of 1: above 0 and below 1, or with `ends' also 0 or 1. */
struct rational opts_part(const char *name, const char *text, bool ends);
/* A text for the ledger, without line ends; a name has a letter at least. */
const char *opts_line(const char *name, const char *text);
const char *opts_name(const char *name, const char *text);
/* Is a FILE|LIST argument a list of NAME=VALUES, and no file? */
bool opts_listed(const char *text);

/*
 * The place of a text among the words; NULL ends the words.  An unknown text is
 * status 2, with the nearest word.
 */
int opts_choose(const char *what, const char *text, const char *const *words);

/* A mechanism's name. */
enum select_kind opts_mechanism(const char *text);

/*
 * The place of the first operand; hints, if any, are pairs of a foreign word
 * and its cure, a pair of NULLs at the end.
 */
int opts_verb(const struct opts *o, const char *what, const char *const *words,
    const char *const (*hints)[2]);

/* Starts a generator: the stream of --seed, or the kernel's bytes. */
struct rng;
void opts_rng(const struct opts *o, const char *stream, struct rng *r);
