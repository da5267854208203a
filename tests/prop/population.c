/*
 * population: the ends of a population's mean solve their equation, as the
 * head of cover.c has it.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "laplace/cover.h"
#include "random/rng.h"

/* Normal quantiles from a table: |x| is beyond with this chance. */
static const double quantiles[][2] = { { 0.2, 1.281552 }, { 0.1, 1.644854 },
    { 0.05, 1.959964 }, { 0.01, 2.575829 }, { 0.001, 3.290527 } };

/* V / (1 - z^2), V with the share for its noise; 1 at most. */
static double
part_of(double n, double z, double v, const struct cover_noise *noise,
    double q)
{
	double a = (1 + z) * (1 + z) - v, b = z * z - 1 - v, c = (1 - z) *
	    (1 - z) - v, most = 1 - z * z;
	double by = 2 * pow(noise->scale / n, 2) * (a * a + b * b + c * c);
	double at = v < sqrt(by) ? sqrt(by) : v;

	v += by * (q * q + 1) / (4 * at);
	return v < most ? v / most : 1;
}

/* How far D - mu N may be with the normal deviation s. */
static double
reach(double mu, double s, const struct cover_noise *noise)
{
	double w[] = { fabs(1 + mu), fabs(mu), fabs(1 - mu) };

	return noise->scale * cover_spread(w, 3, 1, s / noise->scale,
	    noise->alpha) + noise->step * (w[0] + w[1] + w[2]);
}

Test(cover, the_ends_for_a_population_solve_their_equation)
{
	struct rng r;

	rng_seeded(&r, 41, "population");
	for (int run = 0; run < 100; run++) {
		const double *of = quantiles[run % 5];
		struct cover_noise noise = { 1 + (double)rng_below(&r, 9),
		    0.01, of[0], 1, 1 };
		long double part[] = { 40 + (long double)rng_below(&r, 300),
		    (long double)rng_below(&r, 300), 40 +
		    (long double)rng_below(&r, 300) };
		struct unity_moments m = unity_moments(part, UNITY_SQUARE);
		double n = (double)(part[0] + part[1] + part[2]);
		double z = (double)(part[2] - part[0]) / n;
		double shape = (double)(part[0] - 2 * part[1] + part[2]);
		double v = fmax(0, (1 + 2 * shape / n) / 3 - z * z);
		struct cover ends = cover_population(&m, &noise);

		for (int side = -1; side <= 1; side += 2) {
			double mu = 2 * (side < 0 ? ends.lower : ends.upper) -
			    1, share = part_of(n, z, v, &noise, of[1]);
			double s = sqrt(share * n * (1 - mu * mu));
			struct cover_side end = cover_side(&m, &noise, side);
			double by = (noise.scale + noise.step) / n;

			if (mu > -1 && mu < 1)
				cr_assert_float_eq((mu - z) * side * n,
				    reach(mu, s, &noise) + share, 0.002 *
				    (mu - z) * side * n, "run %d: %g, not %g",
				    run, (mu - z) * side * n, reach(mu, s,
				    &noise) + share);
			cr_assert_float_eq(end.error, s / n, 1e-6);
			cr_assert_float_eq(end.weight[0], by * (1 + mu), 1e-9);
			cr_assert_float_eq(end.weight[1], by * mu, 1e-9);
			cr_assert_float_eq(end.weight[2], by * (1 - mu), 1e-9);
		}
	}
}

Test(cover, of_nobody_any_share_may_be_true)
{
	struct cover_noise noise = { 3, 0.01, quantiles[0][0], 1, 1 };
	long double part[] = { -4, 2, 2.5L };
	struct unity_moments m = unity_moments(part, UNITY_SQUARE);
	struct cover ends = cover_population(&m, &noise);

	cr_assert(m.n < 1);
	cr_assert_eq(ends.lower, 0);
	cr_assert_eq(ends.upper, 1);
}
