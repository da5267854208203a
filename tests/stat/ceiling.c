/* Sampled laws of the sum below a private ceiling against its exact law. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "asm/ceiling.h"
#include "law.h"
#include "laws_of_draws.h"

#define DRAWS 200000
#define WIDE 60
#define PLACES (2 * WIDE + 1)
#define TERMS 30

/* 40, 20, 13, 10, 8, ... down to 1: a heavy tail; the last `minus` below 0. */
static void
fill(const struct ceilings *c, struct under *u, int minus)
{
	memset(u, 0, sizeof(*u));
	for (int64_t i = 1; i <= TERMS; i++)
		ceiling_add(c, u, i + minus > TERMS ? -(40 / i) : 40 / i, 1);
}

/* A list of settings, made. */
static bool
make(struct ceilings *c, int64_t first, int64_t least, int64_t most, bool swap,
    const struct rational *eps)
{
	*c = (struct ceilings){ .first = first, .least = least, .most = most,
	    .swap = swap, .ask = swap && least < 0 };
	return ceilings_make(c, eps);
}

/* [MS20 Algorithm 1] */
static void
choice(const struct ceilings *c, const struct under *u, double more,
    double *p)
{
	double w[CEILINGS], one[CEILINGS];
	u128 gap[CEILINGS];

	ceiling_gaps(c, u, gap);
	for (size_t i = 0; i < c->n; i++) {
		w[i] = exp(-more * (double)gap[i] / (double)c->choice.s);
		one[i] = 1;
	}
	law_runs(SELECT_FLIP, one, w, c->n, p);
}

/* The chance that terms below 0 count. */
static double
sign(const struct ceilings *c, const struct under *u, double more)
{
	u128 gap[2];
	double a, b;

	if (!c->ask)
		return c->least < 0;
	ceiling_floor_gaps(c, u, gap);
	a = exp(-more * (double)gap[0] / (double)c->floor.s);
	b = exp(-more * (double)gap[1] / (double)c->floor.s);
	return b * (1 - a / 2);
}

/* The chance of each ceiling, with or without terms below 0, and noise. */
static void
law(const struct ceilings *c, const struct under *u, double more, double *p)
{
	double first[CEILINGS], minus = sign(c, u, more);

	choice(c, u, more, first);
	for (size_t i = 0; i < 2 * c->n; i++, p += PLACES) {
		const struct scale *t = &c->noise[i % 2][i / 2];

		law_laplace((double)t->s / (double)t->r / more, WIDE, p);
		for (int k = 0; k < PLACES; k++)
			p[k] *= first[i / 2] * (i % 2 ? minus : 1 - minus);
	}
}

/* The place of a draw there. */
static size_t
place(const struct ceilings *c, const struct under *u, struct rng *r)
{
	struct ceiling_draw d = ceiling_draw(c, u, r);
	i128 z = d.sum - ceiling_side(c, u, d.at, 0);

	if (d.minus)
		z += ceiling_side(c, u, d.at, 1);
	z = z < -WIDE ? -WIDE : z > WIDE ? WIDE : z;
	return (2 * d.at + d.minus) * PLACES + (size_t)(z + WIDE);
}

/* The seeds are fixed; the twin is a law with 5 % more epsilon. */
Test(ceiling, sampled_law_is_the_exact_law)
{
	static const struct rational eps[][CEILING_PARTS] = {
		{ { 2, 5 }, { 3, 5 } }, { { 1, 1 }, { 3, 1 } },
		{ { 8, 5 }, { 1, 4 } }, { { 2, 5 }, { 3, 5 }, { 1, 2 } }
	};
	static const int64_t ends[][3] = { { 1, 0, 40 }, { 2, 0, 1000 },
	    { 5, 0, 9 }, { 1, -40, 40 } };
	static uint64_t seen[2 * CEILINGS * PLACES];
	static double p[2 * CEILINGS * PLACES];
	struct ceilings c;
	struct under u;
	struct rng r;

	for (int i = 0; i < 4; i++) {
		memset(seen, 0, sizeof(seen));
		rng_seeded(&r, (uint64_t)i, "ceiling");
		cr_assert(make(&c, ends[i][0], ends[i][1], ends[i][2], i > 0,
		    eps[i]));
		fill(&c, &u, i == 3 ? 5 : 0);
		for (int k = 0; k < DRAWS; k++)
			seen[place(&c, &u, &r)]++;
		law(&c, &u, 1, p);
		cr_expect_lt(law_chi2(p, seen, 2 * c.n * PLACES, DRAWS), LAW_Z);
		law(&c, &u, 1.05, p);
		cr_expect_gt(law_chi2(p, seen, 2 * c.n * PLACES, DRAWS), LAW_Z);
	}
}

/* Gaps are below 2^59, whichever part of epsilon has many digits. */
Test(ceiling, parts_of_epsilon_with_too_many_digits_are_refused)
{
	struct rational eps[CEILING_PARTS], far[] = { { (i128)1 << 58, 1 },
	    { 1, (i128)1 << 58 } };
	struct ceilings c;

	for (size_t i = 0; i < 2 * CEILING_PARTS; i++) {
		for (size_t k = 0; k < CEILING_PARTS; k++)
			eps[k] = (struct rational){ 1, 2 };
		cr_assert(make(&c, 1, -9, 9, true, eps));
		eps[i / 2] = far[i % 2];
		cr_expect(!make(&c, 1, -9, 9, true, eps));
	}
}

/* Weights beyond all bounds saturate and leave a release in its range. */
Test(ceiling, sizes_have_no_end)
{
	static const struct rational eps[CEILING_PARTS] = {
		{ 2147483647, 1 }, { 2147483647, 1 }, { 2147483647, 1 } };
	struct ceiling_draw d;
	struct ceilings c;
	struct under u = { 0 };
	struct rng r;

	rng_seeded(&r, 1, "ceiling");
	cr_assert(make(&c, 1, -FIXED_MAX, FIXED_MAX, true, eps));
	for (int i = 0; i < 1000; i++)
		ceiling_add(&c, &u, FIXED_MAX, INT64_MAX);
	d = ceiling_draw(&c, &u, &r);
	cr_expect(d.sum > FIXED_MAX);
	for (int i = 0; i < 2000; i++)
		ceiling_add(&c, &u, -FIXED_MAX, INT64_MAX);
	d = ceiling_draw(&c, &u, &r);
	cr_expect(d.minus && d.sum < FIXED_MAX && d.sum > -FIXED_MAX);
}
