/*
 * mean_bounds: the functions between which the preprocessed mean lies, and
 * what follows for its error [CD20 section 5.3], exactly.
 *
 * Values are multiples of 420, so that every mean of at most seven is whole,
 * and g is what the tool computes, without rounding.
 */
#include <criterion/criterion.h>

#include "samples.h"
#include "sp/ordered.h"

#define MOST 7
#define UNIT 420

struct sample {
	int64_t x[MOST];
	size_t n;
	struct ordered f;
	int64_t low[MOST + 1];	/* h_lower of the first k */
	int64_t high[MOST + 1];	/* h_upper of the last k */
};

static int64_t
mean_of(const int64_t *x, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (int64_t)n;
}

/* One step of Definition 5.8, from the value of a record less. */
static int64_t
next(int64_t h, int64_t mu, int64_t s)
{
	return h + s <= mu ? h + s : h - s >= mu ? h - s : mu;
}

static void
sample_make(struct sample *a, uint64_t *state)
{
	uint64_t wide = 1 + draw(state, 60);

	a->n = 1 + draw(state, MOST);
	for (size_t i = 0; i < a->n; i++)
		a->x[i] = UNIT * ((int64_t)draw(state, wide) *
		    (draw(state, 4) == 0 ? 9 : 1) - (int64_t)draw(state, 20));
	qsort(a->x, a->n, sizeof(*a->x), ascending);
	a->f = (struct ordered){ ORDERED_MEAN, { 0, 1 },
	    UNIT * ((int64_t)draw(state, 80) - 40),
	    UNIT * (int64_t)draw(state, 12) };
	a->low[0] = a->high[0] = a->f.center;
	for (size_t k = 1; k <= a->n; k++) {
		a->low[k] = next(a->low[k - 1], mean_of(a->x, k), a->f.sens);
		a->high[k] = next(a->high[k - 1], mean_of(a->x + a->n - k, k),
		    a->f.sens);
	}
}

/* [CD20 Definition 5.8, Lemma 5.9]; the twin takes them the other way. */
Test(mean_bounds, g_lies_between_the_two_one_sided_recursions)
{
	uint64_t state = 1;
	struct sample a;
	int twin = 0;

	for (int run = 0; run < 20000; run++) {
		int64_t g;

		sample_make(&a, &state);
		g = ordered_value(&a.f, a.x, NULL, a.n);
		cr_assert(a.low[a.n] <= g && g <= a.high[a.n]);
		twin += a.high[a.n] > g || g > a.low[a.n];
	}
	cr_expect_gt(twin, 1000);
}

static int64_t
most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/*
 * [CD20 Lemma 5.10] Of the last k records the paper has, for k = n - l + 1,
 * the smallest l with h_upper >= mu and the value min(center + (n - l) S, mu).
 * It is the smallest l with h_upper <= mu, and (n - l + 1) S; the twin is the
 * lemma as it is printed.
 */
Test(mean_bounds, one_sided_recursions_have_closed_forms)
{
	uint64_t state = 2;
	struct sample a;
	int twin = 0;

	for (int run = 0; run < 20000; run++) {
		size_t low = 0, high = 0, printed = 0;

		sample_make(&a, &state);
		for (size_t k = 1; k <= a.n; k++) {
			int64_t mu = mean_of(a.x + a.n - k, k);

			low = a.low[k] >= mean_of(a.x, k) ? k : low;
			high = a.high[k] <= mu ? k : high;
			printed = a.high[k] >= mu ? k : printed;
		}
		cr_assert(low == 0 || a.low[low] == most(a.f.center -
		    (int64_t)low * a.f.sens, mean_of(a.x, low)));
		cr_assert(high == 0 || -a.high[high] == most(-a.f.center -
		    (int64_t)high * a.f.sens, -mean_of(a.x + a.n - high,
		    high)));
		twin += printed > 0 && -a.high[printed] != most(-a.f.center -
		    (int64_t)(printed - 1) * a.f.sens,
		    -mean_of(a.x + a.n - printed, printed));
	}
	cr_expect_gt(twin, 1000);
}

/* n times the bound of Lemma 5.11, with `factor' for 27. */
static int64_t
bound(const struct sample *a, int64_t factor)
{
	int64_t n = (int64_t)a->n, mu = mean_of(a->x, a->n), sum;

	sum = most(n * llabs(a->f.center - mu) - n * n * a->f.sens / 3, 0);
	for (size_t i = 0; i < a->n; i++)
		sum += most(factor * llabs(a->x[i] - mu) - n * a->f.sens, 0);
	return sum;
}

/* [CD20 Lemma 5.11] */
Test(mean_bounds, errors_are_within_what_outliers_and_a_far_center_cost)
{
	uint64_t state = 3;
	struct sample a;
	int twin = 0;

	for (int run = 0; run < 20000; run++) {
		int64_t e;

		sample_make(&a, &state);
		e = (int64_t)a.n * llabs(ordered_value(&a.f, a.x, NULL, a.n) -
		    mean_of(a.x, a.n));
		cr_assert_leq(e, bound(&a, 27));
		twin += e > bound(&a, 0);
	}
	cr_expect_gt(twin, 100);
}
