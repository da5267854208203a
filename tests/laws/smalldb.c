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

static const struct rational eps = { 3, 2 };

struct setting {
	struct metric m;
	int64_t q[N * K];	/* of element i and query k at i * K + k */
	struct scale t;
};

/*
 * The law on x, of centered answers: twice, less the width for each record;
 * total: n, or what was released of it.
 */
static void
law(const struct setting *of, const int64_t *x, int64_t total, long double *p)
{
	int64_t coef[N * K], target[K], left[K];
	uint32_t y[N];
	struct smalldb s = { .n = N, .k = K, .m = M, .q = coef,
	    .target = target, .t = of->t, .y = y, .left = left };
	long double sum = 0;
	int c = 0;

	for (int k = 0; k < K; k++) {
		const int64_t *q = of->q + k;
		int64_t most = 0, least = WIDTH;

		for (int i = 0; i < N; i++) {
			most = FIXED_MOST(most, q[i * K]);
			least = FIXED_LEAST(least, q[i * K]);
		}
		target[k] = 0;
		for (int i = 0; i < N; i++) {
			coef[i * K + k] = 2 * q[i * K] - most - least;
			target[k] += M * coef[i * K + k] * x[i];
			coef[i * K + k] *= total;
		}
	}
	smalldb_first(&s);
	do {
		p[c] = expl(-(long double)smalldb_error(&s) / 2 * s.t.r /
		    s.t.s);
		sum += p[c++];
	} while (smalldb_next(&s));
	cr_assert_eq(c, ALL);
	for (c = 0; c < ALL; c++)
		p[c] /= sum;
}

/*
 * The queries with this number, 27^K of them, and the scale 2cM of the library,
 * for the largest of its c; false: all are constant.
 */
static bool
make(struct setting *s, struct metric m, unsigned code)
{
	struct rational most = { 0, 1 }, c, part = { 1, 2 * M };
	struct synth y = { .eps = eps, .u = { .m = m, .n = N,
	    .hidden = m.away > 0 } };
	bool any = false;

	s->m = m;
	for (int i = 0; i < N * K; i++, code /= 3)
		s->q[i] = code % 3;
	y.u.w.n = N;
	for (int k = 0; k < K; k++) {
		int64_t one[N] = { s->q[k], s->q[K + k], s->q[2 * K + k] };

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
	return any && upward_div(&most, most, part) && plan_noise(most, 0,
	    &s->t);
}

static struct audit_count counted;

static long double
loss(void *setting, const int64_t *x, const int64_t *z, int64_t total,
    u128 d)
{
	const struct setting *s = setting;
	long double most = 0, p[ALL], p2[ALL];

	law(s, x, total, p);
	law(s, z, total, p2);
	counted.pairs++;
	counted.outputs += ALL;
	for (int c = 0; c < ALL; c++)
		if (p[c] != p2[c])
			most = fmaxl(most, fabsl(logl(p[c] / p2[c])));
	return most / ((long double)d * s->m.unit.num / s->m.unit.den *
	    world_real(eps));
}

static void
check(struct metric m, unsigned step, long double least)
{
	struct setting s;
	long double w;

	counted.worst = 0;
	for (unsigned code = 1; code < 19683; code += step)
		if (make(&s, m, code)) {
			w = three_points_worst(&m, 3, 0, loss, &s);
			cr_assert(w <= 1 + MARGIN, "queries %u: %Lf", code, w);
			counted.worst = fmaxl(counted.worst, w);
		}
	cr_assert(counted.worst > least, "%Lf", counted.worst);
}

/* [KPAK20 Theorem 5] with d = 1: plain differential privacy */
Test(smalldb, law_is_within_eps_on_every_pair)
{
	check(metrics_plain(N), 7, 0.6L);
	audit_count_print("smalldb", &counted);
}

/* [KPAK20 Theorem 5] */
Test(smalldb, law_is_within_eps_d_on_every_pair)
{
	check(metrics_line(N, 4), 7, 0.6L);
	audit_count_print("smalldb, on a line", &counted);
}

/* [KPAK20 Theorem 5], n hidden */
Test(smalldb, law_is_within_eps_where_records_come_and_go)
{
	check(metrics_hidden(N), 17, 0.9L);
	audit_count_print("smalldb, n hidden", &counted);
}

/* [KPAK20 Theorem 5] with --presence */
Test(smalldb, law_is_within_eps_d_and_eps_r)
{
	struct metric m = metrics_line(N, 4);

	for (m.away = 1; m.away < 20; m.away = 2 * m.away + 1)
		check(m, 97, 0.7L);
	audit_count_print("smalldb, presence", &counted);
}
