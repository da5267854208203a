/*
 * synth_way: one way from private counts to a table.
 *
 * A way is opened for the number of records, the universe, the queries and
 * epsilon alone, says how much its answers are expected to err, and may then
 * release a table.  Among the possible ways the way with the least error is
 * taken, before anything private is looked at.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct synth;

/* places in ways[] */
enum { WAY_HIST = 1 << 2, WAY_ROUNDS = 1 << 3, WAY_MAP = 1 << 4 };

struct way {
	const char *name;	/* in --start */
	const char *words;	/* the numbers with noise */
	const char *noise;	/* for the report; of rounds elsewhere */
	const char *cannot;	/* why the way is impossible, if so */
	/*
	 * The way's state, and an answer's expected error, as a part of the
	 * query's width, in records, 0: not known; NULL: impossible.
	 */
	void *(*open)(struct synth *s, double *error);
	void (*describe)(struct synth *s, const void *own);
	/* a table y from counts x */
	void (*release)(struct synth *s, void *own, const int64_t *x,
	    double *y);
	void (*close)(void *own);
	unsigned covers;	/* ways that are never better where this way is
				   possible */
};

extern const struct way way_tree, way_marginals, way_hist, way_rounds, way_map;

/* The ways, and NULL. */
extern const struct way *const ways[];

/*
 * Makes a table of n noisy counts h, each with the variance v, of a total that
 * is known but for its variance.
 */
void hist_fit(double *h, size_t n, double v, double total, double variance);
