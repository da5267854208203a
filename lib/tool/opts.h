/*
 * opts: the options that every tool shares, in one table.
 *
 * A tool adds rows of its own and handles their codes; everything else goes
 * to opts_take.  Nothing is read from the environment but DPUTILS_LEDGER.
 */
#ifndef OPTS_H
#define OPTS_H

#include <getopt.h>
#include <stdnoreturn.h>

#include "columns.h"
#include "number/fixed.h"
#include "number/neighbors.h"
#include "text.h"

#define DPUTILS_VERSION "0.2.0"
#define OPTS_ROWS 64	/* rows of a tool, shared ones included */
#define OPTS_LIST 32	/* what a tool says of its options, at most */

/*
 * One option: code (a letter, or 256 and up), long name, argument, help, and
 * whether dp-gate lets people say it who may not see the data: closed (NULL)
 * until somebody opens it.  OPEN is for an option that tells nothing but what
 * the charge pays for, whatever its argument and whatever the data are; "not X"
 * and "only X" open it to all arguments but one, and to one.
 */
#define OPEN "open"
struct opt {
	int code;
	const char *name;
	const char *arg;	/* NULL: takes none */
	const char *help;
	const char *ask;
};

/* Codes of the long-only options; a tool's own start at OPT_OWN. */
enum {
	OPT_NEIGHBORS = 256, OPT_RANGE, OPT_ON_BAD, OPT_CHECK, OPT_DIGITS,
	OPT_EXPLAIN, OPT_WITHIN, OPT_LEDGER, OPT_RELEASE_ID, OPT_LABEL,
	OPT_SEED, OPT_NON_PRIVATE, OPT_GROUPS, OPT_THREADS, OPT_DATASET,
	OPT_EXPECT_WEIGHT, OPT_INTERVAL, OPT_OTHERS,
	OPT_PEOPLE, OPT_PER, OPT_MAX_ROWS, OPT_UNIT_SORTED, OPT_SLICE,
	OPT_ACCOUNT, OPT_EPS_COLUMN, OPT_PUBLIC, OPT_HEADER,
	OPT_OWN
};

/* The first line: a record, names of which none is a number, or any names. */
enum header { HEADER_NONE, HEADER_NAMES, HEADER_NUMBERS };

enum on_bad { ON_BAD_DEFAULT, ON_BAD_DROP, ON_BAD_NUMBER, ON_BAD_FAIL };

/* FORMAT_DEFAULT: not given; plain unless the answers of a tool have names. */
enum format {
	FORMAT_DEFAULT, FORMAT_PLAIN, FORMAT_CSV, FORMAT_TSV, FORMAT_JSON
};

/*
 * What --unit makes of a person's rows: one record, or (PER_SHARE) rows whose
 * weights add up to opts_whole, or (PER_ROWS) at most --max-rows of them.
 */
enum per {
	PER_NONE, PER_SUM, PER_MEAN, PER_COUNT, PER_MIN, PER_MAX, PER_ANY,
	PER_SHARE, PER_ROWS
};
#define PER_WHOLE ((uint64_t)1 << 20)
/* Of tools that keep weights in columns: 2^32 people are below 2^41 units. */
#define PER_PARTS ((uint64_t)1 << 9)

struct range {
	struct rational lo;
	struct rational hi;
};

/* What a tool is, said once in its main; zeros end the lists. */
struct tool {
	const char *name;
	/* lines of usage after the name, what it does, and an example */
	const char *synopsis;
	/* NULL: closed to dp-gate; else the operands that it lets through, and
	   options, as "--name", that it insists on */
	const char *ask;
	struct opt rows[OPTS_LIST];	/* options of its own */
	int with[OPTS_LIST];		/* codes taken by some tools only */
	int without[OPTS_LIST];		/* shared codes not taken */
};

struct opts {
	/* the tool's, set before parsing */
	const struct tool *tool;
	bool listed;			/* the records are public: candidates */
	bool hides_group;		/* of swap: a group that --public does
					   not name is protected */
	uint64_t parts;			/* of a share; 0: PER_WHOLE */
	/* what the command line said */
	bool has_eps, has_within, has_seed, given_neighbors, given_bad;
	bool has_expect, has_interval, others, unit_sorted;
	bool within_part;		/* --within X%: of the range */
	bool check, explain, non_private, verbose;
	enum header header;
	char delimiter;
	struct rational eps, within, bad, interval;
	enum neighbors neighbors;
	enum on_bad on_bad;
	enum format format;
	struct range *ranges;		/* one for all columns or one each */
	size_t nranges;
	const char *columns, *weight, *group, *groups, *unit;
	/*
	 * --epsilon-column: decimals or fractions; a record where it is not
	 * above 0, or bad, has no influence (--on-bad fail: status 1 where it
	 * is bad).  Records are sampled by it, but not where own_whole says
	 * that the tool has another use of it.
	 */
	const char *own_column;
	bool own_whole;
	const char *public;
	enum per per;
	const char *ledger, *dataset, *release_id, *label, *account;
	const char *topic;		/* the word after --help, or NULL */
	char *slice_column, *slice_value;	/* --slice; NULL without it */
	uint64_t repeat, seed, expect, max_rows;
	unsigned threads;		/* 0: not given */
	int digits;			/* -1: not given */
	const char *file;		/* the input; NULL: standard input */
	char **operands;		/* before a "--", then those after,
					   then NULL, where there are any */
	size_t noperands;
	/* the tool's rows, then the shared ones that it takes */
	const struct opt *row[OPTS_ROWS];
	size_t nrows;
	const char *given[OPTS_ROWS];	/* argument of each, or NULL */
	/* getopt's tables of them */
	struct option longs[OPTS_ROWS + 1];
	char letters[2 * OPTS_ROWS + 3];
};

#define OPTS_INIT(record) { .tool = (record), .delimiter = ',', \
	.header = HEADER_NAMES, .repeat = 1, .digits = -1 }

/* One more row; the tool's and the shared ones come by themselves where there
   is none before the first opts_next. */
void opts_add(struct opts *o, const struct opt *row);

/* Next option's code, operands collected on the way; -1 at the end. */
int opts_next(struct opts *o, int argc, char **argv);
bool opts_takes(const struct opts *o, int code);	/* is it the tool's? */

/* Handles a shared option, --help, --version and every mistake. */
void opts_take(struct opts *o, int code);

/* The operand after the first n, if there is one, is the input. */
void opts_file(struct opts *o, size_t n);

static inline const char *
opts_input(const struct opts *o)
{
	return o->file != NULL ? o->file : "standard input";
}

/*
 * What can be said without input: missing epsilon, options that exclude each
 * other.  Sets on_bad to drop or number where it was not given, and opens the
 * input on descriptor 0.
 */
void opts_check(struct opts *o);

/* --help. */
noreturn void opts_help(const struct opts *o);

/*
 * Appends the options that shape the release, and the operands, as JSON: the
 * same text for every order of the same options.  With --release-id public
 * files are told apart by their contents.
 */
void opts_record(const struct opts *o, struct text *out);

/* --expect-weight: exits with status 1 where this total is not the promised. */
void opts_expect(const struct opts *o, u128 total);

/* Are these columns, NULL for none, public?  Without swap none is. */
static inline bool
opts_public(const struct opts *o, const char *columns)
{
	return columns_within(columns,
	    o->neighbors == NEIGHBORS_SWAP ? o->public : NULL);
}

/* The format that was given, or the one that a tool has otherwise. */
enum format opts_format(const struct opts *o, enum format otherwise);

/*
 * In how many records, or units of weight, neighbours differ at most: 1, but
 * K with --max-rows K and opts_whole with --per share.  Sensitivities of one
 * record are multiplied by it.
 */
uint64_t opts_records(const struct opts *o);

/* What a person weighs: PER_WHOLE, or parts, with --per share, by which counts
 * are divided in the end; else 1.  opts_weighted: may a weight not be 1? */
uint64_t opts_whole(const struct opts *o);

static inline bool
opts_weighted(const struct opts *o)
{
	return o->per == PER_SHARE || (o->weight != NULL &&
	    (o->per == PER_NONE || o->per == PER_ROWS));
}

/* Range of column c. */
const struct range *opts_range(const struct opts *o, size_t c);

/* Parsers for option arguments; they die with status 2 and words. */
struct rational opts_rational(const char *name, const char *text);
struct rational opts_positive(const char *name, const char *text);
struct rational opts_epsilon(const char *name, const char *text);
uint64_t opts_count(const char *name, const char *text, uint64_t least,
    uint64_t most);
/* A text that a ledger keeps, on one line; a name is not empty. */
const char *opts_line(const char *name, const char *text);
const char *opts_name(const char *name, const char *text);
/* Where an argument is a FILE|LIST: is it a list of NAME=VALUES, no file? */
bool opts_listed(const char *text);

/*
 * The place of a text (of an option, or the name of an operation) among the
 * words, which NULL ends.  A text that is none of them: status 2, with the
 * nearest one.
 */
int opts_choose(const char *what, const char *text, const char *const *words);
noreturn void opts_unknown(const char *what, const char *text,
    const char *const *words);

/* Starts the generator: with --seed a stream of the tool's, else the kernel's
   bytes. */
struct rng;
void opts_rng(const struct opts *o, struct rng *r);

/* Frees what parsing allocated. */
void opts_free(struct opts *o);

#endif
