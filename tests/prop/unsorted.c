/*
 * The mean and the variance of data in any order against the search in sorted
 * data, which the definition over all subsets has been held against: where
 * sums decide, with S near the one from which on they do, on both sides.
 */
#include "../house/step.h"
#include "sp_world.h"

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
	struct totals all = { .records = 0 };

	totals_add(&all, s->x, weighted ? s->w : NULL, s->n);
	return all;
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

/* The mean or the variance, with S near that from which on sums decide. */
static struct sp_f
draw_near(struct rng *r, const struct sample *s, bool squared)
{
	int64_t first = s->sorted[0], last = s->sorted[s->n - 1];
	struct sp_f f = { .squared = squared, .v = { .unit = 1 },
	    .o = { .alpha = { 0, 1 } } };
	u128 range = (u128)((i128)last - first);

	if (squared) {
		f.v.unit = (u128)fixed_pow10((int)rng_below(r, 4));
		f.v.sens = near_ratio(r, range * range, s->records *
		    f.v.unit);
		return f;
	}
	f.o.center = between(r, first - 5, last + 5);
	range = (u128)(larger(last, f.o.center) + larger(-(i128)first,
	    -(i128)f.o.center));
	f.o.sens = near_ratio(r, range, s->records);
	return f;
}

/* Do sums decide it for so many times S? */
static bool
whole(const struct sp_f *f, const struct sample *s, bool weighted,
    int64_t times, int64_t *value)
{
	struct totals all = sample_totals(s, weighted);
	struct sp_f sure = *f;
	int64_t *sens = f->squared ? &sure.v.sens : &sure.o.sens;

	*sens *= *sens < FIXED_MAX / 8 ? times : 1;
	return f->squared ? variance_whole(&sure.v, &all, value) :
	    ordered_whole(&sure.o, &all, value);
}

/* Wrong ones among those that were decided; `times' S is the twin's. */
static int
wrong(bool squared, int tries, int bits, int64_t times, int *decided)
{
	uint64_t w[MOST];
	struct sample s;
	struct sp_f f;
	struct rng r;
	int64_t value;
	int bad = 0;

	rng_seeded(&r, (uint64_t)tries, "unsorted");
	*decided = 0;
	for (int i = 0; i < 2 * tries; i++) {
		bool weighted = i % 2 > 0;

		draw_values(&r, &s, bits, weighted);
		f = draw_near(&r, &s, squared);
		if (!whole(&f, &s, weighted, times, &value))
			continue;
		++*decided;
		if (weighted)
			sort_weights(&s, w);
		bad += value != sp_value(&f, s.sorted, weighted ? w : NULL,
		    s.n);
	}
	return bad;
}

Test(unsorted, mean_is_that_of_the_search_where_sums_decide_it)
{
	int n;

	cr_expect_eq(wrong(false, 20000 / STEP, 8, 1, &n), 0);
	cr_expect_gt(n, 10000 / STEP, "%d", n);
	cr_expect_eq(wrong(false, 20000 / STEP, 40, 1, &n), 0);
	cr_expect_eq(wrong(false, 5000, 60, 1, &n), 0);
	cr_expect_gt(n, 2000, "%d", n);
	cr_expect_gt(wrong(false, 5000, 8, 6, &n), 0, "twin");
}

Test(unsorted, variance_is_that_of_the_search_where_sums_decide_it)
{
	int n;

	cr_expect_eq(wrong(true, 5000 / STEP, 8, 1, &n), 0);
	cr_expect_gt(n, 2000 / STEP, "%d", n);
	cr_expect_eq(wrong(true, 5000 / STEP, 30, 1, &n), 0);
	cr_expect_eq(wrong(true, 2000, 60, 1, &n), 0);
	cr_expect_gt(wrong(true, 5000, 8, 6, &n), 0, "twin");
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
