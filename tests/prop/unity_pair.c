/*
 * unity_pair: totals, sums and intervals of pairs of columns against their
 * definitions.
 */
#include "laplace/unity.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <stdlib.h>

#include "laplace/cover.h"
#include "random/noise.h"
#include "golden.h"

#define RECORDS 300

static const int binomial[] = { 1, 2, 1 };

static i128
power(i128 x, int k)
{
	return k == 0 ? 1 : x * power(x, k - 1);
}

/* Function j of a column of m steps, from its definition. */
static i128
function(int j, i128 i, i128 m)
{
	return binomial[j] * power(i, j) * power(m - i, 2 - j);
}

static struct sums_column
column(int64_t lo, int64_t steps)
{
	return (struct sums_column){ lo, lo + steps, lo, 1 };
}

struct cells {
	int64_t x, y;
	uint64_t w;
};

static void
add(struct total *t, const struct sums_column *a, const struct sums_column *b,
    const struct cells *r)
{
	uint64_t f[PAIR_FUNCTIONS], g[PAIR_FUNCTIONS];

	unity_pair_functions(a, r->x, f);
	unity_pair_functions(b, r->y, g);
	unity_pair_add(t, f, g, r->w);
}

/* For all cells of small ranges: non-negative, C in all, no others. */
Test(unity, pairs_of_columns_are_a_partition)
{
	for (int64_t m = 1; m < 10; m++)
		for (int64_t l = 1; l < 10; l++)
			for (int64_t i = 0; i <= m; i++)
				for (int64_t k = 0; k <= l; k++) {
				struct sums_column a = column(-3, m);
				struct sums_column b = column(5, l);
				struct total t[PAIR_PARTS] = { { 0 } };
				i128 sum = 0;

				add(t, &a, &b, &(struct cells){ i - 3, k + 5,
				    7 });
				add(t, &a, &b, &(struct cells){ i - 3, k + 5,
				    1 });
				for (int j = 0; j < PAIR_PARTS; j++) {
					i128 x = total_value(&t[j]);

					cr_assert(x >= 0);
					cr_assert(x == 8 * function(j / 3, i,
					    m) * function(j % 3, k, l));
					sum += x;
				}
				cr_assert((u128)sum == 8 * unity_pair_sens(&a,
				    &b));
				}
}

/* Widest columns and weights: totals are exact, at last they saturate. */
Test(unity, totals_of_pairs_are_exact_when_large)
{
	struct sums_column a = column(0, (int64_t)PAIR_STEPS);
	struct total t[PAIR_PARTS] = { { 0 } };
	int64_t top = (int64_t)PAIR_STEPS;

	for (int k = 1; k <= 5; k++) {
		add(t, &a, &a, &(struct cells){ top, top, UINT64_MAX });
		cr_assert(total_value(&t[8]) == (k < 5 ? ((i128)k << 60) *
		    (i128)UINT64_MAX : (i128)1 << 126));
	}
	for (int j = 0; j < 8; j++)
		cr_assert(total_value(&t[j]) == 0);
}

/* --- records, and their totals with noise -------------------------------- */

struct sample {
	struct sums_column column[2];
	struct total total[PAIR_PARTS];
	size_t n;
	double mean[2], square[2], product;	/* of cells on -1..1 */
};

static void
make(struct sample *s, struct rng *r, size_t n, int kind)
{
	*s = (struct sample){ .n = n, .column = { column(-20, 100),
	    column(3, 40) } };
	for (size_t i = 0; i < n; i++) {
		int64_t x = kind == 0 ? 30 : kind == 1 ? -20 :
		    -20 + (int64_t)rng_below(r, 101);
		int64_t y = kind == 0 ? 3 : kind == 1 ? 43 : kind == 2 ?
		    3 + (x + 20) * 2 / 5 : 3 + (int64_t)rng_below(r, 41);
		double u = (double)(x + 20) / 50 - 1;
		double v = (double)(y - 3) / 20 - 1, all = (double)n;

		add(s->total, &s->column[0], &s->column[1],
		    &(struct cells){ x, y, 1 });
		s->mean[0] += u / all;
		s->mean[1] += v / all;
		s->square[0] += u * u / all;
		s->square[1] += v * v / all;
		s->product += u * v / all;
	}
}

static struct unity_moments
noisy(const struct sample *s, struct rng *r, const struct scale *t)
{
	long double sens = (long double)unity_pair_sens(&s->column[0],
	    &s->column[1]), part[PAIR_PARTS];

	for (int j = 0; j < PAIR_PARTS; j++)
		part[j] = (long double)(total_value(&s->total[j]) + (t ==
		    NULL ? 0 : noise_laplace(r, t))) / sens;
	return unity_pair_moments(part);
}

Test(unity, sums_of_pairs_without_noise_are_exact)
{
	struct sample s;
	struct rng r;

	rng_seeded(&r, 3, "pair");
	for (int kind = 0; kind < 4; kind++)
		for (size_t n = 1; n < 50; n += 7) {
			struct unity_moments m;
			long double all = (long double)n;

			make(&s, &r, n, kind);
			m = noisy(&s, &r, NULL);
			cr_assert(fabsl(m.n - all) < 1e-12L);
			cr_assert(fabsl(m.product / all - s.product) < 1e-12L);
			for (int i = 0; i < 2; i++) {
				cr_assert(fabsl(m.first[i] / all - s.mean[i]) <
				    1e-12L);
				cr_assert(fabsl(unity_square_mean(m.second[i],
				    all) - s.square[i]) < 1e-12L);
			}
		}
}

/* --- intervals ----------------------------------------------------------- */

/* Share of draws of |sum of w_j times `times' Laplace(1)| beyond x. */
static double
beyond(const double *w, size_t n, size_t times, double x)
{
	enum { draws = 10000 };
	struct scale t = { 1000000, 1 };
	struct rng r;
	int count = 0;

	rng_seeded(&r, n * times, "cover");
	for (int i = 0; i < draws; i++) {
		double sum = 0;

		for (size_t j = 0; j < n * times; j++)
			sum += w[j / times] * (double)noise_laplace(&r, &t) /
			    1e6;
		count += fabs(sum) > x;
	}
	return count / (double)draws;
}

Test(cover, quantiles_of_many_terms_are_those_of_draws)
{
	static const double w[][PAIR_PARTS] = { { 1 }, { 1, 1, 1, 1, 1, 1, 1,
	    1, 1 }, { 4, 2, 0, 2, 1, 0, 0, 0, 0 }, { 0.5, -0.3, 0.2, 0.1,
	    -0.7, 0.05, 0.02, 0.3, 0.01 }, { 100, 1, 1, 1, 0.1, 0.001 } };
	static const double alpha[] = { 0.5, 0.1, 0.01 };

	for (size_t i = 0; i < sizeof(w) / sizeof(w[0]); i++)
		for (size_t k = 0; k < 3; k++)
			for (size_t times = 1; times <= 5; times += 4) {
				double p = beyond(w[i], PAIR_PARTS, times,
				    cover_spread(w[i], PAIR_PARTS, times,
				    0, alpha[k]));

				cr_assert(fabs(p - alpha[k]) < 5 *
				    sqrt(alpha[k] / 1e4), "%zu: %g for %g", i,
				    p, alpha[k]);
			}
}

/* The variance of column 0, from averages over so many pairs. */
static struct cover
one_variance(const struct unity_moments *m, size_t pairs,
    struct cover_noise noise)
{
	noise.times = 3 * pairs;
	noise.pairs = pairs;
	return cover_variance(m, &noise);
}

/* Half the width, times n, of the interval of a variance or covariance. */
static double
reach(bool joint, struct cover_noise noise, double *w)
{
	const double a = 0.3, b = -0.4, v = 0.2, c = 0.1, n = 1e9;
	struct unity_moments m = { .n = n, .first = { n * a, n * b },
	    .second = { n * (3 * (v + a * a) - 1) / 2 },
	    .product = n * (c + a * b) };
	struct cover z = joint ? cover_covariance(&m, &noise) :
	    one_variance(&m, 1, noise);

	for (int j = 0; j < 3; j++)
		for (int k = 0; k < 3; k++)
			w[3 * j + k] = joint ? (j - 1 - a) * (k - 1 - b) - c :
			    k > 0 ? 0 : j == 0 ? (1 + a) * (1 + a) - v :
			    j == 1 ? a * a - 1 - v : (1 - a) * (1 - a) - v;
	return (z.upper - z.lower) / 2 * n;
}

/*
 * With very many records the means are known, and what is left is the noise at
 * nine tenths of alpha, as the means have their part of it, and one step for
 * each total.  A variance adds three totals in each of its three weights.
 */
Test(cover, widths_leave_the_means_their_part_and_count_every_step)
{
	static const double alpha[] = { 0.4, 0.1, 0.01 };
	double w[PAIR_PARTS], got, want, sum;

	for (int joint = 0; joint < 2; joint++) {
		size_t times = joint ? 1 : 3;

		for (size_t k = 0; k < 3; k++) {
			got = reach(joint, (struct cover_noise){ 1, 0,
			    alpha[k], 1, 1 }, w);
			want = cover_spread(w, PAIR_PARTS, times, 0,
			    0.9 * alpha[k]);
			cr_expect(fabs(got - want) < 1e-3 * want,
			    "%g for %g", got, want);
			cr_expect_gt(want, 1.005 * cover_spread(w, PAIR_PARTS,
			    times, 0, alpha[k]));
		}
		got = reach(joint, (struct cover_noise){ 1e-9, 1, 0.1,
		    1, 1 }, w);
		sum = 0;
		for (size_t j = 0; j < PAIR_PARTS; j++)
			sum += fabs(w[j]) * (double)times;
		cr_expect(fabs(got - sum) < 1e-6 * sum, "%g for %g", got, sum);
	}
}

/* Misses of the intervals of a variance and the covariance. */
struct misses {
	double variance, covariance;
};

static struct misses
missed(const struct sample *s, double wrong)
{
	enum { releases = 1000 };
	u128 sens = unity_pair_sens(&s->column[0], &s->column[1]);
	struct cover_noise noise = { 2 * wrong, 1 / (double)sens, 0.1, 1,
	    1 };
	struct misses count = { 0, 0 };
	double v = s->square[0] - s->mean[0] * s->mean[0];
	double c = s->product - s->mean[0] * s->mean[1];
	struct scale scale;
	struct rng r;

	rng_seeded(&r, s->n, "cover");
	cr_assert(scale_make(&scale, sens, (struct rational){ 1, 2 }));
	for (int k = 0; k < releases; k++) {
		struct unity_moments m = noisy(s, &r, &scale);
		struct cover a = one_variance(&m, 1, noise);
		struct cover b = cover_covariance(&m, &noise);

		count.variance += v < a.lower - 1e-9 || v > a.upper + 1e-9;
		count.covariance += c < b.lower - 1e-9 || c > b.upper + 1e-9;
	}
	count.variance /= releases;
	count.covariance /= releases;
	return count;
}

/* Few and many records; constant, at corners, in line, independent. */
Test(cover, intervals_of_a_pair_never_miss_more_often_than_said)
{
	static const size_t sizes[] = { 1, 5, 40, RECORDS };
	struct sample s;
	struct misses m;
	struct rng r;

	rng_seeded(&r, 4, "pair");
	for (size_t i = 0; i < 4; i++)
		for (int kind = 0; kind < 4; kind++) {
			make(&s, &r, sizes[i], kind);
			m = missed(&s, 1);
			/* five sigma beyond 0.1 in 1000 */
			cr_assert_lt(m.variance, 0.148);
			cr_assert_lt(m.covariance, 0.148);
			if (sizes[i] == RECORDS && kind > 1)
				cr_assert(m.variance > 0.02 && m.covariance >
				    0.01, "not far wider than need be: %g %g",
				    m.variance, m.covariance);
		}
}

#define ROWS 12

static const double want[ROWS] = {
	640.5105505, 656.8081832, 678.0543481, 646.5830782, 632.9645585,
	662.3700902, 673.1767752, 686.090304, 653.4005848, 697.9853019,
	651.3247769, 687.2216713,
};

static double *
ends(double *to, struct cover z)
{
	*to++ = 1 + z.lower;
	*to++ = 1 + z.upper;
	return to;
}

/* Means near an end and in the middle; also more noise than records. */
Test(cover, intervals_are_what_they_were)
{
	double y[20 * 25];
	struct rng r;

	rng_seeded(&r, 9, "weights");
	for (size_t row = 0; row < ROWS; row++) {
		double *to = y;

		for (size_t run = 0; run < 20; run++) {
			double n = 10 + (double)rng_below(&r, 1000);
			double a = (double)rng_below(&r, 1999) / 1000 - 0.999;
			double v = (1 - a * a) * (double)rng_below(&r, 1000) /
			    1000;
			struct cover_noise noise = { 1 + (double)rng_below(&r,
			    20), 0.01, row % 2 ? 0.1 : 0.001, 1, 1 };
			struct unity_moments m = { .n = n, .first = { n * a,
			    n * v - n / 2 }, .second = { n * (3 * (v + a * a) -
			    1) / 2 }, .product = n * (a * a / 3) };

			to = ends(to, one_variance(&m, 1 + run % 3, noise));
			to = ends(to, cover_covariance(&m, &noise));
			to = ends(to, cover_mean(&m, 3, &noise));
			to = ends(to, cover_population(&m, &noise));
			for (int side = -1; side <= 1; side += 2) {
				struct cover_side s = cover_side(&m, &noise,
				    side);

				*to++ = s.error;
				for (int j = 0; j < 3; j++)
					*to++ = s.weight[j];
			}
		}
		golden_is("cover", row, y, (size_t)(to - y), want[row]);
	}
}
