/*
 * people: a person's rows become the person's record, or records.
 *
 * Neighbours differ in the rows of one person, one value in the column of
 * --unit.  A person's records are a function of this person's rows alone (a
 * random function for PER_ANY and PER_ROWS, with separate draws), whatever rows
 * stand between, so data sets that differ in one person become record sets that
 * differ in the person's record, or in weight `whole`, or in at most `most`
 * units of the person's weight; or by that in each of at most `kept' groups.
 * Ids are compared in full: two people whose
 * hashes agree stay two.
 */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "random/rng.h"
#include "rows.h"
#include "tool/opts.h"

/* How a person becomes records. */
struct people_rule {
	enum per per;
	size_t k;		/* numbers in a row, */
	bool weighs;		/* the last one a sampling weight: the person
				   has the mean of the rows', or the row's */
	uint64_t whole;		/* the sum of shares; at most 2^20 */
	uint64_t most;		/* rows kept, for PER_ROWS */
	uint64_t kept;		/* --max-groups: in so many groups at most a
				   person has what is else of the person;
				   0: in one */
	bool groups, weighted;	/* may rows have groups, weights but 1? */
	bool sorted;		/* the promise of --unit-sorted */
	unsigned threads;	/* for the bins of rows, at least 1 */
	struct rng *rng;
	/* a person's record; x is NULL without a good row */
	void (*give)(void *arg, uint64_t group, const int64_t *x, uint64_t w);
	void *arg;
};

struct people;

struct people *people_new(const struct people_rule *rule);

/*
 * Adds a row to a pile, as any thread may, or without a pile to the people: the
 * results agree where people_put gets piles in input order.
 */
void people_add(struct people *p, struct pile *to, struct label id,
    const struct people_row *row);

/* Puts in the rows, and empties the pile. */
void people_put(struct people *p, struct pile *from);

/* Hands over the people left; returns how many people came. */
uint64_t people_end(struct people *p);

/*
 * People handed over; the largest number of rows, how many had rows in several
 * groups, and the sum of rows beyond --max-rows.  With groups also how many
 * people had good rows in 1, 2, ... of them, and in PER_GROUPS or more.
 */
struct people_facts {
	uint64_t people, largest, several, cut;
	uint64_t *spread;
};

const struct people_facts *people_facts(const struct people *p);

void people_free(struct people *p);

#endif
