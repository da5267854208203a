/*
 * guarantee: between which inputs the privacy loss is bounded, by a release or
 * by a whole budget.
 *
 * Epsilons add up only where they speak of the same neighbors, so a budget has
 * one guarantee, and a release counts in it as often as its own guarantee
 * needs to cover a pair of the budget's neighbors:
 *
 * - the same neighbors: once.
 * - add-remove in a swap budget: twice, since a record is replaced by taking
 *   it away and adding another, through an input that neighbors both.
 * - swap in an add-remove budget: never.  The number of records is public
 *   under swap, and that number differs between the budget's neighbors.
 * - a metric's epsilon is per distance: only with releases of that metric.
 *   The discrete metric is swap.
 * - people (all records of one value of a column) and records: apart.  A
 *   release for records says nothing of how many of them a person has.
 * - swap with groups: who is in which group is public, so that only records
 *   of the same group are swapped.  Such a release belongs to a budget whose
 *   neighbors are equal in the columns of the groups.
 * - stated: the user says by -s what a neighbor may move, for the neighbors
 *   of the budget.
 */
#ifndef GUARANTEE_H
#define GUARANTEE_H

#include <stdbool.h>

#include "tool/text.h"

enum guarantee_kind {
	GUARANTEE_ADD_REMOVE,
	GUARANTEE_SWAP,
	GUARANTEE_METRIC,
	GUARANTEE_STATED,	/* of a release only */
	GUARANTEE_MIXED		/* of an old budget whose log has no bound */
};

struct guarantee {
	enum guarantee_kind kind;
	const char *metric;	/* of GUARANTEE_METRIC, by guarantee_metric */
	const char *unit;	/* the column of people; NULL: records */
	const char *fixed;	/* columns that neighbors share; NULL: none */
};

extern const char *const guarantee_words[];	/* by kind, NULL ends them */

/* The kind of this word; GUARANTEE_MIXED for any other. */
enum guarantee_kind guarantee_kind(const char *word);

/*
 * What one epsilon of a release counts in a budget: 1 or 2; 0 where it is
 * refused, and then `why` gets a sentence without its full stop.
 */
unsigned guarantee_factor(const struct guarantee *budget,
    const struct guarantee *release, struct text *why);

/*
 * The metric of a specification, as it is kept in a ledger, for the caller to
 * free; NULL for the discrete one, which is swap.
 */
char *guarantee_metric(const char *spec);

#endif
