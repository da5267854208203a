/* metric_spec: the text of --metric, taken apart. */
#ifndef METRIC_SPEC_H
#define METRIC_SPEC_H

#include "number/fixed.h"
#include "text.h"

enum metric_kind {
	METRIC_SUM,		/* sum of |x_k - y_k|: manhattan, step */
	METRIC_EUCLID,		/* the measure is the squared distance */
	METRIC_MAX,		/* largest |x_k - y_k| */
	METRIC_ATTR,		/* sum of w_k [x_k != y_k] */
	METRIC_VALUES,		/* sum of (w(x_k) + w(y_k)) [x_k != y_k] */
	METRIC_VALUES_MIN,	/* the same with min; for binary attributes */
	METRIC_EDGES,		/* shortest path over edges */
	METRIC_MATRIX
};

/* What becomes of a base distance b with a threshold T. */
enum metric_bend {
	METRIC_PLAIN,		/* b */
	METRIC_SMOOTH,		/* max(1, b/T); discrete: without columns */
	METRIC_BLOWFISH		/* edges of weight 1 where b <= T */
};

/* A specification taken apart; texts are copies, lists have dims entries. */
struct metric_spec {
	enum metric_kind kind;
	enum metric_bend bend;
	char *columns;		/* for table_columns; NULL: none */
	char *file;		/* of values, graph, matrix */
	struct rational t;	/* of smooth, blowfish, step */
	bool step;
	size_t dims;		/* of attr */
	struct rational *weight;	/* of attr: num 0, den 0 is infinite */
};

/*
 * Parses the text of --metric.  On failure the words say what is wrong; the
 * spec is then freed.
 */
bool metric_parse(const char *text, struct metric_spec *s,
    const char **what);

void metric_spec_free(struct metric_spec *s);

/*
 * Appends the text of a specification and, where it names a file, a digest of
 * that file's bytes: two equal names stand for one metric.
 */
void metric_name(struct text *out, const char *text);

#endif
