/*
 * smalldb: the odds of every candidate on all neighbouring histograms of tiny
 * universes, plain and under a metric.
 *
 * The law is worked out from its definition, with the errors and the scale
 * that the library makes: long double, margin 10^-12.  tests/stat shows that
 * the library draws from it.
 */
#include "world.h"
#include "dx/synth/smalldb.h"

#include <criterion/criterion.h>
#include <math.h>

#include "dx/plan/plan.h"
#include "dx/synth/synth.h"
#include "three_points.h"

#define K 3
#define M 2
#define ALL 6		/* multisets of M of N */
#define WIDTH 2		/* coefficients are 0 to 2 */
#define MARGIN 1e-12L

/* q[i * K + k] of the queries with this number, 27^K of them. */
static void
queries(unsigned code, int64_t *q)
{
	for (int i = 0; i < N * K; i++, code /= 3)
		q[i] = code % 3;
}

/*
 * The law on x, of centered answers: twice, less the width for each record;
 * total: n, or what was released of it.
 */
static void
law(const int64_t *q, const int64_t *x, int64_t total, struct scale t,
    long double *p)
{
	int64_t coef[N * K], target[K], left[K];
	uint32_t y[N];
	struct smalldb s = { .n = N, .k = K, .m = M, .q = coef,
	    .target = target, .t = t, .y = y, .left = left };
	long double sum = 0;
	int c = 0;

	for (int k = 0; k < K; k++) {
		int64_t most = 0, least = WIDTH;

		for (int i = 0; i < N; i++) {
			most = q[i * K + k] > most ? q[i * K + k] : most;
			least = q[i * K + k] < least ? q[i * K + k] : least;
		}
		target[k] = 0;
		for (int i = 0; i < N; i++) {
			coef[i * K + k] = 2 * q[i * K + k] - most - least;
			target[k] += M * coef[i * K + k] * x[i];
			coef[i * K + k] *= total;
		}
	}
	smalldb_first(&s);
	do {
		p[c] = expl(-(long double)smalldb_error(&s) / 2 * t.r / t.s);
		sum += p[c++];
	} while (smalldb_next(&s));
	cr_assert_eq(c, ALL);
	for (c = 0; c < ALL; c++)
		p[c] /= sum;
}

/* The scale 2cM of the library, for the largest of its c; false: no query. */
static bool
scale_for(const int64_t *q, const struct metric *m, struct rational eps,
    struct scale *t)
{
	struct rational most = { 0, 1 }, c, part = { 1, 2 * M };
	struct synth y = { .eps = eps };
	bool any = false;
	int64_t one[N];

	y.u.m = *m;
	y.u.n = y.u.w.n = N;
	y.u.hidden = m->away > 0;
	for (int k = 0; k < K; k++) {
		for (int i = 0; i < N; i++)
			one[i] = q[i * K + k];
		any = any || one[0] != one[1] || one[1] != one[2];
		workload_dense(&y.u.w, one, 0);
	}
	if (any)
		synth_scale(&y);
	for (int k = 0; k < K && any; k++) {
		struct rational step = { y.q.block[k].step, 1 };

		cr_assert(rational_mul(&c, y.q.c[k], step));
		most = rational_cmp(c, most) > 0 ? c : most;
	}
	normal_close(&y.q);
	workload_free(&y.u.w);
	return any && upward_div(&most, most, part) && plan_noise(most, 0, t);
}

static struct audit_count counted;

/* Worst log ratio over eps d(i,j), over all neighbours of n records. */
static long double
worst(const int64_t *q, int64_t n, struct scale t, struct rational eps,
    const struct metric *m)
{
	long double most = 0, p[ALL], p2[ALL];
	u128 d;

	for (int64_t a = 0; a <= n; a++)
		for (int64_t b = 0; a + b <= n; b++)
			for (int e = 0; e < N * N; e++) {
				int64_t x[N] = { a, b, n - a - b };
				size_t i = (size_t)e / N, j = (size_t)e % N;

				if (i == j || x[i] == 0 ||
				    !metric_between(m, i, j, &d))
					continue;
				law(q, x, n, t, p);
				x[i]--;
				x[j]++;
				law(q, x, n, t, p2);
				counted.pairs++;
				counted.outputs += ALL;
				for (int c = 0; c < ALL; c++)
					most = fmaxl(most, p[c] == p2[c] ? 0 :
					    fabsl(logl(p[c] / p2[c])) *
					    eps.den / eps.num /
					    ((long double)d * m->unit.num /
					    m->unit.den));
			}
	return most;
}

static void
check(struct metric m, unsigned step)
{
	struct rational eps = { 3, 2 };
	long double w, reached = 0;
	int64_t q[N * K];
	struct scale t;

	for (unsigned code = 1; code < 19683; code += step) {
		queries(code, q);
		if (!scale_for(q, &m, eps, &t))
			continue;
		w = worst(q, 3, t, eps, &m);
		cr_assert(w <= 1 + MARGIN, "queries %u: %Lf", code, w);
		reached = fmaxl(reached, w);
	}
	counted.worst = reached;
	cr_assert(reached > 0.6L, "%Lf", reached);
}

/* [KPAK20 Theorem 5] with d = 1: plain differential privacy */
Test(smalldb, law_is_within_eps_on_every_pair)
{
	check(plain_metric(), 7);
	audit_count_print("smalldb", &counted);
}

/* [KPAK20 Theorem 5] */
Test(smalldb, law_is_within_eps_d_on_every_pair)
{
	check(line_metric(), 7);
	audit_count_print("smalldb, on a line", &counted);
}

/* One record more or less; what was released of n is any number. */
static long double
worst_presence(const int64_t *q, int64_t total, struct scale t,
    struct rational eps, const struct metric *m)
{
	long double most = 0, p[ALL], p2[ALL], r = (long double)m->away *
	    m->unit.num / m->unit.den * eps.num / eps.den;

	for (int code = 0; code < 64 * N; code++) {
		int64_t x[N] = { code % 4, code / 4 % 4, code / 16 % 4 };

		law(q, x, total, t, p);
		x[code / 64]++;
		law(q, x, total, t, p2);
		counted.pairs++;
		counted.outputs += ALL;
		for (int c = 0; c < ALL; c++)
			most = fmaxl(most, p[c] == p2[c] ? 0 :
			    fabsl(logl(p[c] / p2[c])) / r);
	}
	return most;
}

/* Comings and moves. */
static void
check_hidden(struct metric m, unsigned step, long double least)
{
	struct rational eps = { 3, 2 };
	long double reached = 0, w;
	int64_t q[N * K];
	struct scale t;

	counted = (struct audit_count){ 0 };
	for (unsigned code = 1; code < 19683; code += step)
		for (int64_t total = 0; total < 9; total += 2) {
			queries(code, q);
			if (!scale_for(q, &m, eps, &t))
				continue;
			w = fmaxl(worst_presence(q, total, t, eps, &m),
			    worst(q, 3, t, eps, &m));
			cr_assert(w <= 1 + MARGIN, "queries %u: %Lf", code, w);
			reached = fmaxl(reached, w);
		}
	counted.worst = reached;
	cr_assert(reached > least, "%Lf", reached);
}

/* [KPAK20 Theorem 5], n hidden */
Test(smalldb, law_is_within_eps_where_records_come_and_go)
{
	check_hidden(absent_metric(), 17, 0.9L);
	audit_count_print("smalldb, n hidden", &counted);
}

/* [KPAK20 Theorem 5] with --presence */
Test(smalldb, law_is_within_eps_d_and_eps_r)
{
	struct metric m = line_metric();

	for (m.away = 1; m.away < 20; m.away = 2 * m.away + 1)
		check_hidden(m, 97, 0.7L);
	audit_count_print("smalldb, presence", &counted);
}
