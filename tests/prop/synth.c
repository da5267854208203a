/*
 * smalldb and mwem against slow programs that follow their definitions.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/mwem.h"
#include "dx/synth/smalldb.h"

static uint64_t
draw(struct rng *r, uint64_t n)
{
	return rng_below(r, n);
}

Test(smalldb, candidates_are_binomials)
{
	/* Pascal's rule: y without, or with, the last element */
	for (size_t n = 2; n < 12; n++)
		for (size_t m = 1; m < 12; m++)
			cr_assert(smalldb_candidates(n, m) ==
			    smalldb_candidates(n - 1, m) +
			    smalldb_candidates(n, m - 1));
	cr_assert(smalldb_candidates(1, 1000) == 1);
	cr_assert(smalldb_candidates(1000, 1000) == SMALLDB_MANY);
	cr_assert(smalldb_candidates(1000, 10) > (u128)1 << 77);
}

Test(smalldb, fits_is_the_last_size_within_a_limit)
{
	for (size_t n = 2; n < 40; n++)
		for (u128 most = n; most < 1000000; most = most * 3 + 1) {
			size_t m = smalldb_fits(n, most);

			cr_assert(smalldb_candidates(n, m) <= most);
			cr_assert(smalldb_candidates(n, m + 1) > most);
		}
	cr_assert_eq(smalldb_fits(40, 39), 0);
}

struct instance {
	struct smalldb s;
	int64_t q[64 * 32], target[32];
};

static void
instance(struct instance *a, size_t n, size_t m, size_t k, struct rng *r)
{
	int64_t total = 0, x[64];

	a->s = (struct smalldb){ .n = n, .m = m, .k = k, .q = a->q,
	    .target = a->target, .t = { 1, 60 } };
	for (size_t i = 0; i < n; i++)
		total += x[i] = (int64_t)draw(r, 5);
	for (size_t j = 0; j < k; j++) {
		int64_t size = 2 + (int64_t)draw(r, 3);

		a->target[j] = 0;
		for (size_t i = 0; i < n; i++) {
			int64_t q = (int64_t)draw(r, (uint64_t)size) -
			    size / 3;

			a->q[i * k + j] = q * total;
			a->target[j] += q * x[i] * (int64_t)m;
		}
	}
}

/* The least error of all candidates. */
static int64_t
least(const struct instance *a, uint32_t *y, size_t at, uint32_t first)
{
	int64_t best = INT64_MAX, e;

	if (at == a->s.m)
		return smalldb_error(&a->s, y);
	for (uint32_t i = first; i < a->s.n; i++) {
		y[at] = i;
		e = least(a, y, at + 1, i);
		best = e < best ? e : best;
	}
	return best;
}

Test(smalldb, at_no_temperature_both_samplers_find_the_best)
{
	struct rng r;
	struct instance a;
	uint32_t y[8];

	rng_seeded(&r, 1, "best");
	for (int i = 0; i < 60; i++) {
		size_t n = 2 + draw(&r, 9), m = 1 + draw(&r, 5);
		int64_t best;

		instance(&a, n, m, 1 + draw(&r, 20), &r);
		best = least(&a, y, 0, 0);
		cr_assert_eq(smalldb_enumerate(&a.s, &r, y), SMALLDB_OK);
		cr_assert_eq(smalldb_error(&a.s, y), best);
		cr_assert_eq(smalldb_search(&a.s, &r, 100000, y), SMALLDB_OK);
		cr_assert_eq(smalldb_error(&a.s, y), best);
	}
}

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
	struct smalldb s = { n, k, m, q, target, { 10, 2 }, NULL, NULL };
	double bound;
	struct rng r;
	uint32_t y[5];

	rng_seeded(&r, 5, "bound");
	for (size_t run = 0; run < runs; run++) {
		total = 0;
		for (size_t i = 0; i < n; i++)
			total += x[i] = (int64_t)draw(&r, 40);
		memset(target, 0, sizeof(target));
		for (size_t i = 0; i < n * k; i++) {
			int64_t one = (int64_t)draw(&r, 2);

			q[i] = one * total;
			target[i % k] += one * x[i / k] * (int64_t)m;
		}
		bound = alpha * (double)total + 2 / eps * (log((double)
		    smalldb_candidates(n, m)) + log(1 / beta));
		cr_assert_eq(smalldb_search(&s, &r, 1000, y), SMALLDB_OK);
		over += (double)smalldb_error(&s, y) / (double)m > bound;
	}
	/* 3 standard deviations above beta */
	cr_assert((double)over <= beta * (double)runs + 18, "%zu", over);
}

#define CELLS 40

/* A mixed workload; coefficients of query k at i are workload_at. */
static void
mixed(struct workload *w, size_t n, struct rng *r)
{
	static const char *const names[] = { "a", "b", "c" };
	int64_t q[CELLS], x[CELLS * 3];

	*w = (struct workload){ .n = n };
	for (int j = 0; j < 4; j++) {
		for (size_t i = 0; i < n; i++)
			q[i] = j < 2 ? (int64_t)draw(r, 2) * (j + 3) :
			    (int64_t)draw(r, 200) - 100;
		cr_assert(workload_dense(w, q, j % 3, "q"));
	}
	for (size_t i = 0; i < 3 * n; i++)
		x[i] = (int64_t)draw(r, 3);
	cr_assert(workload_prefix(w) && workload_range(w) &&
	    workload_marginal(w, x, 3, 2, names));
}

/* [KPAK20 Algorithm 2] step 3, by the book, with answers at one scale. */
static void
by_the_book(const struct workload *w, double *y, double n, size_t k, double m)
{
	double unit = (double)fixed_pow10(workload_digits(w, k));
	double answer = 0, top = 1, sum = 0;

	for (size_t i = 0; i < w->n; i++) {
		double q = (double)workload_at(w, k, i) / unit;

		answer += q * y[i];
		top = fmax(top, fabs(q));
	}
	for (size_t i = 0; i < w->n; i++) {
		double q = (double)workload_at(w, k, i) / unit;

		sum += y[i] *= exp(q * (m - answer) / (2 * n) / top / top);
	}
	for (size_t i = 0; i < w->n; i++)
		y[i] *= n / sum;
}

static void
close_to(const double *a, const double *b, size_t n, double total)
{
	for (size_t i = 0; i < n; i++)
		cr_assert(fabs(a[i] - b[i]) <= 1e-9 * total, "%zu: %g %g", i,
		    a[i], b[i]);
}

/* [KPAK20 Algorithm 2] scores are |q(x) - q(y)| for the y of the rounds. */
static void
scores_agree(struct mwem *a, const uint64_t *x, const double *y)
{
	const struct workload *w = a->w;

	mwem_scores(a);
	for (size_t k = 0; k < w->k; k++) {
		double unit = (double)fixed_pow10(a->digits -
		    workload_digits(w, k)), off = 0;
		int64_t truth = 0;

		for (size_t i = 0; i < w->n; i++) {
			off += (double)workload_at(w, k, i) * unit *
			    ((double)x[i] - y[i]);
			truth += workload_at(w, k, i) * (int64_t)unit *
			    (int64_t)x[i];
		}
		cr_assert_eq(mwem_truth(a, k), truth);
		off = ldexp(fabs(off), a->shift);
		cr_assert(fabs((double)a->score[k] - off) <= 2 + 1e-7 *
		    ldexp((double)a->total, a->shift), "%zu: %lld %g", k,
		    (long long)a->score[k], off);
	}
}

static void
follow(struct rng *r, bool average, size_t n)
{
	struct workload w;
	struct mwem a = { .w = &w, .rounds = 12, .average = average };
	double y[CELLS], sum[CELLS] = { 0 }, out[CELLS];
	uint64_t x[CELLS];

	mixed(&w, n, r);
	for (size_t i = 0; i < n; i++)
		a.total += x[i] = draw(r, 50);
	cr_assert(mwem_grid(&a) && mwem_open(&a, x));
	for (size_t i = 0; i < n; i++)
		y[i] = (double)a.total / (double)n;
	for (size_t t = 0; t < 12; t++) {
		/* at first only queries that keep atoms large */
		size_t k = t < 6 ? 4 + draw(r, w.k - 4) : draw(r, w.k);
		int64_t m;

		scores_agree(&a, x, y);
		m = mwem_truth(&a, k) + (int64_t)draw(r, 40) - 20;
		for (size_t i = 0; i < n; i++)
			sum[i] += y[i];
		cr_assert(mwem_learn(&a, k, m));
		by_the_book(&w, y, (double)a.total, k, (double)m /
		    (double)fixed_pow10(a.digits));
	}
	mwem_result(&a, out);
	for (size_t i = 0; i < n && average; i++)
		y[i] = sum[i] / 12;
	close_to(out, y, n, (double)a.total);
	mwem_close(&a);
	workload_free(&w);
}

/* [KPAK20 Algorithm 2] */
Test(mwem, atoms_follow_the_algorithm_by_the_book)
{
	struct rng r;

	rng_seeded(&r, 3, "book");
	for (int i = 0; i < 40; i++)
		follow(&r, i % 2, 1 + draw(&r, CELLS));
}

/* How far y is from its measurements, without noise the truth. */
static double
unlearned(struct mwem *a)
{
	double worst = 0;

	mwem_scores(a);
	for (size_t k = 0; k < a->w->k; k++)
		worst = fmax(worst, ldexp((double)a->score[k], -a->shift));
	return worst;
}

Test(mwem, replays_bring_measured_answers_back)
{
	static const size_t query[] = { 3, 20, 37, 3, 90 };
	struct workload all = { .n = 16 }, w = { .n = 16 };
	struct mwem a = { .w = &w, .rounds = 5 };
	double once;
	uint64_t x[16];
	int64_t q[16];
	struct rng r;

	rng_seeded(&r, 4, "replay");
	cr_assert(workload_range(&all));
	for (size_t i = 0; i < 16; i++)
		a.total += x[i] = 20 + draw(&r, 50);
	for (size_t j = 0; j < 5; j++) {
		for (size_t i = 0; i < 16; i++)
			q[i] = workload_at(&all, query[j], i);
		cr_assert(workload_dense(&w, q, 0, "q"));
	}
	cr_assert(mwem_grid(&a) && mwem_open(&a, x));
	for (size_t j = 0; j < 5; j++)
		cr_assert(mwem_learn(&a, j, mwem_truth(&a, j)));
	once = unlearned(&a);
	mwem_restart(&a);
	a.replays = 4000;
	for (size_t j = 0; j < 5; j++)
		cr_assert(mwem_learn(&a, j, mwem_truth(&a, j)));
	cr_assert(unlearned(&a) < 0.02 * once, "%g %g", unlearned(&a), once);
	mwem_close(&a);
	workload_free(&w);
	workload_free(&all);
}

/*
 * [KPAK20 Theorem 8, Section 3.4] at most 2n sqrt(log N / T) + 10 c T log |Q|
 * with probability at least 1 - 2T/|Q|.
 */
Test(mwem, error_bound_holds_as_often_as_promised)
{
	size_t n = 24, t = 10, runs = 60, over = 0;
	struct workload w = { .n = n };
	struct mwem a = { .w = &w, .rounds = t, .average = true,
	    .kind = SELECT_EXPONENTIAL };
	uint64_t x[24];
	struct rng r;
	double bound, y[24];

	rng_seeded(&r, 6, "theorem");
	cr_assert(workload_range(&w));
	for (size_t run = 0; run < runs; run++) {
		double worst = 0;

		a.total = 0;
		for (size_t i = 0; i < n; i++)
			a.total += x[i] = draw(&r, i < 4 ? 900 : 30);
		cr_assert(mwem_grid(&a));
		/* eps = 1/2: c = 2 */
		a.noise = (struct scale){ 2 * 2 * t, 1 };
		a.pick = (struct scale){ (4 * 2 * t) << a.shift, 1 };
		cr_assert(mwem_open(&a, x));
		for (size_t i = 0; i < t; i++)
			cr_assert(mwem_round(&a, &r));
		mwem_result(&a, y);
		for (size_t f = 0; f < n; f++) {
			double off = 0;

			for (size_t l = f; l < n; l++) {
				off += y[l] - (double)x[l];
				worst = fmax(worst, fabs(off));
			}
		}
		bound = 2 * (double)a.total * sqrt(log((double)n) / t) +
		    10.0 * 2 * t * log((double)w.k);
		over += worst > bound;
		mwem_close(&a);
	}
	cr_assert((double)over <= 2.0 * t / (double)w.k * (double)runs,
	    "%zu", over);
	workload_free(&w);
}

Test(mwem, answers_that_might_not_fit_are_refused)
{
	struct workload w = { .n = 2 };
	int64_t q[2] = { (int64_t)1 << 40, 0 };
	struct mwem a = { .w = &w, .total = (uint64_t)1 << 20 };

	cr_assert(workload_dense(&w, q, 0, "q"));
	cr_assert(mwem_grid(&a) && a.shift == 0);
	a.total++;
	cr_assert(!mwem_grid(&a));
	workload_free(&w);
}

/* Few codes are joined through a table, many by sorting: the same cells. */
Test(workload, marginals_do_not_depend_on_the_size_of_codes)
{
	static const char *const names[] = { "a", "b", "c" };
	struct workload few, many;
	int64_t x[CELLS * 3], wide[CELLS * 3];
	struct rng r;

	rng_seeded(&r, 8, "codes");
	for (int run = 0; run < 200; run++) {
		size_t n = 1 + draw(&r, CELLS), order = 1 + draw(&r, 3);

		few = many = (struct workload){ .n = n };
		for (size_t i = 0; i < 3 * n; i++) {
			x[i] = (int64_t)draw(&r, 4);
			wide[i] = x[i] * 1000 - 7;
		}
		cr_assert(workload_marginal(&few, x, 3, order, names) &&
		    workload_marginal(&many, wide, 3, order, names));
		cr_assert_eq(few.k, many.k);
		cr_assert_eq(few.blocks, many.blocks);
		for (size_t b = 0; b < few.blocks; b++) {
			cr_assert_eq(few.block[b].count, many.block[b].count);
			cr_assert(memcmp(few.block[b].q, many.block[b].q,
			    n * sizeof(*x)) == 0);
		}
		workload_free(&few);
		workload_free(&many);
	}
}
