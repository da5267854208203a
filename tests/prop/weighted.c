/*
 * ordered_value and variance_sorted with weights against the same records
 * one by one, and the jumps of the walk against single steps, which are taken
 * here, for every threshold.
 */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "random/rng.h"
#include "sp/ordered.h"
#include "sp/ordered_runs.h"
#include "sp/ordered_walk.h"
#include "sp/variance.h"

#include "../house/step.h"
#include "samples.h"

#define RUNS 40
#define RECORDS 4000

/* Runs x, w and their n records y. */
struct sample {
	size_t m, n;
	int64_t x[RUNS], y[RECORDS];
	uint64_t w[RUNS], before[RUNS + 1];
};

static void
draw_runs(struct rng *r, struct sample *s, int bits)
{
	int64_t gap = width(r, bits), most = width(r, 6), v;
	size_t i, j;

	/* Few long runs now and then, for the long jumps. */
	s->m = rng_below(r, RUNS + 1);
	if (s->m <= 7)
		most = width(r, 9);
	s->n = 0;
	s->before[0] = 0;
	v = between(r, -gap, gap) * (int64_t)(s->m + 1) / 2;
	for (i = 0; i < s->m; i++) {
		v += 1 + between(r, 0, rng_below(r, 9) ? gap : 20 * gap);
		s->x[i] = v;
		s->w[i] = (uint64_t)between(r, 1, most);
		s->before[i + 1] = s->before[i] + s->w[i];
		for (j = 0; j < s->w[i]; j++)
			s->y[s->n++] = v;
	}
}

/* S small enough that the walk often keeps to its threshold. */
static void
draw_function(struct rng *r, struct ordered *f, const struct sample *s,
    int kind)
{
	int64_t den = between(r, 1, 12), range = 1, n = (int64_t)s->n + 1;

	if (s->m > 0)
		range += s->x[s->m - 1] - s->x[0];
	f->kind = (enum ordered_kind)kind;
	if (rng_below(r, 4) == 0)
		den = 1000;
	if (f->kind == ORDERED_MEAN && rng_below(r, 6) == 0)
		rational_make(&f->alpha, between(r, 480, 500), 1001);
	else if (f->kind == ORDERED_MEAN)
		rational_make(&f->alpha, between(r, 0, (den - 1) / 2), den);
	else
		rational_make(&f->alpha, between(r, 0, den), den);
	f->sens = 1 + between(r, 0, 4 * range) / (n * width(r, 4));
	f->center = (s->m > 0 ? s->x[0] : 0) + between(r, -range, 2 * range);
}

/* Samples on which runs and records differ; extra counts are the twin. */
static int
differences(int tries, int bits, int kind, uint64_t extra)
{
	static struct sample s;
	struct ordered f;
	struct rng r;
	int bad = 0;

	rng_seeded(&r, (uint64_t)(tries + kind), "weighted");
	while (tries-- > 0) {
		draw_runs(&r, &s, bits);
		draw_function(&r, &f, &s, kind);
		if (s.m > 0)
			s.w[0] += extra;
		bad += ordered_value(&f, s.x, s.w, s.m) !=
		    ordered_value(&f, s.y, NULL, s.n);
	}
	return bad;
}

Test(ordered, weighted_mean_is_that_of_the_records)
{
	cr_expect_eq(differences(3000, 4, ORDERED_MEAN, 0), 0);
	cr_expect_eq(differences(3000, 20, ORDERED_MEAN, 0), 0);
	cr_expect_eq(differences(1000, 40, ORDERED_MEAN, 0), 0);
	cr_expect_gt(differences(1000, 8, ORDERED_MEAN, 1), 0, "twin");
}

Test(ordered, weighted_median_is_that_of_the_records)
{
	cr_expect_eq(differences(3000, 3, ORDERED_MEDIAN, 0), 0);
	cr_expect_eq(differences(3000, 20, ORDERED_MEDIAN, 0), 0);
	cr_expect_gt(differences(1000, 8, ORDERED_MEDIAN, 1), 0, "twin");
}

Test(ordered, weighted_quantile_is_that_of_the_records)
{
	cr_expect_eq(differences(3000, 3, ORDERED_QUANTILE, 0), 0);
	cr_expect_eq(differences(3000, 20, ORDERED_QUANTILE, 0), 0);
	cr_expect_gt(differences(1000, 8, ORDERED_QUANTILE, 1), 0, "twin");
}

/* Jumps of the walk for threshold m that end where no steps lead. */
static int
astray(const struct ordered_data *d, uint64_t n, i128 m, int *jumps)
{
	uint64_t c = ordered_level_zero(d->f, n, m);
	struct run_walk w, far, near;
	bool yes, on = c > 0 && c <= n;
	int bad = 0;

	if (on) {
		w = run_walk_make(d, c - 1, m);
		run_walk_place(&w, c - 1, c);
	}
	while (on) {
		far = near = w;
		run_walk_track(&far);
		*jumps += far.r - far.l > w.r - w.l;
		do
			on = run_walk_steps(&near, 1, &yes);
		while (on && near.r - near.l < far.r - far.l);
		bad += far.r - far.l > w.r - w.l && near.l != far.l;
		w = near;
	}
	return bad;
}

/* Thresholds about g, where the path is longest. */
static void
jumps_end_where_steps_lead(int kind)
{
	static struct sample s;
	struct ordered_data d = { .x = s.x, .before = s.before };
	struct ordered f;
	struct rng r;
	int64_t g;
	int bad = 0, jumps = 0;

	rng_seeded(&r, 1, "jumps");
	for (int i = 0; i < 2000; i++) {
		do
			draw_runs(&r, &s, 2 + i % 20);
		while (s.m == 0);
		draw_function(&r, &f, &s, kind);
		d.f = &f;
		d.n = s.m;
		g = ordered_value(&f, s.y, NULL, s.n);
		for (int m = -1; m <= 2; m++)
			bad += astray(&d, s.n, (i128)g + m, &jumps);
	}
	cr_expect_eq(bad, 0);
	cr_expect_gt(jumps, 5000, "%d", jumps);
}

Test(ordered, jumps_of_a_mean_end_where_steps_lead)
{
	jumps_end_where_steps_lead(ORDERED_MEAN);
}

Test(ordered, jumps_of_a_quantile_end_where_steps_lead)
{
	jumps_end_where_steps_lead(ORDERED_QUANTILE);
}

static int
variance_differences(int tries, int bits, uint64_t extra)
{
	static struct sample s;
	struct variance f;
	struct rng r;
	int bad = 0, digits;

	rng_seeded(&r, (uint64_t)tries, "weighted spread");
	while (tries-- > 0) {
		draw_runs(&r, &s, bits);
		f.sens = between(&r, 1, width(&r, bits));
		f.unit = 1;
		for (digits = (int)rng_below(&r, 6); digits > 0; digits--)
			f.unit *= 10;
		if (s.m > 0)
			s.w[0] += extra;
		bad += variance_sorted(&f, s.x, s.w, s.m) !=
		    variance_sorted(&f, s.y, NULL, s.n);
	}
	return bad;
}

Test(variance, weighted_variance_is_that_of_the_records)
{
	cr_expect_eq(variance_differences(300, 8, 0), 0);
	cr_expect_eq(variance_differences(300, 30, 0), 0);
	cr_expect_gt(variance_differences(100, 8, 1), 0, "twin");
}
