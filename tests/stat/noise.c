/*
 * noise: samples against the exact laws, by chi-square, and wrong samplers
 * that it must catch.
 */
#include "law.h"
#include "random/noise.h"

#include <criterion/criterion.h>

#define BINNED 1000000	/* draws for chi-square */
#define HALF_BINS 100

typedef i128 sampler(struct rng *, const struct scale *);

static const struct scale scales[] = {
	{ 1, 1 }, { 10, 3 }, { 1000, 1 }, { 1 << 20, 1 },
	{ (uint64_t)1 << 40, 1 },
};

#define SCALES (sizeof(scales) / sizeof(*scales))

static double
ratio(const struct scale *t)
{
	return (double)t->r / (double)t->s;
}

/* a^-x / (1 + a) below zero, else 1 - a^(x + 1) / (1 + a); a = e^(-r/s) */
static double
laplace_cdf(int64_t x, const void *arg)
{
	double b = ratio(arg);

	if (x < 0)
		return exp((double)x * b) / (1 + exp(-b));
	return 1 - exp(-((double)x + 1) * b) / (1 + exp(-b));
}

/* Twin: noise of 0.8 times the scale. */
static i128
weak(struct rng *r, const struct scale *t)
{
	struct scale u = { 4 * t->s, 5 * t->r };

	return noise_laplace(r, &u);
}

static int64_t *
draw(sampler *f, const struct scale *t, size_t n, uint64_t seed)
{
	static struct rng r;
	int64_t *x = malloc(n * sizeof(*x));
	size_t i;

	cr_assert_not_null(x);
	rng_seeded(&r, seed, "stat");
	for (i = 0; i < n; i++)
		x[i] = (int64_t)f(&r, t);
	return x;
}

/*
 * Cuts at multiples of t/20, up to 5 t on either side, and around zero, which
 * has a bin of its own.  Equal cuts, at small t, are left out.
 */
static double
bins_z(sampler *f, law_cdf *cdf, const struct scale *t, uint64_t seed)
{
	int64_t cut[2 * HALF_BINS + 4];
	int64_t *x = draw(f, t, BINNED, seed);
	size_t m = 0;
	double z;
	int i;

	for (i = -HALF_BINS; i <= HALF_BINS; i++) {
		int64_t c = (int64_t)floor(i / (20 * ratio(t)));

		if (i == 0)
			c = -1;
		if (m == 0 || c > cut[m - 1])
			cut[m++] = c;
		if (i == 0 && cut[m - 1] == -1)
			cut[m++] = 0;
	}
	law_sort(x, BINNED);
	z = law_bins(x, BINNED, cut, m, cdf, t);
	free(x);
	return z;
}

/* [CKS20 Alg 2] And noise that is too weak is caught at every scale. */
Test(noise, laplace_has_its_law_by_bins)
{
	for (size_t i = 0; i < SCALES; i++) {
		double z = bins_z(noise_laplace, laplace_cdf, &scales[i], 2);
		double twin = bins_z(weak, laplace_cdf, &scales[i], 2);

		cr_assert(fabs(z) < LAW_Z, "scale %zu: %g", i, z);
		cr_assert(twin > LAW_Z, "scale %zu: %g", i, twin);
	}
}

/* s near 2^63: the widths are those of the largest parameters. */
Test(noise, the_largest_scales_have_their_law)
{
	struct scale t = { (UINT64_MAX >> 1) - 24, 1000003 };
	struct scale u = { ((uint64_t)1 << 62) + 12345, 3000000001 };

	cr_assert(fabs(bins_z(noise_laplace, laplace_cdf, &t, 4)) < LAW_Z);
	cr_assert(fabs(bins_z(noise_laplace, laplace_cdf, &u, 4)) < LAW_Z);
}
