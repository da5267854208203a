/*
 * Selection by inverse sensitivity: runs against brute force, and privacy of
 * the two laws by enumeration.  Their samplers are held to these laws by
 * tests/stat/inverse.c.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "asm/inverse.h"
#include "world.h"
#include "number/sort.h"

#define POINTS 6		/* data and outputs: 0..5 */
#define SETS (POINTS * POINTS * POINTS)

static void
tuple(int set, int64_t *x)
{
	int i;

	for (i = 0; i < 3; i++, set /= POINTS)
		x[i] = set % POINTS;
}

static int
hamming(const int64_t *x, const int64_t *y)
{
	return (x[0] != y[0]) + (x[1] != y[1]) + (x[2] != y[2]);
}

static int64_t
median(const int64_t *x)
{
	int64_t y[3] = { x[0], x[1], x[2] };

	sort_grid(y, 3);
	return y[1];
}

/* [D24 Definition 2.8] */
static void
brute(int set, int *len)
{
	int64_t x[3], y[3];
	int other, t;

	tuple(set, x);
	for (t = 0; t < POINTS; t++)
		len[t] = 99;
	for (other = 0; other < SETS; other++) {
		tuple(other, y);
		t = (int)median(y);
		len[t] = hamming(x, y) < len[t] ? hamming(x, y) : len[t];
	}
}

/* [D24 Definition 2.8, Definition A.2, Lemma A.6] */
Test(inverse, runs_hold_every_grid_point_once_with_its_distance)
{
	int64_t x[3], lo, hi;
	struct output_bounds b;
	struct inverse v;
	int set, len[POINTS], t;
	unsigned seen;
	size_t i;

	output_bounds_init(&b, 3);
	for (set = 0; set < SETS; set++) {
		struct ranks r = { x, NULL, 3 };

		tuple(set, x);
		brute(set, len);
		sort_grid(x, 3);
		output_bounds_quantile(&b, &r, (struct rational){ 1, 2 }, 0,
		    NEIGHBORS_SWAP);
		lo = set % 3;
		hi = POINTS - 1 - set % 2;
		inverse_init(&v, &b, lo, hi);
		for (t = (int)lo; t <= hi; t++) {
			for (seen = 0, i = 0; i < v.n; i++)
				if (t >= v.run[i].lo && t < v.run[i].lo +
				    (int64_t)v.run[i].count) {
					seen++;
					cr_expect_eq(v.run[i].len,
					    (uint64_t)len[t]);
				}
			cr_expect_eq(seen, 1);
		}
		for (seen = 0, i = 0; i < v.n; i++)
			seen += v.run[i].count;
		cr_expect_eq(seen, hi - lo + 1);
		inverse_free(&v);
	}
	output_bounds_free(&b);
}

/* A range far from the data, and f between grid points. */
Test(inverse, runs_cover_ranges_without_f)
{
	int64_t lo[] = { 101, 90, 80 }, hi[] = { 100, 110, 300 };
	struct output_bounds b = { 2, lo, hi, 100 };
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

static void
exponential_law(const int *len, long double half, long double *p)
{
	long double all = 0;
	int t;

	for (t = 0; t < POINTS; t++)
		all += p[t] = expl(-half * len[t]);
	for (t = 0; t < POINTS; t++)
		p[t] /= all;
}

/* p_t times the integral over [0, 1] of the product of 1 - p_i s, i != t. */
static void
flip_law(const int *len, long double half, long double *p)
{
	long double q[POINTS], poly[POINTS + 1];
	int best = len[0], t, i, k;

	for (t = 0; t < POINTS; t++)
		best = len[t] < best ? len[t] : best;
	for (t = 0; t < POINTS; t++)
		q[t] = expl(-half * (len[t] - best));
	for (t = 0; t < POINTS; t++) {
		for (k = 0; k <= POINTS; k++)
			poly[k] = k == 0;
		for (i = 0; i < POINTS; i++)
			for (k = POINTS; i != t && k > 0; k--)
				poly[k] -= q[i] * poly[k - 1];
		for (p[t] = 0, k = 0; k <= POINTS; k++)
			p[t] += q[t] * poly[k] / (k + 1);
	}
}

/* [D24 (M.1), Proposition 2.7, Corollary 2.9] */
Test(inverse, neighbours_differ_by_at_most_epsilon)
{
	static const long double eps[] = { 0.5L, 1, 3 };
	static long double p[2][SETS][POINTS];
	struct audit_count count[2] = { { 0 } };
	int s, t, k, e, kind, len[POINTS];
	long double ratio, worst;
	int64_t x[3], y[3];

	for (e = 0; e < 3; e++) {
		for (s = 0; s < SETS; s++) {
			brute(s, len);
			exponential_law(len, eps[e] / 2, p[0][s]);
			flip_law(len, eps[e] / 2, p[1][s]);
		}
		for (kind = 0; kind < 2; kind++) {
			worst = 0;
			for (s = 0; s < SETS; s++)
				for (t = 0; t < SETS; t++) {
					tuple(s, x);
					tuple(t, y);
					if (hamming(x, y) != 1)
						continue;
					for (k = 0; k < POINTS; k++) {
						ratio = logl(p[kind][s][k] /
						    p[kind][t][k]) / eps[e];
						worst = fmaxl(worst, ratio);
					}
				}
			count[kind].pairs += SETS * 3 * (POINTS - 1);
			count[kind].outputs += SETS * 3 * (POINTS - 1) * POINTS;
			count[kind].worst = fmaxl(count[kind].worst, worst);
			cr_expect_gt(worst, 0.5L);
		}
	}
	audit_finish("asm-estimate median, ism", &count[0], false);
	audit_finish("asm-estimate median, pf", &count[1], false);
}

/* [D24 Definition C.1] 0 for symmetric lists, 1/2 when all lies above. */
Test(inverse, asymmetry_of_known_lists)
{
	int64_t lo[] = { 0, -1000 }, hi[] = { 0, 1000 }, low[] = { 0, 0 };
	struct output_bounds even = { 1, lo, hi, 9 },
	    odd = { 1, low, hi, 9 };
	struct inverse v;

	inverse_init(&v, &even, -1000, 1000);
	cr_expect_lt(inverse_asymmetry(&v, &even, 1), 0.001);
	inverse_free(&v);
	inverse_init(&v, &odd, 0, 1000);
	cr_expect_gt(inverse_asymmetry(&v, &odd, 1), 0.499 - 0.002);
	inverse_free(&v);
}
