/* two_class: windows of each class against all subsets. */
#include "samples.h"
#include "sp/two_class.h"
#include "sp/subsets.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define MOST 5			/* records of a class */
#define ALL (2 * MOST)

/* floor(f + 1/2) of k sorted values, as ordered.h words it. */
static int64_t
plain(const struct ordered *f, const int64_t *x, int k)
{
	int64_t num = (int64_t)f->alpha.num, den = (int64_t)f->alpha.den;
	int64_t sum = 0, drop = num * k / den;

	if (k == 0)
		return f->center;
	if (f->kind == ORDERED_MEDIAN)
		return (int64_t)fixed_floor_div(x[(k - 1) / 2] + x[k / 2] + 1,
		    2);
	if (f->kind == ORDERED_QUANTILE) {
		int64_t rank = (num * k + den - 1) / den;

		return x[rank < 1 ? 0 : rank - 1];
	}
	for (int64_t i = drop; i < k - drop; i++)
		sum += x[i];
	k -= 2 * (int)drop;
	return (int64_t)fixed_floor_div(2 * sum + k, 2 * k);
}

struct sample {
	struct ordered f;
	struct record_class a, b;
	int64_t x[ALL];		/* class a, then class b, each ascending */
	int64_t sens[ALL];
	int n;
};

static void
sample_draw(struct sample *s, uint64_t *state, int kind)
{
	int na = (int)draw(state, MOST + 1), nb = (int)draw(state, MOST + 1);
	uint64_t size = 1 + draw(state, 60);
	int64_t sa = (int64_t)draw(state, 8), sb = (int64_t)draw(state, 25);

	s->n = na + nb;
	s->f = (struct ordered){ .kind = kind, .alpha = { 0, 1 } };
	if (kind == ORDERED_QUANTILE)
		rational_make(&s->f.alpha, (i128)draw(state, 5), 4);
	else if (kind == ORDERED_MEAN && draw(state, 2))
		rational_make(&s->f.alpha, 1 + (i128)draw(state, 4), 10);
	s->f.center = (int64_t)draw(state, size) - (int64_t)draw(state, size);
	for (int i = 0; i < s->n; i++) {
		s->x[i] = (int64_t)draw(state, size) -
		    (int64_t)draw(state, size);
		s->sens[i] = i < na ? sa : sb;
	}
	qsort(s->x, (size_t)na, sizeof s->x[0], ascending);
	qsort(s->x + na, (size_t)nb, sizeof s->x[0], ascending);
	s->a = (struct record_class){ s->x, (size_t)na, sa };
	s->b = (struct record_class){ s->x + na, (size_t)nb, sb };
}

/* Definition 3.1 over all subsets. */
static int64_t
over_subsets(const struct sample *s)
{
	static int64_t f[1 << ALL];

	for (int d = 0; d < 1 << s->n; d++) {
		int64_t part[ALL];
		int k = 0;

		for (int i = 0; i < s->n; i++)
			if (d >> i & 1)
				part[k++] = s->x[i];
		qsort(part, (size_t)k, sizeof part[0], ascending);
		f[d] = plain(&s->f, part, k);
	}
	subsets_value(f, s->sens, (unsigned)s->n);
	return f[(1 << s->n) - 1];
}

/* The broken twin: windows of the merged order, each end with its own S. */
static int64_t
over_merged_windows(const struct sample *s)
{
	int64_t g[ALL + 1][ALL + 1], x[ALL], sens[ALL];
	size_t i = 0, j = 0;

	for (int k = 0; k < s->n; k++) {
		bool a = i < s->a.n &&
		    (j == s->b.n || s->a.x[i] <= s->b.x[j]);

		sens[k] = a ? s->a.sens : s->b.sens;
		x[k] = a ? s->a.x[i++] : s->b.x[j++];
	}
	for (int k = 0; k <= s->n; k++) {
		for (int l = 0; l + k <= s->n; l++) {
			int64_t v = plain(&s->f, x + l, k);

			if (k > 0) {
				int64_t up = g[k - 1][l] + sens[l + k - 1];
				int64_t low = g[k - 1][l + 1] - sens[l];

				v = v > up ? up : v < low ? low : v;
			}
			g[k][l] = v;
		}
	}
	return g[s->n][0];
}

static void
compare(int kind, uint64_t state, int least)
{
	int twin = 0;

	for (int run = 0; run < 800; run++) {
		struct sample s;
		int64_t want, have = 0;

		sample_draw(&s, &state, kind);
		want = over_subsets(&s);
		have = two_class_value(&s.f, &s.a, &s.b);
		cr_assert_eq(have, want, "run %d: %lld, not %lld", run,
		    (long long)have, (long long)want);
		have = two_class_value(&s.f, &s.b, &s.a);
		cr_assert_eq(have, want);
		twin += over_merged_windows(&s) != want;
	}
	cr_assert(twin >= least, "only %d", twin);
}

/* [CD20 Definition 3.1] [CD20 Definition 5.1] */
Test(two_class, mean_equals_the_definition_and_merged_windows_do_not)
{
	compare(ORDERED_MEAN, 21, 20);
}

Test(two_class, median_equals_the_definition_and_merged_windows_do_not)
{
	compare(ORDERED_MEDIAN, 22, 20);
}

Test(two_class, quantile_equals_the_definition_and_merged_windows_do_not)
{
	compare(ORDERED_QUANTILE, 23, 20);
}

/* The example of two_class.c: windows alone would say -1. */
Test(two_class, a_record_of_small_sensitivity_in_the_middle_binds)
{
	struct sample s = { .f = { .kind = ORDERED_MEDIAN,
	    .alpha = { 0, 1 } }, .x = { -1, -30, 0 },
	    .sens = { 10, 30, 30 }, .n = 3 };
	int64_t value = 0;

	s.a = (struct record_class){ s.x, 1, 10 };
	s.b = (struct record_class){ s.x + 1, 2, 30 };
	value = two_class_value(&s.f, &s.a, &s.b);
	cr_assert_eq(value, -5);
	cr_assert_eq(over_subsets(&s), -5);
	cr_assert_eq(over_merged_windows(&s), -1);
}

/* Adding a record moves the result by at most its own S. */
Test(two_class, each_record_moves_the_result_by_at_most_its_sensitivity)
{
	uint64_t state = 24;

	for (int run = 0; run < 60; run++) {
		int64_t x[60], all = 0, less = 0;
		size_t nb = 1 + draw(&state, 50), na = draw(&state, 9);
		struct ordered f = { .kind = (int)draw(&state, 3),
		    .alpha = { 1, 5 } };
		struct record_class a, b;

		for (size_t i = 0; i < na + nb; i++)
			x[i] = (int64_t)draw(&state, 2000) - 1000;
		qsort(x, na, sizeof x[0], ascending);
		qsort(x + na, nb, sizeof x[0], ascending);
		a = (struct record_class){ x, na, 1 + (int64_t)run % 7 };
		b = (struct record_class){ x + na, nb, 40 };
		all = two_class_value(&f, &a, &b);
		b.n--;
		less = two_class_value(&f, &a, &b);
		cr_assert(llabs(all - less) <= b.sens);
		b.n++;
		if (na > 0) {
			a.n--;
			a.x++;
			less = two_class_value(&f, &a, &b);
			cr_assert(llabs(all - less) <= a.sens);
		}
	}
}
