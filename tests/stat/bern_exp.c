/* noise: the coin of probability e^(-n/d), and the coins it is made of. */
#include "law.h"
#include "random/noise.h"

#include <criterion/criterion.h>

#define FLIPS 1000000

static const struct {
	uint64_t n, d;
} chances[] = {
	{ 1, 3 }, { 1, 2 }, { 2, 3 }, { 1, 1 }, { 3, 2 }, { 5, 1 }, { 9, 1 },
	{ 1, 1000 }, { 1000, 1001 },
	{ ((uint64_t)1 << 54) + 1, ((uint64_t)1 << 55) + 3 },
	{ ((uint64_t)1 << 62) + 12345, (UINT64_MAX >> 1) - 24 },
	{ UINT64_MAX, (UINT64_MAX >> 1) - 24 },
};

#define CHANCES (sizeof(chances) / sizeof(*chances))

static double
chance(size_t i)
{
	return (double)chances[i].n / (double)chances[i].d;
}

/* Standard score of the coin, or of the one with 0.98 of the exponent. */
static double
score(size_t i, bool twin)
{
	static struct rng r;
	uint64_t hits = 0;
	u128 n = chances[i].n, d = chances[i].d;
	long k;

	rng_seeded(&r, i, "bern_exp");
	for (k = 0; k < FLIPS; k++)
		hits += noise_bern_exp(&r, twin ? n - n / 50 : n,
		    (uint64_t)d);
	return law_binomial(hits, FLIPS, exp(-chance(i)));
}

/* [CKS20 Alg 1] */
Test(bern_exp, coins_have_their_chance)
{
	size_t i;

	for (i = 0; i < CHANCES; i++)
		cr_assert(fabs(score(i, false)) < LAW_Z, "%zu: %g", i,
		    score(i, false));
}

/* Large numerators, so that the twin's exponent is 2 % lower. */
Test(bern_exp, two_percent_less_in_the_exponent_is_caught)
{
	cr_assert(score(8, true) > LAW_Z);
	cr_assert(score(9, true) > LAW_Z);
	cr_assert(score(10, true) > LAW_Z);
	cr_assert(score(11, true) > LAW_Z);
}

/* An exponent of hundreds is never cut off: no success is likely at all. */
Test(bern_exp, large_exponents_fail)
{
	static struct rng r;
	int i;

	rng_seeded(&r, 1, "bern_exp");
	for (i = 0; i < 100000; i++) {
		cr_assert_not(noise_bern_exp(&r, 300, 1));
		cr_assert_not(noise_bern_exp(&r, ~(u128)0, 3));
		cr_assert(noise_bern_exp(&r, 0, 3));
	}
}

Test(bern_exp, rational_coins_have_their_chance)
{
	static struct rng r;
	uint64_t hits, twin;
	size_t i;
	long k;

	rng_seeded(&r, 2, "bern_exp");
	for (i = 0; i < CHANCES; i++) {
		if (chance(i) >= 1 || chance(i) < 0.01)
			continue;
		hits = twin = 0;
		for (k = 0; k < FLIPS; k++) {
			hits += rng_bernoulli(&r, chances[i].n,
			    chances[i].d);
			twin += rng_byte(&r) <= 256 * chance(i);
		}
		cr_assert(fabs(law_binomial(hits, FLIPS, chance(i))) < LAW_Z);
		if (chances[i].d == 2)	/* <= for <: 1/256 too often */
			cr_assert(law_binomial(twin, FLIPS, 0.5) > LAW_Z);
	}
}

/* The series from its third round on; from its fourth it is another. */
Test(bern_exp, a_later_start_gives_two_in_e)
{
	static struct rng r;
	uint64_t hits = 0, twin = 0;

	rng_seeded(&r, 3, "bern_exp");
	for (long k = 0; k < FLIPS; k++) {
		hits += noise_series(&r, 3, 1, 1);
		twin += noise_series(&r, 4, 1, 1);
	}
	cr_assert(fabs(law_binomial(hits, FLIPS, 2 * exp(-1))) < LAW_Z);
	cr_assert(fabs(law_binomial(twin, FLIPS, 2 * exp(-1))) > LAW_Z);
}

/* Sixteen equal parts of a range that needs rejection and eight bytes. */
Test(bern_exp, wide_integers_are_uniform)
{
	static struct rng r;
	uint64_t n = UINT64_MAX / 3 * 2, count[16] = { 0 };
	uint64_t modulo[16] = { 0 };
	double p[16];
	size_t i;

	rng_seeded(&r, 3, "below");
	for (i = 0; i < 16; i++)
		p[i] = 1 / 16.0;
	for (i = 0; i < FLIPS; i++) {
		count[rng_below(&r, n) / (n / 16 + 1)]++;
		modulo[rng_below(&r, UINT64_MAX) % n / (n / 16 + 1)]++;
	}
	cr_assert(fabs(law_chi2(p, count, 16, FLIPS)) < LAW_Z);
	cr_assert(law_chi2(p, modulo, 16, FLIPS) > LAW_Z);
}
