/* intake_check_state: what --check has seen, for its two sources. */
#ifndef INTAKE_CHECK_STATE_H
#define INTAKE_CHECK_STATE_H

#include "bad.h"
#include "intake.h"

/* How often something was seen, and where first. */
struct seen {
	uint64_t count, first;
	char sample[BAD_SHOWN];
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
};

extern const double check_codes[CHECK_CODES];

struct check {
	struct intake *in;
	struct check_column *column;	/* for each of in->all */
	struct seen ragged, stranger, nobody, unlisted;
	uint64_t *group;		/* usable weight in each, and in none */
	size_t width;			/* fields that a record should have */
	uint64_t looked, usable;	/* records, of the slice */
	u128 weight;			/* of usable records */
	struct quotes quotes;	
	const struct people_facts *people;	/* at the end, with --unit */
	bool problems;
};

#endif
