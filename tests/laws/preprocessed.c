/*
 * preprocessed: the output law of sp-var, enumerated over all neighbors among
 * small data sets.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "world.h"
#include "number/sort.h"
#include "sp/variance.h"

#define MOST 5
#define POINTS 4

static const int64_t point[POINTS] = { -6, 0, 1, 9 };
static const struct rational eps = { 3, 2 };
static const long double bound = 1.5L;

/* What is released of the records x, sorted or not. */
static int64_t
value(const struct variance *f, const int64_t *x, size_t n)
{
	int64_t sorted[64];

	memcpy(sorted, x, n * sizeof(*x));
	sort_grid(sorted, n);
	return variance_sorted(f, sorted, NULL, n);
}

static void
pair_of(const struct variance *f, const int64_t *x, size_t n,
    const int64_t *y, size_t m, const struct scale *t, struct audit_count *c)
{
	c->pairs++;
	c->worst = fmaxl(c->worst, audit_ratio(value(f, x, n), value(f, y, m),
	    t, c) / bound);
}

static void
tuple(size_t code, size_t n, int64_t *x)
{
	for (size_t i = 0; i < n; i++, code /= POINTS)
		x[i] = point[code % POINTS];
}

/* Data sets of n records against all with one more, and against swapped. */
static void
each(const struct variance *f, size_t n, struct audit_count *c)
{
	int64_t x[MOST], y[MOST];
	struct scale t, swap;

	cr_assert(scale_make(&t, (u128)f->sens, eps));
	cr_assert(scale_make(&swap, (u128)variance_swap(f->sens), eps));
	for (size_t code = 0; code < world_power(POINTS, n); code++)
		for (size_t v = 0; v < POINTS; v++) {
			tuple(code, n, x);
			memcpy(y, x, sizeof(y));
			y[n] = point[v];
			pair_of(f, x, n, y, n + 1, &t, &c[0]);
			pair_of(f, y, n + 1, x, n, &t, &c[0]);
			if (n == 0)
				continue;
			y[0] = point[v];
			pair_of(f, x, n, y, n, &swap, &c[1]);
		}
}

/* [CD20 Lemma 6.4] */
Test(preprocessed, variances_reach_epsilon)
{
	struct audit_count c[2] = { { 0 } };

	for (int64_t s = 1; s <= 3; s++) {
		struct variance f = { s, 1 };

		for (size_t n = 0; n < MOST; n++)
			each(&f, n, c);
	}
	audit_finish("sp-var", &c[0], true);
	audit_finish("sp-var, swap", &c[1], false);
}

/*
 * Under swap 1.54 S of 5/3 S are needed: of 61 records 15 lie in the middle
 * between the others' two places.  One record far out raises the value by S,
 * one in the middle lowers it.
 */
Test(preprocessed, swapped_variances_need_most_of_their_noise)
{
	enum { ENDS = 23, K = 61, HALF = 200, S = 900 };
	struct variance f = { S, 1 };
	struct audit_count c = { 0 };
	int64_t x[K + 1], y[K + 1];
	struct scale swap;

	for (size_t i = 0; i <= K; i++)
		x[i] = y[i] = i < 2 * ENDS ? 2 * HALF * (i % 2) : HALF;
	y[K] = 100000;
	cr_assert(scale_make(&swap, (u128)variance_swap(S), eps));
	pair_of(&f, x, K + 1, y, K + 1, &swap, &c);
	audit_finish("sp-var, swap, 62 records", &c, false);
	cr_assert_geq(c.worst, 0.92L);
}
