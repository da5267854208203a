/*
 * matrix: strategy matrix: measured queries that are not the asked ones.
 *
 * Noise is added to the counts of all elements and to a few queries whose
 * coefficients are searched for; every asked query is answered from the
 * counts that fit these best (least squares).  That is the matrix mechanism
 * (Li, Hay, Rastogi, Miklau, McGregor 2010) with measurements like those of
 * HDMM (McKenna, Miklau, Hay, Machanavajjhala 2018), under any metric instead
 * of the discrete one.  It looks at public things only.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "blend.h"
#include "plan.h"

#define MATRIX_ELEMENTS ((size_t)512)
#define MATRIX_ASKED 128	/* queries that are tried as they are */
#define MATRIX_DIGITS 6		/* of the coefficients that are found */

struct matrix {
	size_t n;
	struct workload w;	/* measured: each element, then the others */
	struct rational *c;	/* their scales, for epsilon 1 */
	double *a;		/* w.k x n: their coefficients */
	struct blend fit;
	double *numbers;	/* of fit: rates, then rates times a */
	double rms;		/* over all asked queries */
	struct pair worst;	/* PLAN_INFINITE: two at distance 0 */
	bool apart;		/* PLAN_INFINITE: worst are not connected */
};

/*
 * The blend with the least expected error, for epsilon 1.  Nothing is measured
 * where no query needs noise, or there is one element.  To be freed, whatever
 * the result.
 */
enum plan_result matrix_choose(struct matrix *x, const struct metric *m,
    const struct workload *asked);

/* The one with these rates, before their division by the largest load. */
struct found;
enum plan_result matrix_make(struct matrix *x, const struct metric *m,
    const struct found *f);

/*
 * Least squares: noisy has a value for each measured query, total is the
 * exact sum; count becomes the counts of elements.  False: no memory.
 */
bool matrix_fit(const struct matrix *x, const double *noisy, double total,
    double *count);

/*
 * Variance of the answer to a query with n coefficients, and, where weight
 * is not NULL, the part that each measured query has in it.  Negative: no
 * memory.
 */
double matrix_variance(const struct matrix *x, const double *q,
    double *weight);

void matrix_free(struct matrix *x);

#endif
