/*
 * matrix_search: the blend with the least error, in doubles.
 */
#ifndef MATRIX_SEARCH_H
#define MATRIX_SEARCH_H

#include "plan.h"

struct found {
	size_t n, rows;
	size_t queries;		/* asked ones that are not constant */
	double *v;		/* n x n: the sum of q q' over the asked */
	double *r;		/* n rates, not yet divided by their load */
	double *b;		/* n x rows */
	double error;
	struct pair worst;	/* PLAN_INFINITE */
	bool apart;
};

/* To be freed, whatever the result. */
enum plan_result matrix_search(struct found *f, const struct metric *m,
    const struct workload *asked);
void found_free(struct found *f);

#endif
