/*
 * knorm: draws against the law of the definition, P[x] proportional to q^h(x).
 * The least lam and mu of h are found by trying one after the other, and a
 * point is in a cut box where it is lam points of a record less mu others.
 */
#include "law.h"
#include "random/knorm.h"

#include <criterion/criterion.h>

#define DRAWS 400000
#define CELLS 40000

static const struct knorm_side sides[][3] = {
	{ { 0, 1 } }, { { 0, 1 }, { 0, 2 } }, { { 1, 2 }, { 3, 0 } },
	{ { 0, 1 }, { 2, 1 }, { 0, 3 } }, { { 2, 2 } }, { { 1, 1 }, { 3, 3 } },
	{ { 1, 1 }, { 2, 2 }, { 1, 1 } }, { { 0, 2 }, { 1, 2 }, { 0, 2 } },
};

static const struct knorm laws[] = {
	{ 1, true, sides[0], 2, { 4, 1 } }, { 2, true, sides[1], 2, { 4, 3 } },
	{ 2, true, sides[2], 1, { 3, 2 } }, { 3, true, sides[3], 1, { 1, 1 } },
	{ 1, false, sides[4], 1, { 3, 1 } },
	{ 2, false, sides[5], 1, { 5, 2 } },
	{ 3, false, sides[6], 1, { 1, 1 } }, { 1, true, sides[2], 1, { 1, 2 } },
	/* cut, and replaced */
	{ 2, true, sides[1], 2, { 4, 3 }, false, 2 },
	{ 2, true, sides[2], 1, { 3, 2 }, false, 3 },
	{ 3, true, sides[7], 1, { 1, 1 }, false, 3 },
	{ 3, false, sides[6], 1, { 2, 1 }, false, 2 },
	{ 2, false, sides[2], 1, { 3, 2 }, true, 3 },
	{ 3, false, sides[7], 1, { 1, 1 }, true, 3 },
};

/*
 * Are the numbers from c on lam points of a record less mu, which have `come'
 * and `gone' left of their sums?  None cancels another.
 */
static bool
in_body(const struct knorm *k, size_t c, int64_t lam, int64_t mu, int64_t come,
    int64_t gone, const int64_t *x)
{
	const struct knorm_side *side = &k->side[c];
	int64_t up = (int64_t)side->up, down = (int64_t)side->down;
	int64_t sign = c < k->d && x[c] < 0 ? -1 : 1;

	if (c == k->d)
		return !k->counted || x[c] == lam - mu;
	for (int64_t a = 0; a <= sign * x[c]; a++) {
		int64_t u = sign * a, v = u - x[c], less = sign * x[c] - a;

		if (u <= lam * up && -u <= lam * down && v <= mu * up &&
		    -v <= mu * down && (k->bound == 0 || (a <= come && less <=
		    gone)) && in_body(k, c + 1, lam, mu, come - a,
		    gone - less, x))
			return true;
	}
	return false;
}

static int64_t
norm(const struct knorm *k, const int64_t *x)
{
	int64_t b = (int64_t)k->bound;

	for (int64_t r = 0;; r++)
		for (int64_t lam = 0; lam <= r; lam++) {
			int64_t of = k->replaced ? r : lam;
			int64_t mu = k->replaced ? r : r - lam;

			if ((k->counted || k->replaced || lam == 0) &&
			    in_body(k, 0, of, mu, of * b, mu * b, x))
				return r;
		}
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
	static double p[CELLS];
	static uint64_t count[CELLS];
	static const int64_t width[] = { 0, 200, 60, 12, 6 };
	size_t dims = k->d + k->counted, n = 1;
	int64_t wide = width[dims], x[4];
	double q = exp(-(double)k->t.r / (double)k->t.s), all = 0;
	size_t draws = 0;
	struct rng r;

	rng_seeded(&r, 7, "knorm");
	for (size_t c = 0; c < dims; c++)
		n *= (size_t)(2 * wide + 1);
	for (size_t i = 0; i < n; i++) {
		size_t at = i;

		for (size_t c = dims; c-- > 0; at /= (size_t)(2 * wide + 1))
			x[c] = (int64_t)(at % (size_t)(2 * wide + 1)) - wide;
		p[i] = pow(q, (double)norm(k, x));
		all += p[i];
		count[i] = 0;
	}
	for (size_t i = 0; i < n; i++)
		p[i] /= all;
	for (size_t i = 0; i < DRAWS; i++) {
		i128 z[4];
		int64_t at;

		knorm_draw(&r, drawn, z);
		for (size_t c = 0; c < dims; c++)
			x[c] = (int64_t)z[c];
		at = cell(x, dims, wide);
		if (at >= 0) {
			count[at]++;
			draws++;
		}
	}
	return law_chi2(p, count, n, draws);
}

Test(knorm, draws_have_the_law_of_the_definition)
{
	for (size_t i = 0; i < sizeof(laws) / sizeof(laws[0]); i++) {
		double z = score(&laws[i], &laws[i]);

		cr_assert(fabs(z) < LAW_Z, "law %zu: %g", i, z);
	}
}

/*
 * Twins: a side too small, another scale, and bodies without the cut, with
 * another, or with points of a record alone.
 */
Test(knorm, another_body_has_another_law)
{
	static const struct knorm_side small[] = { { 0, 1 }, { 0, 1 } };
	struct knorm twin[] = { laws[1], laws[5], laws[8], laws[9], laws[13] };
	static const size_t of[] = { 1, 5, 8, 9, 13 };

	twin[0].side = small;
	twin[1].t.s++;
	twin[2].bound = 0;
	twin[3].bound++;
	twin[4].replaced = false;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		cr_assert(score(&laws[of[i]], &twin[i]) > LAW_Z, "%zu", i);
}
