/* Sampled laws of the sum below a private ceiling against its exact law. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "asm/ceiling.h"
#include "law.h"

#define DRAWS 200000
#define OUTPUTS 400
#define TERMS 30

/* 40, 20, 13, 10, 8, ... down to 1: a heavy tail. */
static void
fill(const struct ceilings *c, struct under *u)
{
	memset(u, 0, sizeof(*u));
	for (int64_t i = 1; i <= TERMS; i++)
		ceiling_add(c, u, 40 / i, 1);
}

/*
 * [MS20 Algorithm 1] Permute-and-flip takes the largest of the scores plus
 * independent exponentials: with u uniform below 1, candidate i of weight w_i
 * is first with the chance of the integral of w_i times the product of
 * 1 - w_j u over j /= i.
 */
static void
choice(const struct ceilings *c, const struct under *u, double more,
    double *p)
{
	const int steps = 20000;
	double w[CEILINGS], all, at;
	u128 gap[CEILINGS];
	size_t i;

	ceiling_gaps(c, u, gap);
	for (i = 0; i < c->n; i++) {
		w[i] = exp(-more * (double)gap[i] / (double)c->choice.s);
		p[i] = 0;
	}
	for (int k = 0; k < steps; k++) {
		at = (k + 0.5) / steps;
		for (i = 0, all = 1; i < c->n; i++)
			all *= 1 - w[i] * at;
		for (i = 0; i < c->n; i++)
			p[i] += w[i] * all / (1 - w[i] * at) / steps;
	}
}

/* Chance of outputs 0 (and what would be below) to OUTPUTS - 1 (or above). */
static void
law(const struct ceilings *c, const struct under *u, double more, double *p)
{
	double first[CEILINGS], a, y, sum, z;

	choice(c, u, more, first);
	memset(p, 0, OUTPUTS * sizeof(*p));
	for (size_t i = 0; i < c->n; i++) {
		a = exp(-more * (double)c->noise[i].r /
		    (double)c->noise[i].s);
		sum = (double)ceiling_sum(c, u, i);
		for (int k = 0; k < OUTPUTS; k++) {
			y = fabs(k - sum);
			z = (1 - a) / (1 + a) * pow(a, y);
			if (k == 0)
				z = pow(a, y) / (1 + a);
			else if (k == OUTPUTS - 1)
				z = k >= sum ? pow(a, y) / (1 + a) :
				    1 - pow(a, y + 1) / (1 + a);
			p[k] += first[i] * z;
		}
	}
}

/* The seeds are fixed; the twin is a law with 5 % more epsilon. */
Test(ceiling, sampled_law_is_the_exact_law)
{
	static const struct rational eps[][2] = {
		{ { 2, 5 }, { 3, 5 } }, { { 1, 1 }, { 3, 1 } },
		{ { 8, 5 }, { 1, 4 } }
	};
	static const int64_t ends[][2] = { { 1, 40 }, { 2, 1000 },
	    { 5, 9 } };
	static uint64_t seen[OUTPUTS];
	double p[OUTPUTS];
	struct ceilings c;
	struct under u;
	struct rng r;
	int64_t x;

	for (int i = 0; i < 3; i++) {
		memset(seen, 0, sizeof(seen));
		rng_seeded(&r, (uint64_t)i, "ceiling");
		cr_assert(ceilings_make(&c, ends[i], eps[i], i > 0));
		fill(&c, &u);
		for (int k = 0; k < DRAWS; k++) {
			cr_assert(ceiling_draw(&c, &u, &r, &x) && x >= 0);
			seen[x < OUTPUTS ? x : OUTPUTS - 1]++;
		}
		law(&c, &u, 1, p);
		cr_expect_lt(law_chi2(p, seen, OUTPUTS, DRAWS), LAW_Z);
		law(&c, &u, 1.05, p);
		cr_expect_gt(law_chi2(p, seen, OUTPUTS, DRAWS), LAW_Z);
	}
}

/* 1, 2, 4, ... and the end; sums by definition; what is beyond counts as it. */
Test(ceiling, lists_and_sums_are_those_of_the_definition)
{
	static const struct rational eps[2] = { { 1, 3 }, { 1, 3 } };
	static const int64_t ends[][2] = { { 1, 1 }, { 1, 37 }, { 7, 14 },
	    { 1, FIXED_MAX }, { 1000000, FIXED_MAX } };
	static const int64_t far[] = { FIXED_MAX, FIXED_MAX };
	struct ceilings c;
	struct under u;
	i128 sum;
	size_t k;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		cr_assert(ceilings_make(&c, ends[i], eps, false));
		cr_expect_eq(c.at[0], ends[i][0]);
		for (k = 1; k < c.n; k++)
			cr_expect(c.at[k] == 2 * c.at[k - 1] ||
			    (k == c.n - 1 && c.at[k] > c.at[k - 1] &&
			    c.at[k] < 2 * c.at[k - 1]));
		/* scales end at 2^63 */
		cr_expect(c.at[c.n - 1] == ends[i][1] ||
		    c.at[c.n - 1] > ends[i][1] / 4);
		fill(&c, &u);
		for (k = 0; k < c.n; k++) {
			sum = 0;
			for (int64_t x = 1; x <= TERMS; x++)
				sum += 40 / x < c.at[k] ? 40 / x : c.at[k];
			cr_expect_eq(ceiling_sum(&c, &u, k), sum);
		}
	}
	/* a scale of 3 2^62 is too much */
	cr_expect(!ceilings_make(&c, far, eps, false));
}

/* Weights beyond all bounds saturate and leave a release in its range. */
Test(ceiling, sizes_have_no_end)
{
	static const struct rational eps[2] = { { 2147483647, 1 },
	    { 2147483647, 1 } };
	static const int64_t ends[] = { 1, FIXED_MAX };
	struct ceilings c;
	struct under u = { 0 };
	struct rng r;
	int64_t x;

	rng_seeded(&r, 1, "ceiling");
	cr_assert(ceilings_make(&c, ends, eps, true));
	for (int i = 0; i < 1000; i++)
		ceiling_add(&c, &u, FIXED_MAX, INT64_MAX);
	cr_assert(ceiling_draw(&c, &u, &r, &x));
	cr_expect_eq(x, FIXED_MAX);
}

/* Of t/eps2 exactly, or of the next whole step above where that is long. */
Test(ceiling, noise_is_never_less_than_the_ceiling_asks_for)
{
	static const struct rational eps2[] = {
		{ 3, 5 }, { 1000003, 1000000007 }, { 2147483647, 2147483629 },
		{ 1, 2147483647 }
	};
	static const int64_t ends[] = { 3, FIXED_MAX };
	struct rational eps[2] = { { 2, 5 } };
	struct ceilings c;
	u128 have, due;
	size_t i, k, whole = 0;

	for (i = 0; i < sizeof(eps2) / sizeof(eps2[0]); i++) {
		eps[1] = eps2[i];
		cr_assert(ceilings_make(&c, ends, eps, false));
		for (k = 0; k < c.n; k++) {
			have = (u128)c.noise[k].s * (u128)eps2[i].num;
			due = (u128)c.at[k] * (u128)eps2[i].den *
			    c.noise[k].r;
			cr_expect(have >= due);
			cr_expect(have == due || (c.noise[k].r == 1 &&
			    have - due < (u128)eps2[i].num));
			whole += have > due;
		}
	}
	cr_expect_gt(whole, 20);
}
