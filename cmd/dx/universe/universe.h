/*
 * universe: the input of dx-laplace, smalldb and mwem.
 *
 * A universe is public: a record for each element, with columns that the metric
 * and the queries name.  The counts are private: a column of these records
 * (-w), or raw records on standard input that are matched with the elements of
 * a --domain.  Faults in public things end the program with words; a broken
 * count follows the policy for bad cells in silence.
 */
#pragma once

#include <string.h>

#include "attributes.h"
#include "input/intake.h"
#include "dx/plan/metric.h"
#include "number/fixed.h"
#include "sheet.h"
#include "tool/opts.h"
#include "tool/text.h"
#include "dx/plan/workload.h"

enum {
	OPT_METRIC = OPT_OWN, OPT_WORKLOAD, OPT_DOMAIN, OPT_CLOSE,
	OPT_PRESENCE, UNIVERSE_OWN
};

/* Rows of every tool that reads a universe. */
#define UNIVERSE_ROWS \
	{ OPT_WORKLOAD, "workload", "W", \
	    "prefix, range or marginal:K", OPEN }, \
	{ OPT_DOMAIN, "domain", "FILE|LIST", "universe of raw records", \
	    OPEN }, \
	{ 'q', "query", "COL[,COL...]", "columns of coefficients", OPEN }, \
	{ 'Q', "queries", "FILE", "a CSV of coefficients, as long", OPEN }, \
	{ OPT_METRIC, "metric", "SPEC", "discrete, euclid:X,Y, ...", \
	    "only discrete" }, \
	{ OPT_CLOSE, "close", NULL, "take a matrix's shortest paths" }, \
	{ OPT_PRESENCE, "presence", "R", \
	    "add-remove: how far a record is from none" }

struct universe {
	struct opts *o;
	/* arguments */
	const char *metric, *query, *queries, *workload, *domain;
	bool close;
	struct rational presence;	/* R; num 0: not given */
	/* set by the tool */
	bool hidden;		/* n is, by universe_hidden */
	bool public_only;	/* no counts are wanted */
	bool keep;		/* every column is read, to be written again */
	bool wide;		/* more than 2^24 listed elements may be */
	struct metric_spec spec;
	size_t order;		/* of marginals */
	struct sheet base;	/* the universe; beside it counts, if -w */
	/*
	 * columns of base: the metric's, -q's, names or attributes (-c), the
	 * keys for raw records, the kept columns
	 */
	struct columns of_metric, of_query, of_key, of_join, kept;
	struct sheet file;	/* of the metric */
	struct sheet extra;	/* -Q */
	struct attributes listing;	/* of --domain, where it is a list */
	struct intake raw;	/* raw records; no table: none */
	struct opts matched;	/* the options, with their columns */
	/* results */
	size_t n;		/* elements, the element outside the domain
				   included */
	struct metric m;
	struct workload w;
	struct text name;	/* the last by universe_name */
	uint64_t *count;
	uint64_t problems;
};

/* Is the metric discrete (which smalldb and mwem take by default)? */
static inline bool
universe_discrete(const struct universe *u)
{
	return u->metric == NULL || strcmp(u->metric, "discrete") == 0;
}

/* Takes the options above; false for any further code. */
bool universe_take(struct universe *u, int code);

/*
 * Neighbors move a record, or with u->hidden a record comes or goes; status 2
 * for people without --per any.  Without -e eps is taken.
 */
void universe_begin(const struct universe *u, struct opts *o,
    struct rational eps);

/*
 * Is n hidden?  By default where the metric says how far a record is from an
 * absent record: discrete does, further metrics with --presence.
 */
bool universe_hidden(const struct universe *u);

/* The budget of a pair of neighbors, for reports. */
const char *universe_budget(const struct universe *u);

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

/* The name of query k, a string until the next call. */
struct label universe_name(struct universe *u, size_t k);

/* Adds all marginals of this many attributes to a workload. */
void universe_marginals(const struct universe *u, size_t order,
    struct workload *w);

/* Refuses, with a ledger, a domain that takes too much memory: burden.h. */
void universe_bear(const struct universe *u);

/*
 * Reads the raw records, if any; then count is complete.  --check tells of
 * them, and ends the program.
 */
void universe_count(struct universe *u);

/*
 * Lists the name of a column that raw records must have.  A number is no name:
 * as in -c it would be a place.
 */
void universe_want(const struct table *t, const char *name,
    struct text *names);

/* Opens raw records with the n columns of these names. */
void universe_match(struct universe *u, struct table *t, struct text *names,
    size_t n);

#define UNIVERSE_RECORDS ((uint64_t)1 << 41)	/* n at most */
