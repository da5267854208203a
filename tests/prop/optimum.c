/*
 * How the preprocessed mean compares with the best function of its
 * sensitivity, on all subsets of six records.  A released value is within half
 * a step of g, so every bound is given half a step more.  Each twin is the
 * same check of a stronger promise, which the data must break.
 */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

#include "random/rng.h"
#include "samples.h"
#include "sp/ordered.h"

#define HALF (0.5 + 1e-6)	/* half a step, and doubles */
#define ALL 64		/* subsets of 6 records */

/* f and g, released, of all subsets of six records. */
static void
subsets(const struct ordered *f, const int64_t *x, double *plain, double *g)
{
	int64_t sub[6];
	unsigned set, i;
	size_t k;

	for (set = 0; set < ALL; set++) {
		for (k = 0, i = 0; i < 6; i++)
			if (set >> i & 1)
				sub[k++] = x[i];
		plain[set] = k > 0 ? mean(sub, k) : (double)f->center;
		g[set] = (double)ordered_value(f, sub, NULL, k);
	}
}

/*
 * Twice the least error of any function of sensitivity S on the subsets: such
 * a function is a Lipschitz one, and the least error is half of the largest
 * |f(A) - f(B)| - S |A - B| (attained by the middle of McShane's extensions).
 */
static double
twice_optimum(const double *f, double s)
{
	double most = 0;
	unsigned a, b;

	for (a = 0; a < ALL; a++)
		for (b = 0; b < a; b++)
			most = fmax(most, fabs(f[a] - f[b]) -
			    s * __builtin_popcount(a ^ b));
	return most;
}

/*
 * Largest sum over an order of the records of what each adds beyond S,
 * for every subset: the bound of Theorem 3.3.
 */
static double
order_bound(const double *f, double s)
{
	static double e[ALL];
	unsigned set, i, less;

	for (set = 1; set < ALL; set++)
		for (e[set] = 0, i = 0; i < 6; i++) {
			less = set & ~(1u << i);
			if (less != set)
				e[set] = fmax(e[set], e[less] +
				    fmax(fabs(f[set] - f[less]) - s, 0));
		}
	return e[ALL - 1];
}

static int
optimum_failures(int tries, double factor, int order)
{
	double plain[ALL], g[ALL], worst, s;
	struct ordered f;
	struct rng r;
	int64_t x[6];
	unsigned set;
	int bad = 0;

	rng_seeded(&r, 4, "promises optimum");
	while (tries-- > 0) {
		draw_skewed(&r, x, 6, 10000);
		f = (struct ordered){ ORDERED_MEAN, { 0, 1 },
		    between(&r, -20000, 20000), between(&r, 1, 6000) };
		s = (double)f.sens;
		subsets(&f, x, plain, g);
		for (worst = 0, set = 0; set < ALL; set++)
			worst = fmax(worst, fabs(plain[set] - g[set]));
		if (order)
			bad += fabs(plain[ALL - 1] - g[ALL - 1]) >
			    factor * order_bound(plain, s) + HALF;
		else
			bad += worst > factor / 2 * twice_optimum(plain, s) +
			    HALF;
	}
	return bad;
}

/* [CD20 Lemma 4.2, Corollary 4.4] */
Test(ordered, errs_at_most_twice_as_much_as_the_best_function)
{
	cr_expect_eq(optimum_failures(2000, 2, 0), 0);
	cr_expect_gt(optimum_failures(2000, 1.5, 0), 0, "twin");
}

/* [CD20 Theorem 1.2, Theorem 3.3] */
Test(ordered, errs_at_most_by_what_records_add_beyond_the_sensitivity)
{
	cr_expect_eq(optimum_failures(2000, 1, 1), 0);
	cr_expect_gt(optimum_failures(2000, 0.1, 1), 0, "twin");
}
