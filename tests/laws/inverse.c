/*
 * Selection by inverse sensitivity: runs against brute force, and privacy of
 * the two laws by enumeration.  tests/stat/select_runs.c has their sampler, and
 * tests/laws/tight its scale.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "asm/inverse.h"
#include "world.h"
#include "../stat/laws_of_draws.h"
#include "asym_world.h"

/* [D24 Definition 2.8, Definition A.2, Lemma A.6] */
Test(inverse, runs_hold_every_grid_point_once_with_its_distance)
{
	struct asym_world w = asym_world_open(MEDIAN);
	struct output_bounds b;
	struct inverse v;
	int x[N];

	output_bounds_init(&b, N);
	for (int set = 0; set < w.sets; set++) {
		int64_t lo = set % 3, hi = w.points - 1 - set % 2;
		int64_t listed = 0;

		asym_tuple(&w, set, x);
		w.bounds(&w, x, &b);
		inverse_init(&v, &b, lo, hi);
		for (size_t i = 0; i < v.n; i++)
			for (int64_t t = v.run[i].lo; t - v.run[i].lo <
			    (int64_t)v.run[i].count; t++, listed++) {
				cr_assert(t >= lo && t <= hi);
				cr_expect_eq(v.run[i].len,
				    (uint64_t)w.len[set][t]);
			}
		cr_expect_eq(listed, hi - lo + 1);
		inverse_free(&v);
	}
	output_bounds_free(&b);
	asym_world_close(&w);
}

/* A range far from the data, and f between grid points. */
Test(inverse, runs_cover_ranges_without_f)
{
	int64_t lo[] = { 101, 90, 80 }, hi[] = { 100, 110, 300 };
	struct output_bounds b = { .c = 2, .lo = lo, .hi = hi,
	    .room = 100 };
	static const struct { int64_t from, to; } range[] = { { 0, 1000 },
	    { 0, 50 }, { 95, 105 }, { 500, 600 }, { -FIXED_MAX, FIXED_MAX },
	    { 100, 100 }, { 101, 101 }, { 90, 100 } };
	struct inverse v;
	uint64_t sum;
	size_t i, k;
	int64_t t;

	for (k = 0; k < sizeof(range) / sizeof(range[0]); k++) {
		inverse_init(&v, &b, range[k].from, range[k].to);
		for (sum = 0, i = 0; i < v.n; i++) {
			sum += v.run[i].count;
			t = v.run[i].lo;
			cr_expect_eq(v.run[i].len, output_bounds_len(&b, t));
			t += (int64_t)(v.run[i].count - 1);
			cr_expect_eq(v.run[i].len, output_bounds_len(&b, t));
		}
		cr_expect_eq(sum, (uint64_t)range[k].to -
		    (uint64_t)range[k].from + 1);
		inverse_free(&v);
	}
}

/* The law of a point of this data set, by its distances. */
static void
law_of_lens(const struct asym_world *w, int set, long double eps, int kind,
    long double *p)
{
	long double heads[OUTPUTS];

	/* some point is f, whose distance is 0 */
	for (size_t t = 0; t < w->outputs.n; t++)
		heads[t] = expl(-eps / 2 * w->len[set][t]);
	law_choice((enum select_kind)kind, heads, w->outputs.n, p);
}

static void
compare(const long double *p, const long double *q, long double eps,
    struct audit_count *c)
{
	for (int k = 0; k < 6; k++, c->outputs++)
		c->worst = fmaxl(c->worst, logl(p[k] / q[k]) / eps);
	c->pairs++;
}

/* [D24 (M.1), Proposition 2.7, Corollary 2.9] */
Test(inverse, neighbours_differ_by_at_most_epsilon)
{
	static const char *const name[] = { [SELECT_EXPONENTIAL] =
	    "asm-estimate median, ism", [SELECT_FLIP] =
	    "asm-estimate median, pf" };
	struct asym_world w = asym_world_open(MEDIAN);
	long double (*p)[OUTPUTS] = malloc((size_t)w.sets * sizeof(*p));

	for (int kind = 0; kind < 2; kind++) {
		struct audit_count c = { 0 };

		for (long double eps = 0.5L; eps < 4; eps *= 2.5L) {
			for (int s = 0; s < w.sets; s++)
				law_of_lens(&w, s, eps, kind, p[s]);
			for (int s = 0; s < w.sets; s++)
				for (int t = 0; t < w.sets; t++)
					if (asym_hamming(&w, s, t) == 1)
						compare(p[s], p[t], eps, &c);
		}
		audit_finish(name[kind], &c, false);
		cr_expect_gt(c.worst, 0.5L);
	}
	free(p);
	asym_world_close(&w);
}

/* [D24 Definition C.1] 0 for symmetric lists, 1/2 when all lies above. */
Test(inverse, asymmetry_of_known_lists)
{
	int64_t lo[] = { 0, -1000 }, hi[] = { 0, 1000 }, low[] = { 0, 0 };
	struct output_bounds even = { .c = 1, .lo = lo, .hi = hi, .room = 9 },
	    odd = { .c = 1, .lo = low, .hi = hi, .room = 9 };
	struct inverse v;

	inverse_init(&v, &even, -1000, 1000);
	cr_expect_lt(inverse_asymmetry(&v, &even, 1), 0.001);
	inverse_free(&v);
	inverse_init(&v, &odd, 0, 1000);
	cr_expect_gt(inverse_asymmetry(&v, &odd, 1), 0.499 - 0.002);
	inverse_free(&v);
}
