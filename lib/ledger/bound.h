/*
 * bound: the facts that a budget binds.
 *
 * [DMNS06 Theorem 1] adds up losses between two inputs that neighbor each
 * other, so every fact that decides which inputs are neighbors is fixed when a
 * budget is made, and compared at every charge: a table row for each fact.
 *
 * - Relation.  An add-remove release counts twice under swap, since a record
 *   is replaced by taking it away and adding another.  A swap release is no
 *   bound under add-remove: the release takes n as public, which add-remove
 *   neighbors do not share.  The user of -s states how far a neighbor of the
 *   budget moves the answer.
 * - Metric, its file, and the universe: an epsilon is per distance, and the
 *   three say how far two records are.  The discrete metric is swap.
 * - Public columns, under swap and metrics: neighbors share the columns, so
 *   that the columns may decide an answer's records.  A release may use fewer.
 * - Unit and weight: what neighbors differ in is a record, a person, or a unit
 *   of a weight; one is no bound for another.
 * - Slices, the parts whose losses do not add up.
 * - Delimiter, header: they say where a record ends and which column a name
 *   means.  A quote after another delimiter would swallow the records after
 *   it, so the delimiter is bound even where no column is.  Where the first
 *   line is a record, a header would publish the record; a header counted as a
 *   record is equal for every neighbor.
 * - Quote, reading: quotes say where a record ends, too; and how a schema reads
 *   a bound column says whose a record is, what it weighs, and what neighbors
 *   share, or under a metric how far records are.  How other columns are read
 *   is a map of each cell by itself.
 *
 * - Grouped: whoever says so vouches that the counts are those of --sql's
 *   query, so a budget takes counts, or it takes rows.
 *
 * Columns are bound by names in a header: a number means another column, or the
 * whole line, under another delimiter, and without a header a schema's order
 * says which column has a name.
 */
#pragma once

#include "tool/opts.h"

enum bound {
	BOUND_METRIC, BOUND_NEIGHBORS, BOUND_DOMAIN, BOUND_PUBLIC, BOUND_UNIT,
	BOUND_WEIGHT, BOUND_SLICES, BOUND_DELIMITER, BOUND_HEADER,
	BOUND_QUOTE, BOUND_READING, BOUND_GROUPED, BOUNDS
};

#define BOUND_STATED "stated"	/* neighbors for a release with -s */

/* The facts that a budget binds, or a release asks for; NULL: nothing. */
struct bound_set {
	const char *is[BOUNDS];
	char delimiter[2];	/* of is */
	char *owned[4];		/* texts in is */
};

/* For dp-budget create and for a release, beside the options. */
struct bound_terms {
	const char *metric, *domain;	/* arguments, or NULL */
	const char *public;		/* further public columns */
	const char *slices;
	bool stated;
};

/* Fills b, whose place must not change; to be freed. */
void bounds_take(struct bound_set *b, const struct opts *o,
    const struct bound_terms *t);
void bounds_free(struct bound_set *b);

/* The same text, or none twice. */
bool bound_same(const char *budget, const char *release);

/* A row's name in the ledger. */
const char *bound_name(enum bound i);

/*
 * What one epsilon of a release counts in a budget: 1 or 2; 0 where a row
 * refuses it, and then `why` gets a sentence without its full stop.
 */
unsigned bounds_factor(const struct bound_set *budget,
    const struct bound_set *release, struct text *why);
