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

/* [CKS20 Alg 1] The twin's exponent is 2 % lower: of large numerators. */
Test(bern_exp, coins_have_their_chance)
{
	for (size_t i = 0; i < CHANCES; i++) {
		double z = score(i, false), twin = i < 8 ? INFINITY :
		    score(i, true);

		cr_assert(fabs(z) < LAW_Z, "%zu: %g", i, z);
		cr_assert(twin > LAW_Z, "%zu: %g", i, twin);
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
