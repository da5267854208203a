/* metric_spec: the text of --metric, taken apart. */
#pragma once

#include "number/fixed.h"
#include "text.h"

enum metric_kind {
	METRIC_SUM,		/* sum |x_k - y_k|: manhattan, step */
	METRIC_EUCLID,		/* the measure is the squared distance */
	METRIC_MAX,		/* largest |x_k - y_k| */
	METRIC_ATTR,		/* sum w_k [x_k != y_k] */
	METRIC_VALUES,		/* sum (w(x_k) + w(y_k)) [x_k != y_k] */
	METRIC_VALUES_MIN,	/* min for the sum; for binary attributes */
	METRIC_EDGES,		/* shortest path over edges */
	METRIC_MATRIX
};

/*
 * Does a point have coordinates, or attributes with values that are equal or
 * not?  Nobody else compares kinds by their order.
 */
static inline bool
metric_has_points(enum metric_kind kind)
{
	return kind <= METRIC_MAX;
}

static inline bool
metric_has_attributes(enum metric_kind kind)
{
	return kind >= METRIC_ATTR && kind <= METRIC_VALUES_MIN;
}

static inline bool
metric_has_file(enum metric_kind kind)
{
	return kind >= METRIC_VALUES;
}

/* How a threshold T bends a base distance b. */
enum metric_bend {
	METRIC_PLAIN,		/* b */
	METRIC_SMOOTH,		/* max(1, b/T); discrete: without columns */
	METRIC_BLOWFISH		/* edges with weight 1 where b <= T */
};

/* A specification taken apart; texts are copies, lists have dims entries. */
struct metric_spec {
	enum metric_kind kind;
	enum metric_bend bend;
	char *columns;		/* for table_columns; NULL: none */
	char *file;		/* for values, graph, matrix */
	struct rational t;	/* for smooth, blowfish, step */
	bool step;
	size_t dims;		/* of attr */
	struct rational *weight;	/* for attr: num 0, den 0 is infinite */
	const char *wrong;	/* after a failure, in words */
};

/* Parses the text of --metric.  On failure frees the spec but wrong. */
bool metric_parse(const char *text, struct metric_spec *s);

void metric_spec_free(struct metric_spec *s);

/*
 * Appends a specification's text and, with a file, the digest of the bytes: two
 * equal names stand for one metric.
 */
void metric_name(struct text *out, const char *text);
