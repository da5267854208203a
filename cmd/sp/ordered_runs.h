/*
 * ordered_runs: the walk of ordered.c in jumps over runs of equal values.
 */
#pragma once

#include "ordered_walk.h"

/* Record `at' and the run: before[run] <= at < before[run + 1], or the end. */
struct cursor {
	uint64_t at;
	size_t run;
};

/* The walk's window of records [l, r), to be asked next. */
struct run_walk {
	const struct ordered_data *d;
	uint64_t n;		/* records */
	uint64_t l, r;
	struct cursor p, q;	/* untrimmed part [p, q); quantile at p */
	i128 sum;		/* over it */
	u128 rest;		/* of the division of alpha k */
	i128 goal, t2;		/* twice the threshold on F and on f */
};

/* An empty window at a record, for the threshold m - 1/2. */
struct run_walk run_walk_make(const struct ordered_data *d, uint64_t at,
    i128 m);

/* Moves the window to [l, r). */
void run_walk_place(struct run_walk *w, uint64_t l, uint64_t r);

/* Twice the window's f, over *den. */
i128 run_walk_twice(const struct run_walk *w, i128 *den);

/*
 * Asks the window, near the line, and moves by one record, n times; false at
 * the end of the data.
 */
bool run_walk_steps(struct run_walk *w, uint64_t n, bool *yes);

/*
 * Moves the window along the path while the path stays with the threshold for
 * long; may do nothing.  False if no such jump pays; a mean, trimmed or not,
 * needs a record on each side.
 */
bool run_walk_track(struct run_walk *w);
void run_walk_trimmed(struct run_walk *w);

/*
 * The smallest j in 0..max from which on pred is true (max if never), looked
 * for around est.  When pred turns more than once: 0, or a j with pred false at
 * j - 1.
 */
typedef bool run_walk_turn(const void *context, uint64_t j);
uint64_t run_walk_first(const void *context, run_walk_turn *pred, uint64_t max,
    double est);
