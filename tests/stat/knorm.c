/*
 * knorm: draws against the law of the definition, P[x] proportional to q^h(x),
 * with h found by trying lam and mu one after the other, and the number of
 * points with h <= R by inclusion and exclusion.
 */
#include "law.h"
#include "random/knorm.h"

#include <criterion/criterion.h>

#define DRAWS 400000
#define CELLS 40000

static const struct knorm_side sides[][3] = {
	{ { 0, 1 } }, { { 0, 1 }, { 0, 2 } }, { { 1, 2 }, { 3, 0 } },
	{ { 0, 1 }, { 2, 1 }, { 0, 3 } }, { { 2, 2 } }, { { 1, 1 }, { 3, 3 } },
	{ { 1, 1 }, { 2, 2 }, { 1, 1 } },
};

static const struct knorm laws[] = {
	{ 1, true, sides[0], 2, { 4, 1 } }, { 2, true, sides[1], 2, { 4, 3 } },
	{ 2, true, sides[2], 1, { 3, 2 } }, { 3, true, sides[3], 1, { 1, 1 } },
	{ 1, false, sides[4], 1, { 3, 1 } },
	{ 2, false, sides[5], 1, { 5, 2 } },
	{ 3, false, sides[6], 1, { 1, 1 } }, { 1, true, sides[2], 1, { 1, 2 } },
};

static bool
in_box(const struct knorm *k, int64_t lam, int64_t mu, const int64_t *x)
{
	for (size_t c = 0; c < k->d; c++) {
		int64_t up = (int64_t)k->side[c].up;
		int64_t down = (int64_t)k->side[c].down;

		if (x[c] > lam * up + mu * down || x[c] < -lam * down - mu * up)
			return false;
	}
	return !k->counted || x[k->d] == lam - mu;
}

static int64_t
norm(const struct knorm *k, const int64_t *x)
{
	for (int64_t r = 0;; r++)
		for (int64_t lam = 0; lam <= r; lam++)
			if (in_box(k, lam, r - lam, x))
				return r;
}

/* Points with h <= R: for a count of R and of R - 1, or of one box. */
static double
points(const struct knorm *k, double radius)
{
	double full = radius + 1, less = radius;

	for (size_t c = 0; c < k->d; c++) {
		double w = (double)(k->side[c].up + k->side[c].down);

		full *= radius * w + 1;
		less *= (radius - 1) * w + 1;
	}
	return k->counted ? full + less : full / (radius + 1);
}

/* The cell of x in a cube of `wide' to either side; or -1. */
static int64_t
cell(const int64_t *x, size_t dims, int64_t wide)
{
	int64_t at = 0;

	for (size_t c = 0; c < dims; c++) {
		if (x[c] < -wide || x[c] > wide)
			return -1;
		at = at * (2 * wide + 1) + x[c] + wide;
	}
	return at;
}

static double
score(const struct knorm *k, const struct knorm *drawn)
{
	static double p[CELLS + 1];
	static uint64_t count[CELLS + 1];
	static const int64_t width[] = { 0, 200, 60, 12, 6 };
	size_t dims = k->d + k->counted, n = 1;
	int64_t wide = width[dims], x[4];
	double q = exp(-(double)k->t.r / (double)k->t.s), all = 0, left = 1;
	struct rng r;

	rng_seeded(&r, 7, "knorm");
	for (int64_t i = 0; i < 4000; i++)
		all += (1 - q) * pow(q, (double)i) * points(k, (double)i);
	for (size_t c = 0; c < dims; c++)
		n *= (size_t)(2 * wide + 1);
	for (size_t i = 0; i < n; i++) {
		size_t at = i;

		for (size_t c = dims; c-- > 0; at /= (size_t)(2 * wide + 1))
			x[c] = (int64_t)(at % (size_t)(2 * wide + 1)) - wide;
		p[i] = pow(q, (double)norm(k, x)) / all;
		left -= p[i];
		count[i] = 0;
	}
	p[n] = left;
	count[n] = 0;
	for (size_t i = 0; i < DRAWS; i++) {
		i128 z[4];
		int64_t at;

		knorm_draw(&r, drawn, z);
		for (size_t c = 0; c < dims; c++)
			x[c] = (int64_t)z[c];
		at = cell(x, dims, wide);
		count[at < 0 ? n : (size_t)at]++;
	}
	return law_chi2(p, count, n + 1, DRAWS);
}

Test(knorm, draws_have_the_law_of_the_definition)
{
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		double z = score(&laws[i], &laws[i]);

		cr_assert(fabs(z) < LAW_Z, "law %zu: %g", i, z);
	}
}

/* Twins: a side too small, and the records' place taken for a number's. */
Test(knorm, another_box_has_another_law)
{
	static const struct knorm_side small[] = { { 0, 1 }, { 0, 1 } };
	struct knorm twin = laws[1];

	twin.side = small;
	cr_assert(score(&laws[1], &twin) > LAW_Z);
	twin = laws[5];
	twin.t.s++;
	cr_assert(score(&laws[5], &twin) > LAW_Z);
}
