/*
 * lbfgs: a minimum of a smooth function, from its values and gradients.
 */
#ifndef LBFGS_H
#define LBFGS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * f gives the value at x, which is positive or infinite, and its gradient.
 * Ends after `steps`, or where a step gains less than `enough`, relative to
 * the value.
 */
struct lbfgs {
	size_t k;		/* numbers in x */
	double (*f)(void *arg, const double *x, double *gradient);
	void *arg;
	int steps;
	double enough;
};

/* Goes down from x, which then holds the best place.  False: no memory. */
bool lbfgs_minimise(const struct lbfgs *m, double *x);

#endif
