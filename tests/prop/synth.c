/*
 * smalldb and mwem: scales, bounds, and tables by their sums.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/answer/synth_round.h"
#include "dx/synth/mwem.h"
#include "dx/synth/smalldb.h"
#include "dx/synth/synth.h"
#include "golden.h"
#include "plan_world.h"

/*
 * [KPAK20 Proposition 1, Theorem 6, Section 3.3] queries in [0,1], c = 1/eps:
 * the error is at most alpha n + 2c (log |R| + log 1/beta) but with probability
 * beta.
 */
Test(smalldb, error_bound_holds_as_often_as_promised)
{
	size_t n = 6, k = 12, m = 5, runs = 400, over = 0;
	double alpha = sqrt(log(12.0) / 5), beta = 0.1, eps = 2;
	int64_t q[6 * 12], target[12], x[6], total = 0;
	struct smalldb s = { .n = n, .k = k, .m = m, .q = q,
	    .target = target, .t = { 10, 2 } };
	double bound;
	struct rng r;

	rng_seeded(&r, 5, "bound");
	for (size_t run = 0; run < runs; run++) {
		total = 0;
		for (size_t i = 0; i < n; i++)
			total += x[i] = (int64_t)rng_below(&r, 40);
		memset(target, 0, sizeof(target));
		for (size_t i = 0; i < n * k; i++) {
			int64_t one = (int64_t)rng_below(&r, 2);

			q[i] = one * total;
			target[i % k] += one * x[i / k] * (int64_t)m;
		}
		bound = alpha * (double)total + 2 / eps * (log((double)
		    smalldb_candidates(n, m)) + log(1 / beta));
		smalldb_open(&s);
		smalldb_draw(&s, &r);
		over += (double)smalldb_error(&s) / (double)m > bound;
		smalldb_close(&s);
	}
	/* 3 standard deviations above beta */
	cr_assert((double)over <= beta * (double)runs + 18, "%zu", over);
}

#define CELLS 40

/* A mixed workload; coefficients of query k at i are workload_at. */
static void
mixed(struct workload *w, size_t n, struct rng *r)
{
	int64_t q[CELLS], x[CELLS * 3];
	int first = (int)rng_below(r, 5);	/* 4: generated queries alone */

	*w = (struct workload){ .n = n };
	for (int j = first; j < 4; j++) {
		for (size_t i = 0; i < n; i++)
			q[i] = j != 2 ? (int64_t)rng_below(r, 2) * (j + 3) :
			    (int64_t)rng_below(r, 200) - 100;
		workload_dense(w, q, j % 3);
	}
	for (size_t i = 0; i < 3 * n; i++)
		x[i] = (int64_t)rng_below(r, 3);
	workload_runs(w, WORKLOAD_PREFIX);
	workload_runs(w, WORKLOAD_RANGE);
	workload_marginal(w, x, 3, 2);
}

/* Every query gets the same scale for its width. */
static void
same_scales(struct normal *q, struct rational eps)
{
	for (size_t b = 0; b < q->w->blocks; b++)
		for (size_t e = 0; e < q->block[b].entries; e++)
			cr_assert(rational_make(&q->c[q->block[b].entry + e],
			    q->block[b].width * eps.den, eps.num));
}

static void
signed_counts(const uint64_t *x, size_t n, int64_t *to)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (int64_t)x[i];
}

/* A random dense workload, times a constant and plus another. */
static void
scaled(struct workload *w, const int64_t *q, size_t n, size_t k,
    int64_t times, int64_t plus, int digits)
{
	int64_t one[CELLS];

	*w = (struct workload){ .n = n };
	for (size_t j = 0; j < k; j++) {
		for (size_t i = 0; i < n; i++)
			one[i] = q[j * n + i] * times + plus;
		workload_dense(w, one, digits);
	}
}

/*
 * max |q_i - q_j| / (E d(i,j)) of query k in the normal form, over all pairs
 * that the metric binds; 0: none of them has a difference.
 */
static double
steepest(const struct synth *s, const struct world *a, size_t k)
{
	size_t in, b = normal_find(&s->q, k, &in);
	double most = 0, d;
	u128 v;

	for (size_t i = 0; i < a->m.n; i++)
		for (size_t j = 0; j < i; j++) {
			int64_t off = workload_at(&s->u.w, k, i) -
			    workload_at(&s->u.w, k, j);

			if (off == 0 || !world_measure(a, i, j, &v))
				continue;
			d = metric_squared(&a->m) ? sqrt((double)v) : (double)v;
			most = fmax(most, (double)llabs(off) /
			    (double)s->q.block[b].step / (1.5 * d / 1000));
		}
	return most;
}

static void
scales_agree(struct synth *s, const struct world *a)
{
	for (size_t k = 0; k < s->u.w.k; k++) {
		size_t in, b = normal_find(&s->q, k, &in);
		size_t e = normal_entry(&s->q, b, in);
		double want = steepest(s, a, k), got;

		if (s->q.entry[e].times == 0)
			continue;
		got = (double)s->q.c[e].num / (double)s->q.c[e].den;
		cr_assert(got >= want * (1 - 1e-15), "%zu: %g %g", k, got,
		    want);
		/* ranges share the scale of their nearest pair */
		if (want > 0 && s->u.w.block[b].kind != WORKLOAD_RANGE)
			cr_assert(got <= want * (1 + 1e-12), "%zu: %g %g", k,
			    got, want);
	}
}

/* Is there a query with a scale, and none that needs an infinite one? */
static bool
possible(struct synth *s, const struct world *a)
{
	double most = 0;

	normal_open(&s->q, &s->u.w);
	for (size_t k = 0; k < s->u.w.k; k++)
		most = fmax(most, steepest(s, a, k));
	return most > 0 && !isinf(most);
}

/*
 * [KPAK20 Theorem 5, Theorem 7] c_k = max |q_i - q_j| / (E d(i,j)) of each
 * query.
 */
Test(synth, every_query_has_the_least_scale_that_protects_all_pairs)
{
	uint64_t state = 11;
	struct rng r;
	int used = 0;

	rng_seeded(&r, 11, "scales");
	for (int run = 0; run < 300; run++) {
		struct synth s = { .eps = { 3, 2 } };
		struct world a;

		s.u.n = 4 + rng_below(&r, 10);
		world_metric(&a, s.u.n, run % WORLD_KINDS, &state);
		a.w = (struct workload){ .n = s.u.n };
		mixed(&s.u.w, s.u.n, &r);
		s.u.m = a.m;
		if (possible(&s, &a)) {
			synth_scale(&s);
			scales_agree(&s, &a);
			used++;
		}
		normal_close(&s.q);
		world_free(&a);
		workload_free(&s.u.w);
	}
	cr_assert_geq(used, 60, "%d", used);
}

/* Ways from queries to a table; the paper's depends on their unit. */
enum recipe { ROUNDS, EVERY_ONCE, COUNTS, PAPER, BELIEVED, RECIPES };

/* The table by seeded counts of all cells. */
static void
table_of_counts(const struct synth *s, const int64_t *count, uint64_t total,
    struct rng *r, double *y)
{
	const struct scale t = { 4, 1 };

	for (size_t i = 0; i < s->u.n; i++)
		y[i] = (double)(count[i] + (int64_t)noise_laplace(r, &t));
	hist_fit(y, s->u.n, 32, (double)total, 0);
}

/* A seeded table under a workload's own exact scales. */
static void
table_of(const struct workload *w, const uint64_t *x, uint64_t seed,
    enum recipe way, double *y)
{
	struct metric m = { .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = w->n, .bound = 1, .unit = { 1, 1 } };
	struct synth s = { .eps = { 1, 2 } };
	struct mwem a = { .rounds = 4, .kind = SELECT_FLIP, .replays = 20,
	    .each = way == EVERY_ONCE, .paper = way == PAPER,
	    .weigh = way == BELIEVED };
	int64_t count[CELLS];
	struct rng r;

	s.paper = way == PAPER;
	s.u.m = m;
	s.u.w = *w;
	s.u.n = w->n;
	synth_scale(&s);
	a.q = &s.q;
	if (a.each)
		a.rounds = s.q.live;
	for (size_t i = 0; i < w->n; i++)
		a.total += x[i];
	signed_counts(x, w->n, count);
	rng_seeded(&r, seed, "table");
	if (way == COUNTS) {
		table_of_counts(&s, count, a.total, &r, y);
		normal_close(&s.q);
		return;
	}
	cr_assert(mwem_budget(&a));
	mwem_open(&a, count);
	for (size_t t = 0; t < 2 * a.rounds; t++) {
		if (t == a.rounds)	/* forgets the first table */
			mwem_restart(&a);
		mwem_round(&a, &r);
	}
	mwem_result(&a, y);
	mwem_close(&a);
	normal_close(&s.q);
}

#define RUNS 12		/* tables in a row */

static const double want[RECIPES][4] = {
	{ 70.5600172, 70.38795751, 70.87591946, 72.35930129 },
	{ 69.06277667, 66.37249615, 66.51975038, 74.74996594 },
	{ 70.40282383, 68.83599536, 71.09650803, 69.05556686 },
	{ 72.11523672, 71.73860648, 68.61434056, 70.115349 },
	{ 72.35771361, 69.64780643, 68.39736689, 71.24019568 },
};

/* Each way, on mixed workloads, with the whole numbers that are made of it. */
Test(mwem, a_table_is_what_it_was)
{
	static double y[2 * RUNS * CELLS];
	struct rng r;

	rng_seeded(&r, 3, "golden");
	for (size_t run = 0; run < RECIPES * 4 * RUNS; run++) {
		enum recipe way = (enum recipe)(run / RUNS / 4);
		double *to = &y[2 * (run % RUNS) * CELLS], sum = 0;
		size_t n = 2 + rng_below(&r, CELLS - 2);
		uint64_t x[CELLS] = { 0 };
		struct synth s = { .opts.digits = -1 };
		i128 count[CELLS];

		mixed(&s.u.w, n, &r);
		s.u.n = n;
		for (size_t i = 0; i < n; i++)
			sum += (double)(x[i] = rng_below(&r, run % 2 ? 9 :
			    400));
		x[0] += sum == 0;
		table_of(&s.u.w, x, run, way, to);
		normal_open(&s.q, &s.u.w);
		rng_seeded(&s.rng, run, "round");
		synth_round(&s.q, 0, &s.rng, to, count);
		for (size_t i = 0; i < n; i++)
			to[CELLS + i] = (double)count[i] / (sum + 1);
		for (size_t i = 0; i < n; i++)
			to[i] /= sum + 1;
		normal_close(&s.q);
		workload_free(&s.u.w);
		if (run % RUNS < RUNS - 1)
			continue;
		golden_is("mwem", run / RUNS, y, 2 * RUNS * CELLS,
		    want[way][run / RUNS % 4]);
		memset(y, 0, sizeof(y));
	}
}

/* How many tables change where queries are multiplied, or added to. */
static int
changes(enum recipe way)
{
	static const int64_t times[] = { 1, 7, 1000, 1, 3, 12 };
	static const int64_t plus[] = { 0, 0, 0, 500, -91, 100000 };
	int64_t q[6 * CELLS];
	double y[CELLS], z[CELLS];
	uint64_t x[CELLS];
	struct workload w;
	struct rng r;
	int other = 0;

	rng_seeded(&r, 9, "unit");
	for (int run = 0; run < 24; run++) {
		size_t n = 2 + rng_below(&r, 20);

		for (size_t i = 0; i < n; i++)
			x[i] = rng_below(&r, 60);
		for (size_t i = 0; i < 6 * n; i++)
			q[i] = (int64_t)rng_below(&r, run % 2 ? 2 : 50);
		scaled(&w, q, n, 6, 1, 0, 0);
		table_of(&w, x, (uint64_t)run, way, y);
		workload_free(&w);
		for (size_t v = 0; v < 6; v++) {
			scaled(&w, q, n, 6, times[v], plus[v],
			    (int)rng_below(&r, 6));
			table_of(&w, x, (uint64_t)run, way, z);
			other += memcmp(y, z, n * sizeof(*y)) != 0;
			workload_free(&w);
		}
	}
	return other;
}

/* Under swap q and a q + b are one query: the very same table. */
Test(mwem, queries_times_a_constant_or_plus_one_give_the_same_table)
{
	cr_assert_eq(changes(ROUNDS), 0);
	cr_assert_eq(changes(EVERY_ONCE), 0);
	cr_assert_eq(changes(COUNTS), 0);
}

Test(mwem, coefficients_too_fine_for_60_bits_are_refused)
{
	int64_t q[2] = { (int64_t)1 << 40, 0 }, p[2] = { 1, 0 };
	struct workload w = { .n = 2 };
	struct normal n;
	struct mwem a = { .rounds = 1, .q = &n, .total = 1000 };

	/* of two queries, so that 2^40 is not a step of its own */
	q[1] = 1 - q[0];
	workload_dense(&w, q, 0);
	normal_open(&n, &w);
	cr_assert_eq(n.block[0].width, 1);
	normal_close(&n);
	workload_free(&w);
	w = (struct workload){ .n = 3 };
	workload_dense(&w, (int64_t[]){ 0, 1, (int64_t)1 << 54 }, 0);
	workload_dense(&w, (int64_t[]){ p[0], p[1], 0 }, 0);
	normal_open(&n, &w);
	same_scales(&n, (struct rational){ 1, 1 });
	a.total = 1;
	cr_assert(mwem_budget(&a));
	cr_assert_geq(n.mult[0], 64);
	a.total = 1000;
	cr_assert(!mwem_budget(&a));
	free(a.noise);
	normal_close(&n);
	workload_free(&w);
}

/* A total that is known as well as the sum of all counts: the mean of both. */
Test(hist, a_hidden_total_is_the_mean_by_precision)
{
	double y[4] = { 30, 10, 20, 40 }, sum = 0;

	hist_fit(y, 4, 8, 140, 32);
	for (size_t i = 0; i < 4; i++)
		sum += y[i];
	cr_assert_float_eq(sum, 120, 1e-6);
}
