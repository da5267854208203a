/*
 * world: what small worlds share.  What tests enumerate, for scripts/audit: one
 * line on standard output each; the ratio of two Laplace laws, output by
 * output; and all multisets of a few things.
 *
 * The law of the noise is P[z] proportional to e^(-|z| r/s), which tests/stat
 * and tests/unit show to be that of the draws; the normalisation cancels.
 */
#ifndef LAWS_WORLD_H
#define LAWS_WORLD_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "random/noise.h"

#define AUDIT_MARGIN 1e-12L
#define AUDIT_BEYOND 3		/* outputs on either side of both values */

struct audit_count {
	long long pairs;	/* of neighbours, in both directions */
	long long outputs;	/* laws compared, over all pairs */
	long double worst;	/* largest log ratio over epsilon */
};

/* Largest log ratio of the laws about two values, output by output. */
static inline long double
audit_ratio(i128 f, i128 g, const struct scale *t,
    struct audit_count *c)
{
	i128 lo = (f < g ? f : g) - AUDIT_BEYOND, y;
	i128 hi = (f < g ? g : f) + AUDIT_BEYOND;
	long double worst = 0, here;

	for (y = lo; y <= hi; y++) {
		i128 df = y < f ? f - y : y - f, dg = y < g ? g - y : y - g;

		here = (long double)(dg - df) * t->r / t->s;
		worst = here > worst ? here : worst;
		c->outputs++;
	}
	return worst;
}

static inline void
audit_count_print(const char *what, const struct audit_count *c)
{
	printf("enumerated: %-44s %10lld %12lld %.12Lf\n", what, c->pairs,
	    c->outputs, c->worst);
	fflush(stdout);
}

static inline void
audit_finish(const char *what, const struct audit_count *c, bool tight)
{
	audit_count_print(what, c);
	cr_assert(c->worst <= 1 + AUDIT_MARGIN, "%s: %Lf", what, c->worst);
	if (tight)
		cr_assert(c->worst >= 1 - AUDIT_MARGIN, "%s: %Lf", what,
		    c->worst);
}

static inline long double
world_real(struct rational x)
{
	return (long double)x.num / (long double)x.den;
}

static inline size_t
world_power(size_t base, size_t n)
{
	return n == 0 ? 1 : base * world_power(base, n - 1);
}

/* The next multiset of so many kinds, of up to `most` of them. */
static inline bool
world_next_set(int *x, int *n, int kinds, int most)
{
	int k = *n - 1;

	while (k >= 0 && x[k] == kinds - 1)
		k--;
	if (k < 0) {
		++*n;
		for (int i = 0; i < *n; i++)
			x[i] = 0;
		return *n <= most;
	}
	x[k]++;
	for (int i = k + 1; i < *n; i++)
		x[i] = x[k];
	return true;
}

#endif
