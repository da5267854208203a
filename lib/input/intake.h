/*
 * intake: records of private numbers under the shared options.
 *
 * Column names, weights, groups, the range and the policy for bad cells work
 * record by record: each record becomes at most one record of grid integers,
 * whatever the other records are, so neighbours stay neighbours.  With --unit a
 * person's records are brought together (people.h) and handed over after the
 * last record is read.  No message tells of a data record but under --check and
 * --on-bad fail.
 */
#pragma once

#include "keys.h"
#include "people.h"
#include "table.h"

/*
 * Larger weights are cut to INTAKE_WEIGHT under add-remove; 10^12 is below.
 * Under swap the total is public, and with a cut the total would tell which
 * record was changed.  People's rows are cut under swap too: only the number of
 * people is public, and without a cut three rows could be so heavy that the
 * draw of a row would depend on their order.
 */
#define INTAKE_WEIGHT ((int64_t)1 << 40)

#define INTAKE_KNOWN 64

/* A number column: the clamps, and the number for a bad cell. */
struct bounds {
	int64_t lo;
	int64_t hi;
	int64_t bad;
	int digits;
};

/* What a tool does with the records, from intake_read on. */
struct intake_use {
	size_t texts;		/* the first `texts' columns are names, not
				   numbers */
	bool figures;		/* these are the texts of numbers: a schema's
				   yes is 1, a date its day */
	/*
	 * With texts: turns a record's names into numbers, in x in their place;
	 * false: bad, with a substitute in x.  Several names without numbers
	 * after become the first number in x, and the rest is scratch.  NULL:
	 * take looks at the cells itself, which --unit forbids.  With `listed'
	 * also for a number column, as for --bins.
	 */
	bool (*code)(void *arg, const struct cell *cells, int64_t *x);
	/*
	 * Takes a kept record: group index, k grid integers, weight (1 without
	 * --weight, never 0).
	 */
	void (*take)(void *arg, size_t group, const int64_t *x, uint64_t w);
	/*
	 * Takes n records of one number where no option looks at more columns.
	 * NULL: take gets each record.
	 */
	void (*take_all)(void *arg, const int64_t *x, size_t n);
	void *arg;
	/*
	 * The option whose keys code looks up, -1 for none, or whose keys are
	 * in list.  Without --check a false code says: a person's row without
	 * a key, which is no bad cell; a person without a row has -1.
	 */
	const char *listed;
	/*
	 * The first number is a cell below `cells', and people count in each
	 * cell of each group for itself, without further numbers; a row with a
	 * number beyond is no row.  0: people count in groups.
	 */
	uint64_t cells;
	const char *near;	/* what take changes for group 0; and how far */
	size_t stride;		/* that of the next group is; or NULL */
	bool linear;		/* the only number is added up: totals will
				   do, whatever the numbers are */
	/* for --check: */
	const struct keys *list;	/* where the single column is looked
				   up, as groups are; or NULL */
	size_t classes;		/* the first column is a class below `classes';
				   0: no class */
	bool logits;		/* the columns after it are logits */
	uint64_t size;		/* --size, */
	bool promised;		/* a public promise, and no guess */
	uint64_t needs;		/* records that an answer needs */
};

/* The cells after the k columns. */
enum intake_cell {
	CELL_WEIGHT, CELL_UNIT, CELL_SLICE, CELL_OWN, CELL_SAMPLING, CELL_END,
	CELL_GROUP, CELLS
};

struct intake {
	const struct opts *o;
	struct table *table;
	const char *weight;	/* the column of weights, or NULL; */
	const char *unit;	/* of people, NULL also where the query of
				   --sql has folded their rows */
	struct keys keys;	/* of --groups */
	size_t groups;		/* answers: 1 without --group, or one for each
				   key and at last --others */
	struct bounds *bounds;	/* for each column */
	size_t *cols;		/* the k columns, then those of the cells */
	size_t k;
	bool rows;		/* --per count without a column counts rows:
				   k is 1, and no cell is read */
	size_t all;
	size_t at[CELLS];	/* among the cells, with the options */
	bool *number;		/* which are no keys */
	/* while reading */
	uint64_t own;		/* a person's row: its part */
	struct intake_use use;
	const struct cell *cells;	/* the cells of take's record */
	bool waits;		/* a batch finds the groups of records */
	int64_t *x;		/* the record's numbers, or a person's, and the
				   sampling weight of a person's row */
	struct {
		struct rational eps;
		uint64_t keep;
	} known[INTAKE_KNOWN];	/* chances or weights for such epsilons */
	void (*take)(void *arg, size_t group, const int64_t *x, uint64_t w);
	void *arg;		/* the tool's, or in a thread a batch */
	unsigned threads;	/* to read and to sort */
	uint64_t records;
	u128 total;		/* their weights, or people, in groups or not */
	struct check *check;	/* with --check */
	struct people *people;	/* with --unit, */
	struct pile *pile;	/* and in a thread: the thread's rows */
	bool ended;		/* with --grouped: by a mark, */
	uint64_t marks;		/* of this number, */
	int64_t since;		/* and the rows since the last */
	struct rng *rng;	/* of them */
};

/*
 * Finds keys and columns of an input: least to most columns, without -c those
 * that no option names, if `least', or at least two; on a grid with `digits`
 * decimals.  Exits with status 1 or 2 and words on the fault in these public
 * things.  intake_close closes the table.
 */
void intake_open(struct intake *in, struct table *t, const struct opts *o,
    size_t least, size_t most, int digits);

/*
 * The range of column c on a grid, or the program ends: for plans before the
 * header.
 */
void intake_range(const struct opts *o, size_t c, int digits,
    struct bounds *b);

/* --on-bad fail: ends the program at this record, from 1. */
noreturn void intake_fail(uint64_t record);

/* Puts a column, or every column, on a new grid, before anything is read. */
void intake_column_grid(struct intake *in, size_t c, int digits);

static inline void
intake_grid(struct intake *in, int digits)
{
	for (size_t c = 0; c < in->k; c++)
		intake_column_grid(in, c, digits);
}

/*
 * Reads to the end of input, and the use takes the records.  Under --check
 * reports problems on stderr instead and exits.  Ends with opts_expect.
 */
void intake_read(struct intake *in, const struct intake_use *use);

/*
 * May the record with a bad cell go on, with a number in the cell's place?
 * Ends the program under --on-bad fail.
 */
bool intake_forgive(const struct intake *in);

/*
 * A group's name, a part for each column of --group, which keys.width counts
 * (NULL and 0 without --group); and the columns' names.
 */
const struct label *intake_group_parts(const struct intake *in, size_t g);
const char *intake_group_column(const struct intake *in, size_t i);

void intake_close(struct intake *in);

/* The name of column c, of people's rows too. */
static inline const char *
intake_name(const struct intake *in, size_t c)
{
	return in->rows ? "rows" : table_name(in->table, in->cols[c]);
}

/*
 * Whose row it is, nobody's where it is empty.  Blanks around an id are no part
 * of it, whoever reads the cell: a file, a schema, an engine.  So one budget
 * has one map from rows to people.
 */
static inline struct label
intake_person(const struct cell *id)
{
	return text_trim(id->text, id->len);
}

/* A cell as a weight, and as an exact number. */
bool intake_weight(const struct opts *o, const struct cell *cell, uint64_t *w);
bool intake_rational(const struct cell *cell, struct rational *x);

/* A cell as a number within the bounds. */
static inline bool
intake_number(const struct cell *cell, const struct bounds *b, int64_t *x)
{
	if (cell->missing ||
	    !fixed_cell_behind(cell->text, cell->len, b->digits, x))
		return false;
	*x = fixed_clamp(*x, b->lo, b->hi);
	return true;
}

/* The group of a record with these cells; keys.n if not listed. */
size_t intake_find_group(const struct intake *in, const struct cell *cells);
