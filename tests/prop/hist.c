/*
 * What noisy counts of cells and measurements say, beside simulations of what
 * is promised.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dx/synth/mwem.h"
#include "dx/synth/synth.h"

#define CELLS 60

static double
uniform(struct rng *r)
{
	return ((double)rng_below(r, 1 << 30) + 0.5) / (1 << 30);
}

static double
laplace(struct rng *r, double scale)
{
	double u = uniform(r) - 0.5;

	return -scale * copysign(log(1 - 2 * fabs(u)), u);
}

static double
normal(struct rng *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));
}

enum shape { EQUAL, PEAKS, SPREAD, SHAPES };

/* A histogram of records drawn by a shape. */
static void
drawn(struct rng *r, enum shape shape, size_t n, int records, double *x)
{
	double w[CELLS], all = 0, u;
	size_t i;

	for (i = 0; i < n; i++) {
		w[i] = shape == EQUAL ? 1 : shape == PEAKS ? i % 13 == 3 :
		    exp(1.2 * normal(r));
		all += w[i];
		x[i] = 0;
	}
	while (records-- > 0) {
		u = uniform(r) * all;
		for (i = 0; i + 1 < n && u > w[i]; i++)
			u -= w[i];
		x[i]++;
	}
}

static double
distance(const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - y[i]) * (x[i] - y[i]);
	return sqrt(sum);
}

/* Sums of errors of tables: by hist_fit, by noisy counts, by equal ones. */
static void
errors(enum shape shape, double scale, double error[3])
{
	double x[CELLS], noisy[CELLS], y[CELLS], even[CELLS];
	struct rng r;

	rng_seeded(&r, 1, "errors");
	memset(error, 0, 3 * sizeof(*error));
	for (int run = 0; run < 100; run++) {
		drawn(&r, shape, CELLS, 3000, x);
		for (size_t i = 0; i < CELLS; i++) {
			even[i] = 3000.0 / CELLS;
			noisy[i] = x[i] + laplace(&r, scale);
		}
		memcpy(y, noisy, sizeof(y));
		hist_fit(y, CELLS, 2 * scale * scale, 3000, 0);
		error[0] += distance(x, y, CELLS);
		error[1] += distance(x, noisy, CELLS);
		error[2] += distance(x, even, CELLS);
	}
}

/* A goal of algorithms.md 6.7, for every single cell at once. */
Test(hist, a_table_is_about_as_good_as_the_better_of_noise_and_equal_counts)
{
	for (enum shape shape = 0; shape < SHAPES; shape++)
		for (double scale = 0.5; scale < 3000; scale *= 3) {
			double error[3], best;

			errors(shape, scale, error);
			best = fmin(error[1], error[2]);
			cr_assert(error[0] < 1.35 * best, "%d %g: %g %g %g",
			    (int)shape, scale, error[0], error[1], error[2]);
		}
}

Test(hist, a_table_adds_up_and_its_order_does_not_matter)
{
	double noisy[CELLS], other[CELLS], y[CELLS], z[CELLS];
	struct rng r;

	rng_seeded(&r, 2, "order");
	for (int run = 0; run < 200; run++) {
		size_t n = 1 + rng_below(&r, CELLS);
		double total = pow(10, 12 * uniform(&r)), sum = 0;
		double scale = total * pow(10, -3 + 5 * uniform(&r));

		for (size_t i = 0; i < n; i++) {
			noisy[i] = (i % 7 == 0) * total / 9 +
			    laplace(&r, scale);
			other[n - 1 - i] = noisy[i];
		}
		memcpy(y, noisy, n * sizeof(*y));
		memcpy(z, other, n * sizeof(*z));
		hist_fit(y, n, 2 * scale * scale, total, 0);
		hist_fit(z, n, 2 * scale * scale, total, 0);
		for (size_t i = 0; i < n; i++) {
			cr_assert(y[i] >= 0);
			cr_assert(fabs(y[i] - z[n - 1 - i]) <= 1e-6 * total);
			sum += y[i];
		}
		cr_assert(fabs(sum - total) <= 1e-9 * total);
	}
}

/* Random 0/1 queries. */
static void
queries(struct workload *w, size_t n, size_t k, struct rng *r)
{
	int64_t q[CELLS];

	*w = (struct workload){ .n = n };
	for (size_t j = 0; j < k; j++) {
		for (size_t i = 0; i < n; i++)
			q[i] = (int64_t)rng_below(r, 2);
		q[j % n] = 1;
		q[(j + 1) % n] = 0;
		workload_dense(w, q, 0);
	}
}

/* Mean error of the queries. */
static double
error_of(const struct workload *w, const double *x, const double *y)
{
	double all = 0, off;

	for (size_t k = 0; k < w->k; k++) {
		off = 0;
		for (size_t i = 0; i < w->n; i++)
			off += (double)workload_at(w, k, i) * (x[i] - y[i]);
		all += fabs(off);
	}
	return all / (double)w->k;
}

/* Whole counts beside those that they are rounded from. */
static double
rounded(struct synth *s, struct rng *r)
{
	double y[CELLS], whole[CELLS], total = 0;
	i128 count[CELLS], sum = 0;

	for (size_t i = 0; i < CELLS; i++)
		total += y[i] = 5 * uniform(r);
	for (size_t i = 0; i < CELLS; i++)
		y[i] *= 150 / total;
	synth_round(s, y, count);
	for (size_t i = 0; i < CELLS; i++) {
		whole[i] = (double)count[i];
		cr_assert(count[i] >= 0 && fabs(whole[i] - y[i]) < 1 + 1e-9);
		sum += count[i];
	}
	cr_assert(sum == 150);
	return error_of(&s->u.w, whole, y);
}

/* By chance a query of 30 cells is off by 1.3 or so. */
Test(synth, whole_counts_add_up_and_answer_queries_as_before)
{
	static const double most[] = { 0.3, 0.3, 0.4 };
	static const size_t k[] = { 1, 4, 16 };
	struct synth s = { .total = 150 };
	struct rng r;

	rng_seeded(&r, 8, "round");
	s.u.n = CELLS;
	for (int at = 0; at < 3; at++) {
		double error = 0;

		queries(&s.u.w, CELLS, k[at], &r);
		normal_open(&s.q, &s.u.w);
		rng_seeded(&s.rng, 9, "round");
		for (int run = 0; run < 100; run++)
			error += rounded(&s, &r) / 100;
		cr_assert(error < most[at], "%zu: %g", k[at], error);
		normal_close(&s.q);
		workload_free(&s.u.w);
	}
}

/* Mean error after rounds with scales for one over eps. */
static double
rounds_error(const struct workload *w, const double *x, int64_t one_over_eps,
    bool weigh, bool each)
{
	struct normal q;
	struct mwem a = { .q = &q, .total = 3000, .rounds = each ? w->k : 5,
	    .each = each, .replays = 20, .weigh = weigh };
	double y[CELLS], error = 0;
	int64_t count[CELLS];
	struct rng r;

	rng_seeded(&r, 5, "rounds");
	for (size_t i = 0; i < w->n; i++)
		count[i] = (int64_t)x[i];
	normal_open(&q, w);
	for (size_t e = 0; e < q.entries; e++)
		q.c[e] = (struct rational){ one_over_eps, 1 };
	cr_assert(mwem_budget(&a));
	mwem_open(&a, count);
	for (int run = 0; run < 60; run++) {
		mwem_restart(&a);
		for (size_t t = 0; t < a.rounds; t++)
			mwem_round(&a, &r);
		mwem_result(&a, y);
		error += error_of(w, x, y);
	}
	mwem_close(&a);
	normal_close(&q);
	return error / 60;
}

/* Measurements that say nothing are not believed, those that do are. */
Test(mwem, rounds_err_no_more_than_equal_counts_and_learn_as_before)
{
	double x[CELLS], even[CELLS], none;
	struct workload w;
	struct rng r;

	rng_seeded(&r, 6, "weigh");
	queries(&w, CELLS, 10, &r);
	for (size_t i = 0; i < CELLS; i++)
		even[i] = 3000.0 / CELLS;
	for (int at = 0; at < 2 * SHAPES; at++) {
		bool each = at % 2 == 0;

		drawn(&r, at / 2, CELLS, 3000, x);
		none = error_of(&w, x, even);
		cr_assert(rounds_error(&w, x, 1000, true, each) < 1.1 * none);
		if (at / 2 == EQUAL)
			cr_assert(rounds_error(&w, x, 1000, false, each) >
			    3 * none);
		for (int64_t scale = 1; scale <= 1000; scale *= 10) {
			double got = rounds_error(&w, x, scale, true, each);
			double all = rounds_error(&w, x, scale, false, each);

			cr_assert(got < 1.2 * all, "%d %lld: %g %g", at,
			    (long long)scale, got, all);
		}
	}
	workload_free(&w);
}
