/*
 * shares: the part of a person's rows that is handed over, and the part of a
 * record that has an epsilon of its own.
 *
 * The order of rows does not matter: rows are taken in the order of their
 * values, and rows of equal value are equal in everything handed over.
 */
#pragma once

#include "number/fixed.h"

/* A person's row. */
struct share {
	const int64_t *x;	/* the row's numbers, */
	size_t k;		/* as many */
	uint64_t group;
	uint64_t w;		/* as many equal rows; after shares_set the
				   row's share */
};

/* A person's good rows. */
struct shares {
	struct share *row;
	size_t n;
	uint64_t least;		/* least group among the rows, bad rows too, */
	uint64_t own;		/* and least part by the own epsilons */
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
 * The weight of a record that has epsilon eps where one with `total' weighs
 * `whole': whole eps / total rounded down, 0 to `whole'.  shares.c has the
 * proof that it costs eps at most.
 */
uint64_t shares_own(struct rational eps, struct rational total,
    uint64_t whole);

/* The end of the group that begins with row i. */
size_t shares_group_end(const struct shares *s, size_t i);
