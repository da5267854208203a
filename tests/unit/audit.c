/* The auditor's arithmetic, and that it finds what is there to be found. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit.h"
#include "noise.h"

#define RUNS 20000

/* [CP34] against closed forms: no hit, one hit, all hits. */
Test(audit, bounds_equal_closed_forms)
{
	cr_assert_float_eq(audit_upper(0, 10, 0.05),
	    1 - pow(0.05, 1.0 / 10), 1e-10);
	cr_assert_float_eq(audit_lower(10, 10, 0.05),
	    pow(0.05, 1.0 / 10), 1e-10);
	cr_assert_float_eq(audit_lower(1, 10, 0.05),
	    1 - pow(0.95, 1.0 / 10), 1e-10);
	cr_assert_eq(audit_lower(0, 10, 0.05), 0);
	cr_assert_eq(audit_upper(10, 10, 0.05), 1);
}

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
	double alpha[] = { 0.05, 1e-6 }, p;
	unsigned i, j, k;

	for (i = 0; i < 4; i++)
		for (j = 0; j < 2; j++)
			for (k = 1; k < n[i]; k += 1 + n[i] / 7) {
				p = audit_lower(k, n[i], alpha[j]);
				cr_assert_float_eq(tail(n[i], p, k, n[i]) /
				    alpha[j], 1, 1e-6);
				p = audit_upper(k, n[i], alpha[j]);
				cr_assert_float_eq(tail(n[i], p, 0, k) /
				    alpha[j], 1, 1e-6);
			}
}

/* Draws of one side: format(values) each. */
static struct sample *
draws(struct rng *r, int64_t f, struct rational eps, bool twice)
{
	struct sample *s = calloc(RUNS, sizeof(*s));
	struct scale t;
	size_t i;

	cr_assert(scale_make(&t, 100, eps));
	for (i = 0; i < RUNS; i++) {
		long a = (long)noise_laplace(r, &t), b;

		b = twice ? a : (long)noise_laplace(r, &t);
		s[i].text = malloc(64);
		s[i].len = (size_t)snprintf(s[i].text, 64, "%ld %ld\n",
		    f + a, b);
	}
	return s;
}

static double
bound_of(int64_t f, int num, int den, bool twice, uint64_t seed)
{
	struct rational eps = { num, den };
	struct verdict v;
	struct sample *l, *r;
	struct rng rng;

	rng_seeded(&rng, seed, "audit");
	l = draws(&rng, 0, eps, twice);
	r = draws(&rng, f, eps, twice);
	audit_judge(l, r, RUNS, 1e-6, &v);
	audit_free(l, RUNS);
	audit_free(r, RUNS);
	return v.bound;
}

Test(audit, a_private_pair_is_consistent_and_nearly_tight)
{
	uint64_t seed;

	for (seed = 1; seed <= 5; seed++) {
		double b = bound_of(100, 3, 2, false, seed);

		cr_assert_leq(b, 1.5);
		cr_assert_geq(b, 1.2);
	}
}

/* Broken twins: noise a fifth too small; a sensitivity of 2; noise reused. */
Test(audit, broken_pairs_are_refuted)
{
	cr_assert_gt(bound_of(100, 15, 8, false, 7), 1.5);
	cr_assert_gt(bound_of(200, 3, 2, false, 8), 1.5);
	cr_assert_gt(bound_of(100, 3, 2, true, 9), 1.5);
}

static struct sample *
equal(const char *text, int status)
{
	struct sample *s = calloc(RUNS, sizeof(*s));
	size_t i;

	for (i = 0; i < RUNS; i++) {
		s[i].text = calloc(1, 32);
		s[i].len = (size_t)snprintf(s[i].text, 32, "%s", text);
		s[i].status = status;
	}
	return s;
}

/* The bound between two constant outputs. */
static double
bound_between(const char *a, int sa, const char *b, int sb)
{
	struct sample *l = equal(a, sa), *r = equal(b, sb);
	struct verdict v;

	audit_judge(l, r, RUNS, 1e-6, &v);
	audit_free(l, RUNS);
	audit_free(r, RUNS);
	return v.bound;
}

Test(audit, statuses_texts_and_missing_output_count)
{
	cr_assert_eq(bound_between("7\n", 0, "7\n", 0), 0);
	cr_assert_gt(bound_between("7\n", 0, "7\n", 1), 5);
	cr_assert_gt(bound_between("yes\n", 0, "no\n", 0), 5);
	cr_assert_gt(bound_between("7\n", 0, "", 0), 5);
	cr_assert_gt(bound_between("7\n", 0, "7\n7\n", 0), 5);
}
