/*
 * shares: everybody's rows, kept on arrival and sorted by person; and the part
 * of a person's rows that is handed over.
 *
 * Row order never enters: rows are taken in the order of values, and rows with
 * one value are equal in everything handed over.
 */
#ifndef SHARES_H
#define SHARES_H

#include "number/fixed.h"

/* A person's row. */
struct share {
	const int64_t *x;	/* the row's k numbers */
	uint32_t group;
	uint64_t w;		/* as many equal rows; after shares_set the
				   row's share */
};

/* A person's good rows. */
struct shares {
	struct share *row;
	size_t n, k;
	int64_t *x;		/* the rows' numbers, back to back, if a row is
				   one number alone; or NULL */
	uint32_t least;		/* least group among the rows, bad rows too */
};

/* Sorts the rows by groups, numbers and weights. */
void shares_sort(struct shares *s);

/* The sum of the weights, which are cut to keep the sum below 2^63. */
uint64_t shares_total(struct shares *s);

/*
 * Weights that add up to `whole` exactly (at most 2^20), in proportion to the
 * old weights, which add up to `total`: row by row, the whole steps that the
 * sum so far passes, in units of total / whole and moved by start < total.
 * Each weight is less than 1 from w whole / total, and so is every sum from the
 * first row on, so that no value is preferred; a row with weight 2 and two
 * equal rows get as much.  With a uniform start and `whole` below `total`
 * shares_set draws `whole` units of weight, each with equal chance.
 */
void shares_set(struct shares *s, uint64_t total, uint64_t whole,
    uint64_t start);

/*
 * Everybody's rows, people numbered from 1 up: flat, in order of arrival, with
 * the person beside; then sorted by person.
 */
struct rows {
	size_t k, words;	/* numbers in a row; and words, with the group
				   and the weight, if any */
	bool groups, weighted;
	uint32_t *person;
	int64_t *word;
	size_t n, room;
	/* after rows_sort: words by person; and each person's end */
	int64_t *sorted;
	size_t *end, most;
	struct share *row;	/* one person's, `most' rows at most */
};

void rows_open(struct rows *r, size_t k, bool groups, bool weighted);
void rows_close(struct rows *r);

/* Appends a person's row; a weight of 0 is a bad row. */
void rows_add(struct rows *r, uint32_t person, const struct share *row);

/* Sorts the rows by person; the persons' numbers are below `people'. */
void rows_sort(struct rows *r, size_t people);

/* A person's rows, until the next call. */
struct shares rows_of(struct rows *r, size_t person);

#endif
