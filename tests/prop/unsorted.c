/*
 * The mean and the variance of data in any order against the search in sorted
 * data, which the definition over all subsets has been held against: where
 * sums decide, with S near the one from which on they do, on both sides.
 */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "random/rng.h"
#include "sp/ordered.h"
#include "sp/variance.h"

#include "../house/step.h"
#include "samples.h"

#define MOST 64

struct sample {
	size_t n;
	uint64_t records;
	int64_t x[MOST], sorted[MOST];
	uint64_t w[MOST];
};

static void
draw_values(struct rng *r, struct sample *s, int bits, bool weighted)
{
	int64_t half = (int64_t)1 << rng_below(r, (uint64_t)bits);
	int64_t middle = between(r, -half, half);

	s->n = 1 + rng_below(r, MOST);
	s->records = 0;
	for (size_t i = 0; i < s->n; i++) {
		s->x[i] = middle + between(r, -half, half) / 2;
		if (rng_below(r, 3) == 0)
			s->x[i] = middle + (rng_below(r, 2) ? half : -half);
		/* Distinct values have weights. */
		if (weighted)
			s->x[i] = (s->x[i] & ~(int64_t)511) | (int64_t)i;
		s->w[i] = weighted ? 1 + rng_below(r, 9) : 1;
		s->records += s->w[i];
		s->sorted[i] = s->x[i];
	}
	qsort(s->sorted, s->n, sizeof(*s->sorted), ascending);
}

static struct totals
sample_totals(const struct sample *s, bool weighted)
{
	return totals_of(s->x, weighted ? s->w : NULL, s->n);
}

/* The weights of the sorted values, which are distinct. */
static void
sort_weights(const struct sample *s, uint64_t *w)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n; j++)
			if (s->x[j] == s->sorted[i])
				w[i] = s->w[j];
}

static i128
larger(i128 a, i128 b)
{
	return a > b ? a : b;
}

/* ceil(a / b), off by a little now and then, within 1 .. FIXED_MAX. */
static int64_t
near_ratio(struct rng *r, u128 a, u128 b)
{
	i128 s = (i128)(a / b + (a % b > 0)) + between(r, -1, 1);

	if (rng_below(r, 4) == 0)
		s = s * between(r, 1, 40) / 20;
	return (int64_t)(s < 1 ? 1 : s > FIXED_MAX ? FIXED_MAX : s);
}

static int64_t
search_mean(const struct ordered *f, const struct sample *s, bool weighted)
{
	uint64_t w[MOST];

	if (weighted)
		sort_weights(s, w);
	return ordered_value(f, s->sorted, weighted ? w : NULL, s->n);
}

/* Wrong ones among those that were decided; `excess' is the twin's. */
static int
means(int tries, int bits, bool weighted, int64_t excess, int *decided)
{
	struct sample s;
	struct rng r;
	int bad = 0;

	rng_seeded(&r, (uint64_t)tries, "unsorted means");
	for (*decided = 0; tries > 0; tries--) {
		struct ordered f = { .alpha = { 0, 1 } }, sure;
		struct totals all;
		i128 lo, hi;
		int64_t value;

		draw_values(&r, &s, bits, weighted);
		f.center = between(&r, s.sorted[0] - 5, s.sorted[s.n - 1] + 5);
		lo = -larger(-(i128)s.sorted[0], -(i128)f.center);
		hi = larger(s.sorted[s.n - 1], f.center);
		f.sens = near_ratio(&r, (u128)(hi - lo), s.records);
		sure = f;
		sure.sens += f.sens < FIXED_MAX / 2 ? excess : 0;
		all = sample_totals(&s, weighted);
		if (!ordered_whole(&sure, &all, &value))
			continue;
		++*decided;
		bad += value != search_mean(&f, &s, weighted);
	}
	return bad;
}

Test(unsorted, mean_is_that_of_the_search_where_sums_decide_it)
{
	int n;

	for (int weighted = 0; weighted < 2; weighted++) {
		cr_expect_eq(means(20000 / STEP, 8, weighted, 0, &n), 0);
		cr_expect_gt(n, 5000 / STEP);
		cr_expect_eq(means(20000 / STEP, 40, weighted, 0, &n), 0);
		cr_expect_eq(means(5000, 60, weighted, 0, &n), 0);
		cr_expect_gt(n, 1000);
		cr_expect_gt(means(5000, 8, weighted, 2, &n), 0, "twin");
	}
}

static int64_t
search_variance(const struct variance *f, const struct sample *s,
    bool weighted)
{
	uint64_t w[MOST];

	if (weighted)
		sort_weights(s, w);
	return variance_sorted(f, s->sorted, weighted ? w : NULL, s->n);
}

static int
variances(int tries, int bits, bool weighted, int64_t excess, int *decided)
{
	struct sample s;
	struct rng r;
	int bad = 0;

	rng_seeded(&r, (uint64_t)tries, "unsorted variances");
	for (*decided = 0; tries > 0; tries--) {
		struct variance f = { .unit = 1 }, sure;
		struct totals all;
		u128 range;
		int64_t value;

		draw_values(&r, &s, bits, weighted);
		for (int k = (int)rng_below(&r, 4); k > 0; k--)
			f.unit *= 10;
		range = (u128)((i128)s.sorted[s.n - 1] - s.sorted[0]);
		f.sens = near_ratio(&r, range * range, s.records * f.unit);
		sure = f;
		sure.sens *= f.sens < FIXED_MAX / 8 ? 1 + excess : 1;
		all = sample_totals(&s, weighted);
		if (!variance_whole(&sure, &all, &value))
			continue;
		++*decided;
		bad += value != search_variance(&f, &s, weighted);
	}
	return bad;
}

Test(unsorted, variance_is_that_of_the_search_where_sums_decide_it)
{
	int n;

	for (int weighted = 0; weighted < 2; weighted++) {
		cr_expect_eq(variances(5000 / STEP, 8, weighted, 0, &n), 0);
		cr_expect_gt(n, 1000 / STEP);
		cr_expect_eq(variances(5000 / STEP, 30, weighted, 0, &n), 0);
		cr_expect_eq(variances(2000, 60, weighted, 0, &n), 0);
		cr_expect_gt(variances(5000, 8, weighted, 5, &n), 0, "twin");
	}
}

/* Squares of distances that no 128 bits hold are the sorted data's. */
Test(unsorted, variance_of_the_two_ends_of_all_numbers)
{
	const struct variance f = { .sens = FIXED_MAX, .unit = (u128)1 << 64 };
	struct sample s = { .n = 64, .records = 64 };
	struct totals all;
	int64_t value;

	for (size_t i = 0; i < s.n; i++)
		s.x[i] = i % 2 ? FIXED_MAX : -FIXED_MAX;
	all = sample_totals(&s, false);
	cr_assert_not(variance_whole(&f, &all, &value));
	for (size_t i = 0; i < s.n; i++)
		s.x[i] = i < s.n / 2 ? -FIXED_MAX : FIXED_MAX;
	cr_expect_eq(variance_sorted(&f, s.x, NULL, s.n), (int64_t)1 << 60);
}
