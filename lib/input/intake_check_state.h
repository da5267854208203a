/* intake_check_state: what --check has seen, for its two sources. */
#pragma once

#include "bad.h"
#include "intake.h"

typedef unsigned long long ull;	/* for %llu */

/* How often something was seen, and where first. */
struct seen {
	uint64_t count, first;
	char sample[BAD_SHOWN];
	char other[BAD_SHOWN];		/* of spellings: the first one */
};

/* A number in the input, as written. */
struct extreme {
	double x;
	char sample[BAD_SHOWN];
};

#define CHECK_CODES 9

struct check_column {
	struct seen bad[BAD_KINDS];
	struct extreme min, max;
	/* cells that look like codes for no value, and the ends of others */
	uint64_t code[CHECK_CODES], plain;
	double low, high;
	uint64_t good, below, above;
	uint64_t first, last;	/* clamped into these bands of a view */
	uint64_t pointed;	/* written as 1.250 */
};

extern const double check_codes[CHECK_CODES];

struct spellings {
	struct ids forms;
	struct text texts;	/* of each form as it was first written */
};

struct check {
	struct intake *in;
	struct check_column *column;	/* for each of in->all */
	struct seen ragged, stranger, nobody, unlisted;
	uint64_t single;		/* records with one field */
	uint64_t heaviest;		/* weight */
	/* intake_check_ids.c: */
	struct spellings names;		/* of people */
	struct spellings keys;
	struct ids persons;		/* of a column that names people */
	size_t person;			/* its place among the cells */
	struct seen spelled, none, repeated, alike;
	uint64_t *group;		/* usable weight in each, and in none */
	size_t width;			/* fields that a record should have */
	uint64_t looked, usable;	/* records, of the slice */
	u128 weight;			/* of usable records */
	struct quotes quotes;	
	const struct people_facts *people;	/* at the end, with --unit */
	bool problems;
};

/* A warning that makes the status 1. */
#define PROBLEM(k, ...) ((k)->problems = true, err_warn(__VA_ARGS__))

/* Notes a cell that stands in the current record. */
void check_see(struct check *k, struct seen *s, const struct cell *cell);

/*
 * intake_check_ids.c: ids and keys that are spelled in several ways, and ids
 * of people in a command that knows of no people.
 */
void check_ids_new(struct check *k);
void check_id(struct check *k, const struct cell *id);
void check_stranger(struct check *k, const struct cell *key);
void check_person(struct check *k, const struct cell *cells);
void check_ids_tell(struct check *k);
