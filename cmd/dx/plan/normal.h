/*
 * normal: queries in a form that does not depend on their units.
 *
 * Under swap the sum of all counts is public, so q and a q + b are one query.
 * The normal form of a query is (q - low) / step: whole numbers from 0 to
 * `width` without a common factor.  A multiple of the queries, or a query plus
 * a constant, keeps the normal form, and so the draws and the table.
 *
 * Entries keep each query's scale c and multiplier: an entry for a dense query,
 * for each prefix, for each range length, for each marginal cell.
 */
#pragma once

#include "workload.h"
#include "number/fixed.h"

#define NORMAL_ANSWER ((int64_t)1 << 60)	/* a score at most */

struct normal_block {
	int64_t low;		/* coefficients are low + step (0..width) */
	int64_t step;
	int64_t width;		/* 0: equal coefficients */
	size_t entry;		/* the block's first entry */
	size_t entries;
	size_t live;		/* queries that are not constant */
};

struct normal_entry {
	size_t block;
	size_t times;		/* queries that have it and are not constant */
	int64_t width;		/* of these queries; 0: there are none */
};

struct normal {
	const struct workload *w;
	struct normal_block *block;
	struct normal_entry *entry;
	size_t entries;
	size_t live;		/* queries that are not constant */
	struct rational *c;	/* of each entry: max |q_i - q_j| / (E d(i,j))
				   in steps of the normal form; 0: no pair */
	int64_t *mult;		/* of each entry: scores in units of c / unit */
	int64_t unit;
};

/* Normal forms of a workload, which is kept; c and mult are 0. */
void normal_open(struct normal *q, const struct workload *w);
void normal_close(struct normal *q);

/* Entry of the query number `in` of block b. */
size_t normal_entry(const struct normal *q, size_t b, size_t in);

/* Block of query k, and its number within. */
size_t normal_find(const struct normal *q, size_t k, size_t *in);

/* The query that is number `live` of those that are not constant. */
size_t normal_live(const struct normal *q, size_t live);

/* Coefficient i of a dense block in normal form. */
int64_t normal_at(const struct normal *q, size_t b, size_t i);

/*
 * Multipliers for counts whose magnitudes add up to `total`, scores no larger
 * than `most` and a unit of at most `unit`.  False: the coefficients are too
 * fine for that, and scores tell little of some queries; no less private.
 */
bool normal_multiply(struct normal *q, uint64_t total, int64_t most,
    int64_t unit);

/*
 * Sum over elements of (q_i - mean)^2 in the normal form, for each entry: the
 * variance of the query's answer by cells of variance 1 that add up to n.  For
 * ranges the variance for the length.  To be freed.
 */
double *normal_variance(const struct normal *q);

/*
 * The answers' error from cells with this deviation, as a part of the query's
 * width: the mean over queries, and the largest.
 */
double normal_error(const struct normal *q, double deviation, double *most);
