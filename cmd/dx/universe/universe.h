/*
 * universe: the input of dx-laplace, smalldb and mwem.
 *
 * A universe is public: a record for each element, with columns that the metric
 * and the queries name.  The counts are private: a column of these records
 * (-w), or raw records on standard input that are matched with the elements of
 * a --domain.  Faults in public things end the program with words; a broken
 * count follows the policy for bad cells in silence.
 */
#ifndef UNIVERSE_H
#define UNIVERSE_H

#include "attributes.h"
#include "cells.h"
#include "input/keys.h"
#include "input/table.h"
#include "metric.h"
#include "tool/opts.h"
#include "workload.h"

#define UNIVERSE_OUTSIDE "(others)"	/* in a row of its count */

enum {
	OPT_METRIC = OPT_OWN, OPT_WORKLOAD, OPT_DOMAIN, OPT_CLOSE,
	OPT_PRESENCE, UNIVERSE_OWN
};

/* Rows of every tool that reads a universe. */
#define UNIVERSE_ROWS \
	{ OPT_METRIC, "metric", "SPEC", "discrete, euclid:X,Y, ...", \
	    "only discrete" }, \
	{ OPT_CLOSE, "close", NULL, "take a matrix's shortest paths" }, \
	{ 'q', "query", "COL[,COL...]", "columns of coefficients", OPEN }, \
	{ 'Q', "queries", "FILE", "a CSV of coefficients, as long", OPEN }, \
	{ OPT_WORKLOAD, "workload", "W", \
	    "prefix, range or marginal:K", OPEN }, \
	{ OPT_DOMAIN, "domain", "FILE|LIST", "universe of raw records", OPEN }

struct universe {
	struct opts *o;
	/* arguments */
	const char *metric, *query, *queries, *workload, *domain;
	bool close;
	struct rational presence;	/* R; num 0: not given */
	bool hidden;		/* set by the tool: n is, by universe_hidden */
	bool public_only;	/* set by the tool: no counts are wanted */
	bool want_metric;	/* set by the tool: --metric is required */
	bool keep;		/* set by the tool: every column is read, to be
				   written again; queries get no names */
	struct metric_spec spec;
	size_t order;		/* of marginals */
	/*
	 * public columns: the metric's, -q's, names or attributes (-c), the
	 * keys for raw records; then counts
	 */
	struct table *table;
	size_t *cols;
	size_t all;
	size_t of_metric, of_query, of_key, of_join;	/* numbers of each */
	size_t of_kept;		/* the kept columns, before counts */
	bool counted;		/* the last column is -w */
	struct cells *cell;	/* for each public column */
	/* the file of the metric: its columns */
	struct cells *file;
	size_t files;
	/* -Q */
	struct cells *extra;
	char **extra_name;
	size_t extras;
	struct attributes listing;	/* of --domain, where it is a list */
	/* raw records */
	struct table *raw;
	size_t *raw_cols;	/* keys, then -w, then --unit */
	struct cells joined;	/* the key of each element */
	int64_t count_bad;	/* the number for a broken count */
	/* results */
	size_t n;		/* elements, the element outside the domain
				   included */
	size_t listed;		/* elements in the public file or list */
	struct metric m;
	struct workload w;
	struct label *name;	/* of each query, in names */
	char *names;
	bool rounded;		/* some coefficient was */
	uint64_t *count;
	uint64_t records, problems;
	uint64_t strangers, stranger;	/* raw records that the domain lacks,
					   and the first */
	u128 total;		/* of the weights, before clamps */
};

/* Takes the options above; false for any further code. */
bool universe_take(struct universe *u, int code);

/*
 * Neighbors move a record, or with a hidden n a record comes or goes; status 2
 * for a request for other neighbors.
 */
void universe_neighbors(struct opts *o, bool hidden);

/*
 * Is n hidden?  By default where the metric says how far a record is from an
 * absent record: discrete does, further metrics with --presence.
 */
bool universe_hidden(const struct universe *u);

/* Checks without input: the metric's text, missing options. */
void universe_check(struct universe *u);

/* Opens files and standard input, finds all columns. */
void universe_open(struct universe *u);

/*
 * Reads the public records (with the counts beside, if any) and builds the
 * metric.
 */
void universe_read(struct universe *u);

/*
 * Builds the workload; a coefficient above `most` steps of the grid on which
 * its query is exact makes that grid coarser.  May be called again.
 */
void universe_queries(struct universe *u, int64_t most);

/* Adds all marginals of so many attributes to a workload. */
void universe_marginals(const struct universe *u, size_t order,
    struct workload *w);

/*
 * Reads the raw records, if any; then count is complete.  --check tells of
 * them.
 */
void universe_count(struct universe *u);

#define UNIVERSE_RECORDS ((uint64_t)1 << 41)	/* n at most */

void universe_free(struct universe *u);

#endif
