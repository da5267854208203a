/*
 * mwem: the odds of every transcript of two rounds on all neighbouring
 * histograms of a tiny universe, plain and under a metric.
 *
 * A transcript is what the release depends on: selections and measurements.
 * Scores, corrections of y and scales are the library's; the laws of
 * selection and noise are their definitions, in long double.  Of the last
 * measurement only the steepest values matter.
 */
#include "../stat/laws_of_draws.h"
#include "world.h"
#include "dx/synth/mwem.h"

#include <criterion/criterion.h>
#include <math.h>

#include "dx/plan/plan.h"
#include "dx/synth/synth.h"
#include "three_points.h"

#define K 3
#define T 2
#define WINDOW 12
#define MARGIN 1e-12L

struct setting {
	struct synth y;		/* with scales of its queries */
	size_t rounds;		/* all queries: none is chosen */
	enum select_kind kind;
};

static void
unmake(struct setting *s)
{
	normal_close(&s->y.q);
	workload_free(&s->y.u.w);
}

/* Three queries by number, each with its own scale; false: all constant. */
static bool
make(struct setting *s, struct metric m, unsigned code)
{
	struct universe *u = &s->y.u;
	int64_t q[N];
	bool any = false;

	*s = (struct setting){ .y = { .eps = { 3, 2 } }, .rounds = T };
	u->m = m;
	u->n = u->w.n = N;
	u->hidden = m.away > 0;
	for (int k = 0; k < K; k++) {
		for (int i = 0; i < N; i++, code /= 3)
			q[i] = (code % 3) * (k == 1 ? 10 : 1);
		workload_dense(&u->w, q, k == 2);
		any = any || q[0] != q[1] || q[1] != q[2];
	}
	if (any)
		synth_scale(&s->y);
	return any;
}

/* total: n, or what was released of it. */
static void
open_on(struct setting *s, const int64_t *x, int64_t total,
    struct mwem *a)
{
	*a = (struct mwem){ .q = &s->y.q, .total = (uint64_t)total,
	    .rounds = s->rounds, .each = s->rounds != T, .kind = s->kind,
	    .shift = s->y.shift };
	cr_assert(mwem_budget(a));
	mwem_open(a, x);
}

static long double
off(i128 x)
{
	return fabsl((long double)x);
}

/* log of the odds of choosing and measuring m on x, up to a constant. */
static long double
odds(struct mwem *a, size_t live, int64_t m)
{
	size_t k = normal_live(a->q, live);
	long double p[K];

	law_scores(a->kind, a->score, a->q->live, (long double)a->pick.s /
	    a->pick.r, p);
	return logl(p[live]) - off(m - mwem_truth(a, k)) * a->noise[k].r /
	    (2 * a->noise[k].s);
}

/* Largest |log ratio| of one pair over all transcripts. */
static long double
worst_pair(struct mwem *a, struct mwem *b)
{
	size_t live = a->q->live;
	long double most = 0;

	for (size_t c = 0; c < live; c++)
		for (int64_t m = -WINDOW; m <= WINDOW; m++) {
			size_t k = normal_live(a->q, c);
			long double first, one;

			mwem_restart(a);
			mwem_restart(b);
			mwem_scores(a);
			mwem_scores(b);
			first = odds(a, c, m) - odds(b, c, m);
			mwem_learn(a, k, m);
			mwem_learn(b, k, m);
			mwem_scores(a);
			mwem_scores(b);
			for (size_t l = 0; l < live; l++)
				for (int64_t v = -WINDOW; v <= WINDOW;
				    v += WINDOW) {
					one = odds(a, l, v) - odds(b, l, v);
					most = fmaxl(most,
					    fabsl(first + one));
				}
		}
	return most;
}

/* Each query once: the outputs are the measurements. */
static long double
worst_each(const struct mwem *a, const struct mwem *b)
{
	long double most = 0;

	for (size_t c = 0; c < a->q->live; c++) {
		size_t k = normal_live(a->q, c);

		most += off(mwem_truth(a, k) - mwem_truth(b, k)) *
		    a->noise[k].r / (2 * a->noise[k].s);
	}
	return most;
}

static struct audit_count counted;

static long double
loss(void *setting, const int64_t *x, const int64_t *z, int64_t total,
    u128 d)
{
	struct setting *s = setting;
	const struct rational unit = s->y.u.m.unit, eps = s->y.eps;
	long double w;
	struct mwem a, b;

	open_on(s, x, total, &a);
	open_on(s, z, total, &b);
	w = a.each ? worst_each(&a, &b) : worst_pair(&a, &b);
	mwem_close(&a);
	mwem_close(&b);
	counted.pairs++;
	counted.outputs += K * K * 3 * (2 * WINDOW + 1);
	return w / ((long double)d * unit.num / unit.den * eps.num / eps.den);
}

#define ANY 2			/* kind: one or the other */

/* The worst of some triples of queries, two rounds or each query once. */
static long double
check_parts(struct metric m, unsigned step, bool each, int kind,
    unsigned shift)
{
	long double w, reached = 0;
	struct setting s;

	for (unsigned code = 5; code < 19683; code += step) {
		if (make(&s, m, code) && !(each && s.y.q.live == T)) {
			if (each)
				s.rounds = s.y.q.live;
			s.y.shift = shift;
			s.kind = (enum select_kind)(kind == ANY ? code % 2 :
			    (unsigned)kind);
			w = three_points_worst(&m, 2, shift,
			    loss, &s);
			cr_assert(w <= 1 + MARGIN, "%u: %Lf", code, w);
			reached = fmaxl(reached, w);
		}
		unmake(&s);
	}
	counted.worst = fmaxl(counted.worst, reached);
	return reached;
}

static long double
check(struct metric m, unsigned step, bool each, int kind)
{
	return check_parts(m, step, each, kind, 0);
}

/* [KPAK20 Theorem 7, Algorithm 2] with d = 1: plain differential privacy */
Test(mwem, transcripts_are_within_eps_on_every_pair)
{
	cr_assert_gt(check(metrics_plain(N), 401, false, SELECT_FLIP), 0.7L);
	cr_assert_gt(check(metrics_plain(N), 811, false, SELECT_EXPONENTIAL),
	    0.6L);
	audit_count_print("mwem, two rounds", &counted);
}

/* [KPAK20 Theorem 7] */
Test(mwem, transcripts_are_within_eps_d_on_every_pair)
{
	cr_assert_gt(check(metrics_line(N, 4), 401, false, SELECT_FLIP), 0.7L);
	cr_assert_gt(check(metrics_line(N, 4), 811, false, SELECT_EXPONENTIAL),
	    0.6L);
	audit_count_print("mwem, two rounds, on a line", &counted);
}

/* A hidden n: a centered answer moves by half its width at most. */
Test(mwem, transcripts_are_within_eps_where_records_come_and_go)
{
	cr_assert_gt(check(metrics_hidden(N), 701, false, ANY), 0.6L);
	cr_assert_geq(check(metrics_hidden(N), 701, true, ANY), 1 - MARGIN);
	audit_count_print("mwem, two rounds, n hidden", &counted);
}

/* --presence: near enough to bind alone, beside the metric, and beyond it. */
Test(mwem, transcripts_are_within_eps_d_and_eps_r)
{
	for (unsigned r = 1; r < 20; r = 2 * r + 1) {
		struct metric m = metrics_line(N, 4);

		m.away = r;
		cr_assert_gt(check(m, 1901, false, ANY), 0.5L, "%u", r);
		cr_assert_geq(check(m, 1901, true, ANY), 1 - MARGIN, "%u", r);
	}
	audit_count_print("mwem, two rounds, presence", &counted);
}

/* [CD20 Definition 7.1] A record of weight w loses w / 2^shift of epsilon. */
Test(mwem, transcripts_are_within_the_part_of_eps_that_a_record_weighs)
{
	cr_assert_gt(check_parts(metrics_hidden(N), 1401, false, ANY, 2), 0.6L);
	cr_assert_geq(check_parts(metrics_hidden(N), 1401, true, ANY, 2),
	    1 - MARGIN);
	audit_count_print("mwem, two rounds, parts of records", &counted);
}

/* [KPAK20 Theorem 7] All queries once, for a T-th of the budget each. */
Test(mwem, measurements_of_every_query_are_within_eps_d_on_every_pair)
{
	cr_assert_geq(check(metrics_plain(N), 67, true, ANY), 1 - MARGIN);
	cr_assert_geq(check(metrics_line(N, 4), 67, true, ANY), 1 - MARGIN);
}
