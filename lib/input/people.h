/*
 * people: the rows of each person become that person's record, or records.
 *
 * Neighbours differ in all rows of one person, that is of one value of the
 * column of --unit.  What is handed over for a person is a function of this
 * person's rows alone (for PER_ANY and PER_ROWS a random one, with draws of
 * its own), whatever rows stand between them, so data sets that differ in one
 * person become record sets that differ in that person's record, or in
 * weight `whole` or at most `most` units of weight of that person's.  Ids are
 * compared in full: two people whose hashes agree stay two.
 */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "random/rng.h"
#include "tool/opts.h"
#include "tool/text.h"

/* What a person is made into. */
struct people_rule {
	enum per per;
	size_t k;		/* numbers in a row */
	uint64_t whole;		/* what shares add up to; at most 2^20 */
	uint64_t most;		/* rows kept, for PER_ROWS */
	bool groups, weighted;	/* may rows have groups, weights but 1? */
	bool sorted;		/* the promise of --unit-sorted */
	struct rng *rng;
	/* one record of a person; x is NULL where no row was good */
	void (*give)(void *arg, size_t group, const int64_t *x, uint64_t w);
	void *arg;
};

struct people_row {
	size_t group;		/* below 2^32 - 1 */
	const int64_t *x;	/* k numbers; NULL: the row is bad */
	uint64_t w;		/* equal rows; 0 is as good as a bad row */
};

struct people;

struct people *people_new(const struct people_rule *rule);
void people_add(struct people *p, struct label id,
    const struct people_row *row);

/*
 * Rows on their way, which any thread may fill (all 0 to begin with); put
 * into people in the order of the input they become what people_add would
 * have made.  Not for --unit-sorted.
 */
struct arrivals {
	struct arrival *row;
	size_t n, room;
	int64_t *x;		/* k numbers of each */
	struct text far;	/* long ids */
};

void arrivals_add(struct arrivals *a, const struct people *p,
    struct label id, const struct people_row *row);
void arrivals_empty(struct arrivals *a);
void arrivals_free(struct arrivals *a);

/* Puts in the rows, and empties the arrivals. */
void people_put(struct people *p, struct arrivals *a);

/* Hands over all who are not yet handed over; how many people there were. */
uint64_t people_end(struct people *p);

/*
 * People so far; of those handed over, rows of the one with most, how many
 * had rows in several groups, and the rows beyond --max-rows, all told.
 */
struct people_facts {
	uint64_t largest, several, cut;
};

uint64_t people_count(struct people *p);
const struct people_facts *people_facts(const struct people *p);

void people_free(struct people *p);

#endif
