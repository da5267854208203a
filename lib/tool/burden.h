/*
 * burden: what a release with a ledger may take, by public numbers.
 *
 * A tool that ends by the data answers an exact question: the charge is there,
 * and the answer is not.  So what a command chooses - groups, quantiles,
 * repeats - takes half of the memory that may be had at most, and the other
 * half is for records; and behind dp-gate a record takes little of it, and
 * little time, so that no small number of records ends a tool.
 */
#pragma once

#include "number/fixed.h"
#include "opts.h"

/* A list that a record begins has this much, at most, for others to come. */
#define BURDEN_LIST 2048

struct burden {
	size_t columns;		/* of numbers, that a person's rows keep */
	uint64_t ns, bytes;	/* for a record, besides cutting it, */
	uint64_t each;		/* and ns more for each of --repeat */
	u128 memory;		/* bytes that the tool is about to take, */
	u128 numbers;		/* and numbers and */
	u128 labels;		/* bytes of labels in the whole release */
};

/*
 * Bytes for a record in a list of which quantiles of this epsilon are asked, on
 * so many levels: with a small one many candidates are near.
 */
uint64_t burden_quantiles(struct rational eps, unsigned levels);

/* Status 2, before the charge, for a command that would take too much. */
void burden_bear(const struct opts *o, const struct burden *b);
