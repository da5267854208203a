/* noise: the arithmetic of scales, and the error they mean. */
#include "random/noise.h"

#include <criterion/criterion.h>
#include <math.h>

#define SCALE_MAX (UINT64_MAX >> 1)

Test(noise, scales_are_sens_over_epsilon_in_lowest_terms)
{
	static const struct {
		uint64_t sens;
		const char *eps;
		uint64_t s, r;
	} known[] = {
		{ 100, "0.1", 1000, 1 }, { 5000, "2", 2500, 1 },
		{ 1, "3/10", 10, 3 }, { 1, "1", 1, 1 }, { 6, "4", 3, 2 },
		{ 1, "999999999999999999", 1, 999999999999999999 },
		{ SCALE_MAX, "1", SCALE_MAX, 1 },
		{ 9, "1e-18", 9000000000000000000, 1 },
		{ UINT64_MAX, "3", UINT64_MAX / 3, 1 },
	};
	struct rational eps;
	struct scale t;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		cr_assert(rational_parse(known[i].eps, &eps));
		cr_assert(scale_make(&t, known[i].sens, eps), "%zu", i);
		cr_assert(t.s == known[i].s && t.r == known[i].r, "%zu", i);
	}
}

Test(noise, scales_without_room_are_refused_untouched)
{
	struct rational one = { 1, 1 }, zero = { 0, 1 }, minus = { -1, 1 };
	struct rational tiny = { 1, fixed_pow10(18) };
	struct rational huge = { (i128)1 << 63, 1 };
	struct rational top = { ((i128)1 << 126) - 1, 1 };
	struct rational least = { 1, ((i128)1 << 126) - 1 };
	struct scale t = { 7, 3 };

	cr_assert_not(scale_make(&t, 0, one));
	cr_assert_not(scale_make(&t, 1, zero));
	cr_assert_not(scale_make(&t, 1, minus));
	cr_assert_not(scale_make(&t, 10, tiny));
	cr_assert_not(scale_make(&t, (u128)SCALE_MAX + 1, one));
	cr_assert_not(scale_make(&t, ~(u128)0, one));
	cr_assert_not(scale_make(&t, ~(u128)0, least));
	cr_assert_not(scale_make(&t, 1, huge));
	cr_assert_not(scale_make(&t, 1, top));
	cr_assert(t.s == 7 && t.r == 3);
	cr_assert(scale_make(&t, (u128)1 << 63, huge));
	cr_assert(t.s == 1 && t.r == 1);
}

/* P[|X| > m] = 2 a^(m + 1) / (1 + a) */
Test(noise, error95_is_the_smallest_that_1_in_20_draws_exceed)
{
	static const struct scale t[] = { { 1, 1 }, { 10, 3 }, { 1000, 1 },
		{ 1, 10 }, { 1 << 20, 1 }, { 7, 5 } };
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		double x = (double)t[i].s / (double)t[i].r, a = exp(-1 / x);
		double m = noise_error95(&t[i]);

		cr_assert(m >= 0 && m == floor(m));
		cr_assert(2 * exp(-(m + 1) / x) / (1 + a) <= 0.05);
		cr_assert(m == 0 || 2 * exp(-m / x) / (1 + a) > 0.05);
	}
}

/* The law itself, summed up: P[|X| > m] > q exactly for m below the reach. */
static double
reach_by_sums(double scale, double p)
{
	double a = exp(-1 / scale), in = (1 - a) / (1 + a), m = 0, x = in;

	while (in < p) {
		x *= a;
		in += 2 * x;
		m++;
	}
	return m;
}

Test(noise, reach_is_the_smallest_half_width_with_probability_p)
{
	static const struct scale t[] = {
		{ 1, 100 }, { 1, 3 }, { 1, 1 }, { 7, 3 }, { 100, 7 },
		{ 1000, 1 }, { 31415, 2 }
	};
	struct rational p;

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		double scale = (double)t[i].s / (double)t[i].r;

		for (int k = 1; k < 1000; k += i < 5 ? 1 : 37) {
			double m;

			cr_assert(rational_make(&p, k, 1000));
			m = reach_by_sums(scale, (double)k / 1000);
			cr_assert_eq(noise_reach(&t[i], p), m, "%zu %d", i,
			    k);
			cr_assert_neq(noise_reach(&t[i], p), m + 1, "twin");
		}
	}
}

Test(noise, reach_is_never_short_for_scales_of_any_size)
{
	static const struct scale t[] = {
		{ SCALE_MAX, 1 }, { SCALE_MAX, 3 }, { 1000000000000, 7 }
	};
	static const char *const p[] = { "0.000000000000000001", "0.5",
	    "0.999999999999999999" };
	struct rational r;

	for (size_t i = 0; i < 9; i++) {
		const struct scale *s = &t[i / 3];
		long double m, tail, scale = (long double)s->s / s->r;

		cr_assert(rational_parse(p[i % 3], &r));
		m = noise_reach(s, r);
		tail = -(m + 1) / scale + logl(2 / (1 + expl(-1 / scale)));
		cr_assert_leq((double)tail, (double)logl((long double)(r.den -
		    r.num) / r.den), "%zu", i);
	}
}
