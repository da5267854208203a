/*
 * intake: records of private numbers under the shared options.
 *
 * Column names, weights, groups, the range and the policy for bad cells are
 * applied here, record by record: each record becomes at most one record of
 * grid integers, whatever the others are, so neighbours stay neighbours.  With
 * --unit the records of one person are brought together (people.h) and handed
 * over after the last one is read.
 * Nothing is said about a data record but under --check and --on-bad fail.
 */
#ifndef INTAKE_H
#define INTAKE_H

#include "keys.h"
#include "people.h"
#include "table.h"
#include "tool/opts.h"

/*
 * A weight above this counts as this under add-remove; 10^12 is below.  Under
 * swap the total is public, and a cut would let it tell which of the records
 * was changed.  People's rows are cut there too: only the number of people is
 * public, and else three rows could be so heavy that which of them is drawn
 * would depend on their order.
 */
#define INTAKE_WEIGHT ((int64_t)1 << 40)

#define INTAKE_KNOWN 64

/* One column of numbers: its clamps and what a bad cell becomes. */
struct bounds {
	int64_t lo;
	int64_t hi;
	int64_t bad;
	int digits;
};

struct intake {
	const struct opts *o;
	struct table *table;
	struct keys keys;	/* of --groups */
	size_t groups;		/* answers: 1 without --group, else one for each
				   key and, the last, that of --others */
	struct bounds *bounds;	/* one for each column */
	size_t *cols;		/* the k columns, then weight, group, unit,
				   slice, own */
	size_t k;
	size_t all;
	size_t group_at;	/* of the cells, with --group */
	size_t unit_at;		/* with --unit */
	size_t slice_at;	/* with --slice */
	size_t own_at;		/* with o->own_column */
	size_t texts;		/* set after opening: so many of the k columns
				   stand first and are names, not numbers */
	/*
	 * Set after opening, with texts: turns the names of a record into
	 * numbers, in x in their place; false: bad, with what stands for it
	 * in x.  NULL: take looks at the cells itself, which --unit forbids.
	 * With `listed' also of a column of numbers, such as those of --bins.
	 */
	bool (*code)(void *arg, const struct cell *cells, int64_t *x);
	const char *listed;	/* set after opening, for --check: the option
				   whose keys code looks up, -1 for none; or
				   that of intake_list */
	size_t classes;		/* set after opening, for --check: the first
				   column is a class below this; 0: is not */
	uint64_t size;		/* set after opening, for --check: --size, */
	bool promised;		/* which is a public promise, and no guess */
	/*
	 * Set after opening: takes n records of one column where no option
	 * looks at more of them.  NULL: take gets each of them.
	 */
	void (*take_all)(void *arg, const int64_t *x, size_t n);
	/* while reading */
	const struct cell *cells;	/* of the record that take is given */
	int64_t *x;		/* of the record; of records for take_all: the
				   next one's, and where their room ends */
	int64_t *x_end;
	void (*full)(struct intake *in);
	off_t left;		/* bytes of a regular file at first, or -1 */
	struct rational own;	/* of o->own_column, above 0 */
	struct {
		struct rational eps;
		uint64_t keep;
	} known[INTAKE_KNOWN];	/* chances of such epsilons */
	void (*take)(void *arg, size_t group, const int64_t *x, uint64_t w);
	void *arg;
	void *code_arg;		/* of code: the tool's arg */
	unsigned threads;	/* to read and to sort */
	uint64_t records;
	u128 total;		/* their weights, or people, of all groups or
				   none */
	struct check *check;	/* with --check */
	struct people *people;	/* with --unit, */
	struct arrivals *arrivals;	/* and in a thread: its rows */
	struct rng *rng;	/* of them */
	int64_t *person;	/* k numbers of one */
};

/*
 * Opens the input: keys, header, columns (least to most of them; without -c
 * those that no option names, if they are `least', or at least two); all on
 * a grid of `digits` decimals.  Exits with status 1 or 2 and words on what is
 * wrong with these public things.
 */
void intake_open(struct intake *in, const struct opts *o, size_t least,
    size_t most, int digits);

/* For --check: the one column is looked up in a list, as groups are. */
void intake_list(struct intake *in, const char *option,
    const struct keys *keys);

/* --on-bad fail: ends the program at this record, from 1. */
noreturn void intake_fail(uint64_t record);

/* Puts a column, or all of them, on another grid, before anything is read. */
void intake_column_grid(struct intake *in, size_t c, int digits);

static inline void
intake_grid(struct intake *in, int digits)
{
	for (size_t c = 0; c < in->k; c++)
		intake_column_grid(in, c, digits);
}

/*
 * Reads to the end of input and hands each kept record to take: group index,
 * k grid integers, weight (1 without --weight, never 0).  Under --check it
 * reports problems on stderr instead and exits.  Ends with opts_expect.
 */
void intake_read(struct intake *in, void (*take)(void *arg, size_t group,
    const int64_t *x, uint64_t w), void *arg);

/*
 * A group's name, a part for each column of --group, which keys.width counts
 * (NULL and 0 without it); and these columns' names.
 */
const struct label *intake_group_parts(const struct intake *in, size_t g);
const char *intake_group_column(const struct intake *in, size_t i);

void intake_close(struct intake *in);

/* A cell as a weight, and as an exact number. */
bool intake_weight(const struct opts *o, const struct cell *cell, uint64_t *w);
bool intake_rational(const struct cell *cell, struct rational *x);

/* A cell as a number within its bounds. */
static inline bool
intake_number(const struct cell *cell, const struct bounds *b, int64_t *x)
{
	if (cell->missing ||
	    !fixed_cell_behind(cell->text, cell->len, b->digits, x))
		return false;
	*x = fixed_clamp(*x, b->lo, b->hi);
	return true;
}

/* The group of a record with these cells; keys.n where it is not listed. */
size_t intake_find_group(const struct intake *in, const struct cell *cells);

#endif
