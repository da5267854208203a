/* Sampled laws of the sum below a private ceiling against its exact law. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "asm/ceiling.h"
#include "law.h"

#define DRAWS 200000
#define OUTPUTS 400
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

/* Chance of outputs LEAST (and what is below) to the last (or above). */
#define LEAST (-100)
static void
law(const struct ceilings *c, const struct under *u, double more, double *p)
{
	double first[CEILINGS], a, y, sum, z, minus = sign(c, u, more);

	choice(c, u, more, first);
	memset(p, 0, OUTPUTS * sizeof(*p));
	for (size_t i = 0; i < 2 * c->n; i++) {
		const struct scale *t = &c->noise[i % 2][i / 2];

		a = exp(-more * (double)t->r / (double)t->s);
		sum = (double)ceiling_sum(c, u, i / 2, i % 2) - LEAST;
		for (int k = 0; k < OUTPUTS; k++) {
			y = fabs(k - sum);
			z = (1 - a) / (1 + a) * pow(a, y);
			if (k == 0)
				z = pow(a, y) / (1 + a);
			else if (k == OUTPUTS - 1)
				z = k >= sum ? pow(a, y) / (1 + a) :
				    1 - pow(a, y + 1) / (1 + a);
			p[k] += first[i / 2] * (i % 2 ? minus : 1 - minus) * z;
		}
	}
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
	static uint64_t seen[OUTPUTS];
	struct ceiling_draw d;
	double p[OUTPUTS];
	struct ceilings c;
	struct under u;
	struct rng r;
	i128 x;

	for (int i = 0; i < 4; i++) {
		memset(seen, 0, sizeof(seen));
		rng_seeded(&r, (uint64_t)i, "ceiling");
		cr_assert(make(&c, ends[i][0], ends[i][1], ends[i][2], i > 0,
		    eps[i]));
		fill(&c, &u, i == 3 ? 5 : 0);
		for (int k = 0; k < DRAWS; k++) {
			d = ceiling_draw(&c, &u, &r);
			x = d.sum - LEAST < 0 ? 0 : d.sum - LEAST;
			seen[x < OUTPUTS ? x : OUTPUTS - 1]++;
		}
		law(&c, &u, 1, p);
		cr_expect_lt(law_chi2(p, seen, OUTPUTS, DRAWS), LAW_Z);
		law(&c, &u, 1.05, p);
		cr_expect_gt(law_chi2(p, seen, OUTPUTS, DRAWS), LAW_Z);
	}
}

/* Terms 40 / x that are not above a ceiling, all of them for the last. */
static u128
upto(const struct ceilings *c, size_t k)
{
	u128 n = 0;

	for (int64_t x = 1; x <= TERMS; x++)
		n += k == c->n - 1 || 40 / x <= c->at[k];
	return n;
}

/* 1, 2, 4, ... and the end; sums by definition; what is beyond counts as it. */
Test(ceiling, lists_and_sums_are_those_of_the_definition)
{
	static const struct rational eps[CEILING_PARTS] = { { 1, 3 },
	    { 1, 3 }, { 1, 3 } };
	static const int64_t ends[][2] = { { 1, 1 }, { 1, 37 }, { 7, 14 },
	    { 1, FIXED_MAX }, { 1000000, FIXED_MAX } };
	struct ceilings c;
	struct under u;
	i128 sum;
	size_t k;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		cr_assert(make(&c, ends[i][0], -ends[i][1], ends[i][1], false,
		    eps));
		cr_expect_eq(c.at[0], ends[i][0]);
		for (k = 1; k < c.n; k++)
			cr_expect(c.at[k] == 2 * c.at[k - 1] ||
			    (k == c.n - 1 && c.at[k] > c.at[k - 1] &&
			    c.at[k] < 2 * c.at[k - 1]));
		/* scales end at 2^63 */
		cr_expect(c.at[c.n - 1] == ends[i][1] ||
		    c.at[c.n - 1] > ends[i][1] / 4);
		fill(&c, &u, 7);
		cr_expect_eq(ceiling_terms(&c, &u), TERMS);
		for (k = 0; k < c.n; k++) {
			sum = 0;
			for (int64_t x = 1; x <= TERMS; x++)
				sum += (x + 7 > TERMS ? -1 : 1) *
				    (40 / x < c.at[k] ? 40 / x : c.at[k]);
			cr_expect_eq(ceiling_sum(&c, &u, k, true), sum);
			cr_expect_eq(u.count[0][k] + u.count[1][k],
			    upto(&c, k) - (k > 0 ? upto(&c, k - 1) : 0));
		}
	}
	/* a scale of 3 2^62 is too much */
	cr_expect(!make(&c, FIXED_MAX, 0, FIXED_MAX, false, eps));
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

/* first / 2^k, rounded down, from 1 on; and then as without. */
Test(ceiling, a_fine_list_goes_on_below_the_first)
{
	static const struct rational eps[CEILING_PARTS] = { { 1, 2 },
	    { 1, 2 }, { 1, 2 } };
	static const int64_t want[] = { 1, 3, 6, 12, 25, 50, 100, 200, 300 };
	struct ceilings c = { .first = 100, .most = 300, .swap = true,
	    .fine = true };
	struct under u;
	size_t n;

	cr_assert(ceilings_make(&c, eps));
	cr_expect_eq(c.down, 6);
	cr_expect_eq(c.n, 9);
	cr_expect_arr_eq(c.at, want, sizeof(want));
	for (n = 1; n < 300; n += 7) {
		memset(&u, 0, sizeof(u));
		ceiling_add(&c, &u, 5, n);
		cr_expect_eq(ceiling_lowest(&c, &u), n / 20 > 6 ? 0 :
		    6 - n / 20);
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

/*
 * Of moves/eps2 exactly, or of the next whole step above where that is long;
 * what a sum moves by is the width of what its terms are cut to under swap,
 * and the larger end of that under add-remove.
 */
Test(ceiling, noise_is_never_less_than_the_ceiling_asks_for)
{
	static const struct rational eps2[] = {
		{ 3, 5 }, { 1000003, 1000000007 }, { 2147483647, 2147483629 },
		{ 1, 2147483647 }
	};
	static const int64_t least[] = { 0, -100, -FIXED_MAX };
	struct rational eps[CEILING_PARTS] = { { 2, 5 }, { 1, 1 }, { 1, 1 } };
	struct ceilings c;
	u128 have, due, up, down;
	size_t i, k, whole = 0;

	for (i = 0; i < 4 * 3 * 2 * 2; i++) {
		bool swap = i / 12 % 2 == 1, minus = i / 24 == 1;

		eps[1] = eps2[i % 4];
		cr_assert(make(&c, 3, least[i / 4 % 3], FIXED_MAX, swap, eps));
		for (k = 0; k < c.n; k++) {
			const struct scale *t = &c.noise[minus][k];

			up = (u128)c.at[k];
			down = !minus ? 0 : c.at[k] < -c.least ? up :
			    (u128)-c.least;
			due = (swap ? up + down : up > down ? up : down) *
			    (u128)eps[1].den * t->r;
			have = (u128)t->s * (u128)eps[1].num;
			cr_expect(have >= due);
			cr_expect(have == due || (t->r == 1 &&
			    have - due < (u128)eps[1].num));
			whole += have > due;
		}
	}
	cr_expect_gt(whole, 20);
}
