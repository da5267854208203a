/*
 * people: a person's rows become the person's record, or records.
 *
 * Neighbours differ in the rows of one person, one value in the column of
 * --unit.  The records of a person depend on that person's rows alone (and for
 * PER_ANY and PER_ROWS on draws made for that person), not on the rows of
 * others in between.  So when two data sets differ in one person, their record
 * sets differ in that person's record, or in weight `whole', or in at most
 * `most' units of weight; with --max-groups, by that much in each of at most
 * `kept' groups.  Ids are compared in full: two people with equal hashes stay
 * two.
 *
 * Own epsilons.  A person's is the least among the person's rows, good or bad,
 * so one number that nobody else's rows change.  Each record above is handed
 * over with the person's part in the place of a whole, so that data sets with
 * and without the person differ by part / whole of what they do above, for e at
 * most (shares.c).  Or the person is sampled: a coin before anything else keeps
 * all of the person's rows or none (personal.c, with the person for a record).
 */
#pragma once

#include "random/rng.h"
#include "rows.h"
#include "tool/opts.h"

/* How a person becomes records. */
struct people_rule {
	enum per per;
	size_t k;		/* numbers in a row, */
	bool weighs;		/* the last one a sampling weight: the person
				   has the mean of the rows', or the row's */
	uint64_t whole;		/* a person's weight, at most 2^20 */
	uint64_t most;		/* rows kept, for PER_ROWS */
	uint64_t kept;		/* --max-groups: a person counts in at most
				   this many groups; 0: in one */
	bool groups, weighted;	/* may rows have groups, weights but 1? */
	bool owned;		/* rows have parts: with groups only; */
	bool sampled;		/* they are chances, to be drawn by a coin */
	bool sorted;		/* the promise of --unit-sorted */
	bool told;		/* for --check: who has how many rows, groups */
	unsigned threads;	/* for the bins of rows, at least 1 */
	struct rng *rng;
	/* gets a person's record; x is NULL without a good row */
	void (*give)(void *arg, uint64_t group, const int64_t *x, uint64_t w);
	void *arg;
};

struct people;

struct people *people_new(const struct people_rule *rule);

/*
 * Adds a row to a pile, in any thread; without a pile, to the people.  Both
 * give the same result if people_put gets the piles in input order.
 */
void people_add(struct people *p, struct pile *to, struct label id,
    const struct people_row *row);

/* Puts in the rows, and empties the pile. */
void people_put(struct people *p, struct pile *from);

/*
 * Counts people handed over, the largest number of rows, people with rows in
 * several groups, and rows beyond --max-rows.  If they are to be told, it also
 * counts people with good rows in 1, 2, ... groups, and in PER_GROUPS or more,
 * and with --max-rows those with 1, 2, ... rows.
 */
struct people_facts {
	uint64_t people, largest, several, cut;
	uint64_t *spread, *rows;
};

/* Hands over the people left; the facts last until people_free. */
const struct people_facts *people_end(struct people *p);

void people_free(struct people *p);
