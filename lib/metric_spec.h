/* metric_spec: the text of --metric, taken apart. */
#ifndef METRIC_SPEC_H
#define METRIC_SPEC_H

#include "metric.h"

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
 * Parses the text of --metric.  On failure NULL stands for "no memory", else
 * the words say what is wrong; the spec is then freed.
 */
bool metric_parse(const char *text, struct metric_spec *s,
    const char **what);

void metric_spec_free(struct metric_spec *s);

#endif
