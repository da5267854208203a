/*
 * mwem: the odds of every transcript of two rounds on all neighbouring
 * histograms of a tiny universe, plain and under a metric.
 *
 * A transcript is what the release depends on: selections and measurements.
 * Scores, corrections of y and scales are the library's; the laws of
 * selection and noise are their definitions, in long double.  Of the last
 * measurement only the steepest values matter.
 */
#include "count.h"
#include "one_scale.h"
#include "dx/synth/mwem.h"

#include <criterion/criterion.h>
#include <math.h>

#include "dx/plan/plan.h"
#include "three_points.h"

#define K 3
#define T 2
#define WINDOW 12
#define MARGIN 1e-12L

struct setting {
	struct metric m;
	struct workload w;
	struct rational eps;
	struct scale pick, noise;
	int shift;
	enum select_kind kind;
};

/* Three queries by number, and the scales 4cT and 2cT. */
static bool
make(struct setting *s, struct metric m, unsigned code)
{
	struct rational most = { 0, 1 }, c, part;
	int64_t q[N];

	*s = (struct setting){ .m = m, .w = { .n = N }, .eps = { 3, 2 },
	    .shift = MWEM_SHIFT };
	for (int k = 0; k < K; k++) {
		for (int i = 0; i < N; i++, code /= 3)
			q[i] = code % 3;
		cr_assert(workload_dense(&s->w, q, 0, "q"));
		c = one_scale(&m, q, s->eps);
		if (rational_cmp(c, most) > 0)
			most = c;
	}
	if (most.num == 0)
		return false;
	c = most;
	return rational_make(&part, 1, 2 * T) && plan_divide(&c, part) &&
	    plan_noise(c, 0, &s->noise) &&
	    rational_make(&part, 1, (i128)4 * T << MWEM_SHIFT) &&
	    plan_divide(&most, part) && plan_noise(most, 0, &s->pick);
}

static void
open_on(const struct setting *s, const uint64_t *x, struct mwem *a)
{
	*a = (struct mwem){ .w = &s->w, .total = x[0] + x[1] + x[2],
	    .rounds = T, .pick = s->pick, .noise = s->noise,
	    .kind = s->kind };
	cr_assert(mwem_grid(a));
	cr_assert(a->shift == s->shift && a->digits == 0);
	cr_assert(mwem_open(a, x));
}

/* [MS20 Algorithm 1] sum over sets of others; or the exponential law. */
static void
choice(const struct setting *s, const int64_t *u, long double *p)
{
	long double w[K], sum = 0, t = (long double)s->pick.s / s->pick.r;
	int64_t best = u[0];

	for (int k = 1; k < K; k++)
		best = u[k] > best ? u[k] : best;
	for (int k = 0; k < K; k++)
		sum += w[k] = expl((u[k] - best) / t);
	for (int k = 0; k < K; k++) {
		p[k] = s->kind == SELECT_EXPONENTIAL ? w[k] / sum : 0;
		for (unsigned set = 0; set < 1u << K &&
		    s->kind == SELECT_FLIP; set++) {
			long double term = w[k];
			int size = 0;

			for (int j = 0; j < K; j++)
				if (set >> j & 1) {
					term *= -w[j];
					size++;
				}
			if (!(set >> k & 1))
				p[k] += term / (size + 1);
		}
	}
}

/* log of the odds of choosing k and measuring m on x, up to a constant. */
static long double
odds(const struct setting *s, struct mwem *a, size_t k, int64_t m)
{
	long double p[K];

	choice(s, a->score, p);
	return logl(p[k]) - (long double)llabs(m - mwem_truth(a, k)) *
	    s->noise.r / s->noise.s;
}

/* Largest |log ratio| of one pair over all transcripts. */
static long double
worst_pair(const struct setting *s, struct mwem *a, struct mwem *b)
{
	long double most = 0;

	for (size_t k = 0; k < K; k++)
		for (int64_t m = -WINDOW; m <= WINDOW; m++) {
			long double first, one;

			mwem_restart(a);
			mwem_restart(b);
			mwem_scores(a);
			mwem_scores(b);
			first = odds(s, a, k, m) - odds(s, b, k, m);
			cr_assert(mwem_learn(a, k, m) && mwem_learn(b, k, m));
			mwem_scores(a);
			mwem_scores(b);
			for (size_t l = 0; l < K; l++)
				for (int64_t v = -WINDOW; v <= WINDOW;
				    v += WINDOW) {
					one = odds(s, a, l, v) -
					    odds(s, b, l, v);
					most = fmaxl(most,
					    fabsl(first + one));
				}
		}
	return most;
}

static struct audit_count counted;

/* Worst log ratio over eps d(i,j), over all neighbours of n records. */
static long double
worst(const struct setting *s, uint64_t n)
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

					if (i == j || x[i] == 0)
						continue;
					open_on(s, x, &a);
					x[i]--;
					x[j]++;
					open_on(s, x, &b);
					cr_assert(metric_between(&s->m, i, j,
					    &v));
					d = (long double)v * s->m.unit.num /
					    s->m.unit.den * s->eps.num /
					    s->eps.den;
					w = worst_pair(s, &a, &b);
					counted.pairs++;
					counted.outputs += K * K * 3 *
					    (2 * WINDOW + 1);
					most = fmaxl(most, w / d);
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
		workload_free(&s.w);
	}
	counted.worst = fmaxl(counted.worst, reached);
	cr_assert(reached > (kind == SELECT_FLIP ? 0.75L : 0.6L), "%Lf",
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

/* Broken twins: selection, or noise, without its share of the budget. */
Test(mwem, a_step_without_its_share_is_caught)
{
	struct setting s;

	cr_assert(make(&s, plain_metric(), 1 + 81 + 6561));
	s.kind = SELECT_FLIP;
	cr_assert(worst(&s, 2) <= 1 + MARGIN);
	s.pick.s /= 2 * T;
	cr_assert(worst(&s, 2) > 1.2L);
	s.pick.s *= 2 * T;
	s.noise.r *= T;
	cr_assert(worst(&s, 2) > 1.2L);
	workload_free(&s.w);
}
