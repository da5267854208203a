/* knorm: bounds against the law of one number, and numbers of many bits. */
#include "random/knorm.h"

#include <criterion/criterion.h>
#include <math.h>

#define TAIL 60			/* scales to sum over */

/* Whole numbers of 0..most that are above x. */
static double
above(double most, double x)
{
	return fmin(fmax(most - floor(x), 0), most + 1);
}

/*
 * P[|s/w - z t| > x] in records, from the number of points of each radius; the
 * number has p = up/w, or not counted p = 1/2 and z = 0.
 */
static double
beyond(const struct knorm *k, size_t c, double z, double x)
{
	double w = (double)(k->side[c].up + k->side[c].down);
	double p = (double)k->side[c].up / w - z, all = 0, out = 0;
	double q = exp(-(double)k->t.r / (double)k->t.s);

	for (double r = 0; r < TAIL * (double)k->t.s / (double)k->t.r; r++) {
		double part = pow(q, r), most = r * w;

		for (size_t i = 0; i < k->d; i++)
			part *= r * (double)(k->side[i].up +
			    k->side[i].down) + 1;
		for (double lam = 0; lam <= r * k->counted; lam++) {
			double at = w * (p * r - lam * (2 * p - 1));
			double by = w * x * (double)k->m;

			all += part;
			out += part / (most + 1) * (above(most, at + by) +
			    above(most, most - at + by));
		}
	}
	return out / all;
}

Test(knorm, bounds_are_those_of_the_law)
{
	static const struct knorm_side side[] = { { 0, 5 }, { 2, 3 }, { 0, 1 },
	    { 4, 4 }, { 1, 1 } };
	static const struct knorm law[] = {
		{ 1, true, side, 100, { 100, 1 } },
		{ 3, true, side, 40, { 40, 1 } },
		{ 2, false, side + 3, 90, { 100, 1 } },
	};
	static const double z[] = { 0, 0.25, 0.5, 1 };

	for (size_t i = 0; i < sizeof(law) / sizeof(law[0]); i++)
		for (size_t j = 0; j < (law[i].counted ? 4 : 1); j++) {
			double tilt = law[i].counted ? 1 - 2 * z[j] : 0;
			struct spread_part part = knorm_part(&law[i], tilt, 1);
			double x = KNORM_BLUR / (double)law[i].m +
			    spread_reach((struct spread){ &part, 1, 0 }, 0.05);
			double less = x * 0.98 - 8. / (double)law[i].m;

			cr_assert(beyond(&law[i], 0, z[j], x) < 0.05, "%zu %g",
			    i, z[j]);
			cr_assert(beyond(&law[i], 0, z[j], less) > 0.05,
			    "%zu %g", i, z[j]);
		}
}

Test(knorm, numbers_of_many_bits)
{
	static const struct knorm_side wide[] = { { 0, (uint64_t)1 << 61 },
	    { (uint64_t)1 << 60, (uint64_t)1 << 60 } };
	static const struct knorm_side wider[] = { { 0, (uint64_t)1 << 63 } };
	struct knorm k = { .d = 2, .counted = true, .side = wide };
	struct rational eps = { 1, 3 };
	struct rng r;
	int low = 0, high = 0;

	cr_assert(knorm_make(&k, 1, eps));
	rng_seeded(&r, 1, "knorm");
	for (int i = 0; i < 2000; i++) {
		i128 z[3];

		knorm_draw(&r, &k, z);
		low += (int)(z[0] & 1);
		high += z[0] > (i128)1 << 62 || z[0] < -((i128)1 << 62);
		cr_assert(z[2] < 2000 && z[2] > -2000);
	}
	/* odd numbers are a half, and most are larger than a side */
	cr_assert(low > 850 && low < 1150, "%d", low);
	cr_assert(high > 1400, "%d", high);
	k = (struct knorm){ .d = 1, .counted = true, .side = wider };
	cr_assert_not(knorm_make(&k, 1, eps));
	k.side = wide;
	cr_assert_not(knorm_make(&k, 1, (struct rational){ 1, (i128)1 << 63 }));
	k.bound = (uint64_t)1 << 63;
	cr_assert_not(knorm_make(&k, 1, eps));
}

/* 200 numbers are drawn at once, or refused: never after 10^6 tries. */
Test(knorm, a_radius_is_not_looked_for_in_vain)
{
	static struct knorm_side side[200];
	struct knorm k = { .d = 200, .counted = true, .side = side };
	struct rational eps = { 1, 3 };
	bool refused = false;

	for (int bits = 0; bits < 62; bits++) {
		for (size_t c = 0; c < k.d; c++)
			side[c] = (struct knorm_side){ 0, (uint64_t)1 << bits };
		if (!knorm_make(&k, 1, eps))
			refused = true;
		else
			cr_assert(!refused && 2 * k.t.s / k.t.r + 2 >= 200);
	}
	cr_assert(refused);
}

/* Saturated below m as above; the number of records is not. */
Test(knorm, exact_numbers_are_cut_before_they_are_multiplied)
{
	static const struct knorm_side side[] = { { 0, 1 } };
	struct knorm k = { .d = 1, .counted = true, .side = side, .m = 1 << 24,
		.t = { 1, 1 } };
	const i128 most = (i128)1 << 126;
	i128 noise[] = { -5, 7 }, x[2];

	knorm_add(&k, (i128[]){ most, 3 }, noise, x);
	cr_assert(x[0] == most - 5 && x[1] == (3 << 24) + 7);
	knorm_add(&k, (i128[]){ -most, 3 }, noise, x);
	cr_assert(x[0] == -most);
	knorm_add(&k, (i128[]){ 9, 3 }, NULL, x);
	cr_assert(x[0] == 9 << 24 && x[1] == 3 << 24);
}
