/*
 * shares: the rows of all people, kept as they come and sorted by person; and
 * what part of a person's rows is handed over.
 *
 * The order of the rows never enters: rows are taken in the order of their
 * values, and those of one value are equal in all that is handed over.
 */
#ifndef SHARES_H
#define SHARES_H

#include "number/fixed.h"

/* A row of one person. */
struct share {
	const int64_t *x;	/* its k numbers */
	uint32_t group;
	uint64_t w;		/* as many equal rows, then its share */
};

/* All good rows of one person. */
struct shares {
	struct share *row;
	size_t n, k;
	int64_t *x;		/* of the rows, one behind the other, where
				   they are nothing but one number; or NULL */
	uint32_t least;		/* group of all rows, the bad ones too */
};

/* Puts the rows in the order of their groups, numbers and weights. */
void shares_sort(struct shares *s);

/* The sum of the weights, which are cut so that it is below 2^63. */
uint64_t shares_total(struct shares *s);

/*
 * Weights that add up to `whole` exactly (at most 2^20), in proportion to
 * those that add up to `total`: row by row, what the sum so far, in units of
 * total / whole and moved by start < total, passes in whole steps.  Each is
 * less than one from w whole / total, and so is every sum from the first row
 * on, so that no value is preferred; rows of weight 2 and two equal rows get
 * the same.  Where start is uniform and `whole` below `total` this draws
 * `whole` units of weight, each with the same chance.
 */
void shares_set(struct shares *s, uint64_t total, uint64_t whole,
    uint64_t start);

/*
 * The rows of all people, who have numbers from 1 up: flat, as they come, with
 * the person beside them; then sorted by person.
 */
struct rows {
	size_t k, words;	/* numbers of a row; and its words, with the
				   group and the weight, if rows have any */
	bool groups, weighted;
	uint32_t *person;
	int64_t *word;
	size_t n, room;
	/* after rows_sort: words by person; and where those of each end */
	int64_t *sorted;
	size_t *end, most;
	struct share *row;	/* of one person, `most` of them at most */
};

void rows_open(struct rows *r, size_t k, bool groups, bool weighted);
void rows_close(struct rows *r);

/* Appends a row of a person; of weight 0: a bad one. */
void rows_add(struct rows *r, uint32_t person, const struct share *row);

/* Sorts the rows by person, all of whom have numbers below `people`. */
void rows_sort(struct rows *r, size_t people);

/* The rows of one person, until the next call. */
struct shares rows_of(struct rows *r, size_t person);

#endif
