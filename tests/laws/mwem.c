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
open_on(struct setting *s, const uint64_t *x, uint64_t total, struct mwem *a)
{
	int64_t count[N];

	*a = (struct mwem){ .q = &s->y.q, .total = total,
	    .rounds = s->rounds, .each = s->rounds != T, .kind = s->kind,
	    .shift = s->y.shift };
	for (int i = 0; i < N; i++)
		count[i] = (int64_t)x[i];
	cr_assert(mwem_budget(a));
	mwem_open(a, count);
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

/* eps times the distance of this measure. */
static long double
budget(const struct setting *s, u128 v)
{
	const struct rational unit = s->y.u.m.unit, eps = s->y.eps;

	return (long double)v * unit.num / unit.den * eps.num / eps.den;
}

/* Worst log ratio over eps d(i,j), over all neighbours of n records. */
static long double
worst(struct setting *s, uint64_t n)
{
	long double most = 0, d, w;
	u128 v;

	for (uint64_t x0 = 0; x0 <= n; x0++)
		for (uint64_t x1 = 0; x0 + x1 <= n; x1++)
			for (size_t i = 0; i < N; i++)
				for (size_t j = 0; j < N; j++) {
					uint64_t x[N] = { x0, x1,
					    n - x0 - x1 };
					struct mwem a, b;

					if (i == j || x[i] == 0 ||
					    !metric_between(&s->y.u.m, i, j,
					    &v))
						continue;
					open_on(s, x, n, &a);
					x[i]--;
					x[j]++;
					open_on(s, x, n, &b);
					d = budget(s, v);
					w = a.each ? worst_each(&a, &b) :
					    worst_pair(&a, &b);
					counted.pairs++;
					counted.outputs += K * K * 3 *
					    (2 * WINDOW + 1);
					most = fmaxl(most, w / d);
					mwem_close(&a);
					mwem_close(&b);
				}
	return most;
}

/*
 * Worst log ratio of data sets of n records and of one more, whatever is known
 * of n, over eps R; with parts of records n is the number of parts, and each
 * part of a record that may come counts.
 */
static long double
worst_coming(struct setting *s, uint64_t n)
{
	uint64_t cells = (n + 1) * (n + 1), whole = 1ULL << s->y.shift;
	long double most = 0, w;
	struct mwem a, b;

	for (uint64_t code = 0; code < 9 * cells * whole; code++) {
		size_t j = code % 3, total = code / 3 % 3 * n / 2 + 1;
		uint64_t x0 = code / 9 % (n + 1), x1 = code / 9 / (n + 1) %
		    (n + 1), part = code / 9 / cells + 1;
		uint64_t x[N] = { x0, x1, n - x0 - x1 };

		if (x0 + x1 > n)
			continue;
		open_on(s, x, total, &a);
		x[j] += part;
		open_on(s, x, total, &b);
		w = a.each ? worst_each(&a, &b) : worst_pair(&a, &b);
		w *= (long double)whole / (long double)part;
		most = fmaxl(most, w / budget(s, s->y.u.m.away));
		counted.pairs++;
		counted.outputs += K * K * 3 * (2 * WINDOW + 1);
		mwem_close(&a);
		mwem_close(&b);
	}
	return most;
}

static void
check(struct metric m, enum select_kind kind, unsigned step)
{
	long double w, reached = 0;
	struct setting s;

	for (unsigned code = 5; code < 19683; code += step) {
		if (make(&s, m, code)) {
			s.kind = kind;
			w = worst(&s, 2);
			cr_assert(w <= 1 + MARGIN, "%u: %Lf", code, w);
			reached = fmaxl(reached, w);
		}
		unmake(&s);
	}
	counted.worst = fmaxl(counted.worst, reached);
	cr_assert(reached > (kind == SELECT_FLIP ? 0.7L : 0.6L), "%Lf",
	    reached);
}

/* [KPAK20 Theorem 7] with d = 1: plain differential privacy */
Test(mwem, transcripts_are_within_eps_on_every_pair)
{
	check(plain_metric(), SELECT_FLIP, 401);
	check(plain_metric(), SELECT_EXPONENTIAL, 811);
	audit_count_print("mwem, two rounds", &counted);
}

/* [KPAK20 Theorem 7] */
Test(mwem, transcripts_are_within_eps_d_on_every_pair)
{
	check(line_metric(), SELECT_FLIP, 401);
	check(line_metric(), SELECT_EXPONENTIAL, 811);
	audit_count_print("mwem, two rounds, on a line", &counted);
}

/* The worst of moves and comings, of rounds and of each query once. */
static void
check_hidden(struct metric m, unsigned step, unsigned shift,
    long double *reached, long double *each)
{
	struct setting s;
	long double w;

	for (unsigned code = 5; code < 19683; code += step) {
		if (make(&s, m, code)) {
			s.y.shift = shift;
			s.kind = code % 2 ? SELECT_FLIP : SELECT_EXPONENTIAL;
			w = fmaxl(worst(&s, 1), worst_coming(&s, 2));
			cr_assert(w <= 1 + MARGIN, "%u: %Lf", code, w);
			*reached = fmaxl(*reached, w);
			s.rounds = s.y.q.live != T ? s.y.q.live : 0;
			w = s.rounds > 0 ? fmaxl(worst(&s, 1),
			    worst_coming(&s, 2)) : 0;
			cr_assert(w <= 1 + MARGIN, "%u: %Lf", code, w);
			*each = fmaxl(*each, w);
			counted.worst = fmaxl(counted.worst, w);
		}
		unmake(&s);
	}
}

/* A hidden n: a centered answer moves by half its width at most. */
Test(mwem, transcripts_are_within_eps_where_records_come_and_go)
{
	long double reached = 0, each = 0;

	check_hidden(absent_metric(), 701, 0, &reached, &each);
	cr_assert(reached > 0.6L, "%Lf", reached);
	cr_assert(each >= 1 - MARGIN, "%Lf", each);
	audit_count_print("mwem, two rounds, n hidden", &counted);
}

/* --presence: near enough to bind alone, beside the metric, and beyond it. */
Test(mwem, transcripts_are_within_eps_d_and_eps_r)
{
	for (unsigned r = 1; r < 20; r = 2 * r + 1) {
		struct metric m = line_metric();
		long double reached = 0, each = 0;

		m.away = r;
		check_hidden(m, 1901, 0, &reached, &each);
		cr_assert(reached > 0.5L, "%u: %Lf", r, reached);
		cr_assert(each >= 1 - MARGIN, "%u: %Lf", r, each);
	}
	audit_count_print("mwem, two rounds, presence", &counted);
}

/* [CD20 Definition 7.1] A record of weight w loses w / 2^shift of epsilon. */
Test(mwem, transcripts_are_within_the_part_of_eps_that_a_record_weighs)
{
	long double reached = 0, each = 0;

	check_hidden(absent_metric(), 1401, 2, &reached, &each);
	cr_assert(reached > 0.6L, "%Lf", reached);
	cr_assert(each >= 1 - MARGIN, "%Lf", each);
	audit_count_print("mwem, two rounds, parts of records", &counted);
}

/* All queries once, for a T-th of the budget each. */
static void
check_each(struct metric m)
{
	long double w, reached = 0;
	struct setting s;

	for (unsigned code = 5; code < 19683; code += 67) {
		if (make(&s, m, code)) {
			s.rounds = s.y.q.live;
			if (s.rounds == T)
				s.rounds = 0;
			w = s.rounds > 0 ? worst(&s, 2) : 0;
			cr_assert(w <= 1 + MARGIN, "%u: %Lf", code, w);
			reached = fmaxl(reached, w);
		}
		unmake(&s);
	}
	cr_assert(reached >= 1 - MARGIN, "%Lf", reached);
}

/* [KPAK20 Theorem 7] without a selection */
Test(mwem, measurements_of_every_query_are_within_eps_d_on_every_pair)
{
	check_each(plain_metric());
	check_each(line_metric());
}
