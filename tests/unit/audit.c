/* The auditor's arithmetic, and that it finds what is there to be found. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit.h"
#include "random/noise.h"

#define RUNS 20000

/* P[X <= k] or P[X >= k] for X ~ Bin(n, p), summed. */
static double
tail(unsigned n, double p, unsigned from, unsigned to)
{
	double sum = 0;
	unsigned i;

	for (i = from; i <= to; i++)
		sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) -
		    lgamma(n - i + 1.0) + i * log(p) + (n - i) * log1p(-p));
	return sum;
}

/* [CP34] the bound is the p at which the tail has exactly alpha. */
Test(audit, bounds_have_their_tails)
{
	const unsigned n[] = { 5, 40, 1000, 20000 };
	const double alpha[] = { 0.05, 1e-6 };

	for (unsigned i = 0; i < 8; i++) {
		unsigned most = n[i / 2];
		double a = alpha[i % 2], p;

		cr_assert_eq(audit_lower(0, most, a), 0);
		cr_assert_eq(audit_upper(most, most, a), 1);
		for (unsigned k = 0; k < most; k += 1 + most / 7) {
			p = audit_lower(k + 1, most, a);
			cr_assert_float_eq(tail(most, p, k + 1, most) / a, 1,
			    1e-6);
			p = audit_upper(k, most, a);
			cr_assert_float_eq(tail(most, p, 0, k) / a, 1, 1e-6);
		}
	}
}

/* Draws of one side by name. */
static struct sample *
made(struct rng *r, bool right, void (*print)(char *, struct rng *, bool))
{
	struct sample *s = calloc(RUNS, sizeof(*s));
	size_t i;

	for (i = 0; i < RUNS; i++) {
		s[i].text = calloc(1, 64);
		print(s[i].text, r, right);
		s[i].len = strlen(s[i].text);
	}
	return s;
}

static double
bound_made(void (*print)(char *, struct rng *, bool), uint64_t seed)
{
	struct verdict v;
	struct sample *l, *r;
	struct rng rng;

	rng_seeded(&rng, seed, "audit");
	l = made(&rng, false, print);
	r = made(&rng, true, print);
	audit_judge(l, r, RUNS, 1e-6, &v);
	audit_free(l, RUNS);
	audit_free(r, RUNS);
	return v.bound;
}

/* A count that differs by one sensitivity of 100, at epsilon 1.5. */
static void
one_count(char *buf, struct rng *r, bool right)
{
	struct scale t;

	cr_assert(scale_make(&t, 100, (struct rational){ 3, 2 }));
	snprintf(buf, 64, "%ld\n", 100 * right + (long)noise_laplace(r, &t));
}

Test(audit, a_private_pair_is_consistent_and_nearly_tight)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		double b = bound_made(one_count, seed);

		cr_assert_leq(b, 1.5);
		cr_assert_geq(b, 1.2);
	}
}

/* Six columns of digits: many events, none of which tells anything. */
static void
nothing(char *buf, struct rng *r, bool right)
{
	(void)right;
	snprintf(buf, 64, "%d %d %d %d %d %d\n", (int)rng_below(r, 100),
	    (int)rng_below(r, 100), (int)rng_below(r, 100),
	    (int)rng_below(r, 100), (int)rng_below(r, 100),
	    (int)rng_below(r, 100));
}

/*
 * Events that look best in the runs that chose them do not in others.  The
 * bounds of hits are wide for counts, so alarms are far rarer than allowed.
 */
Test(audit, chance_is_not_taken_for_proof)
{
	struct sample *l, *r;
	struct verdict v;
	struct rng rng;
	int i, alarms = 0;

	rng_seeded(&rng, 1, "audit");
	l = made(&rng, false, nothing);
	r = made(&rng, true, nothing);
	for (i = 0; i < 20; i++) {
		audit_judge(l + i * 1000, r + i * 1000, 1000, 0.9, &v);
		alarms += v.bound > 0;
	}
	cr_assert_leq(alarms, 5, "%d alarms", alarms);
	audit_free(l, RUNS);
	audit_free(r, RUNS);
}
