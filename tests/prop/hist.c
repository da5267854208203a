/* hist: tables from noisy counts of cells, and whole counts from tables. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dx/answer/synth_round.h"
#include "dx/synth/mwem.h"
#include "dx/synth/synth.h"

#define CELLS 60

static double
uniform(struct rng *r)
{
	return ((double)rng_below(r, 1 << 30) + 0.5) / (1 << 30);
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
			    scale * log(uniform(&r) / uniform(&r));
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
	synth_round(&s->q, 0, &s->rng, y, count);
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
