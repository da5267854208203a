/*
 * marginals: the odds of every transcript on all neighbouring histograms of
 * three attributes of two values, plain and under a metric.
 *
 * A transcript is what the release depends on: counts of single attributes,
 * looks, counts of the marginals that were chosen.  Of the first two a grid of
 * outcomes is gone through, with extremes; of the last, on which nothing more
 * depends, the worst.  Tables, choices and scales are the library's; the law
 * of the noise is its definition, in long double.
 */
#include "count.h"
#include "one_scale.h"
#include "dx/synth/marginals.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "dx/plan/plan.h"

#define N 8
#define DIMS 3
#define RECORDS 2
#define OUTCOMES 3
#define MARGIN 1e-12L

struct setting {
	struct metric m;
	struct workload ones, pairs;
	struct normal single, q;
	struct marginals a;
	struct rational eps;
	uint64_t times;		/* a chosen marginal's share, so often */
};

/* One of two records is at i, or at j; the other elsewhere. */
struct neighbors {
	int64_t x[N], z[N];
	long double d;
};

/* The scale of each cell by its definition. */
static void
scales(const struct setting *s, struct normal *q)
{
	int64_t u[N];

	for (size_t b = 0; b < q->w->blocks; b++)
		for (size_t e = 0; e < q->block[b].entries; e++) {
			for (size_t i = 0; i < N; i++)
				u[i] = (size_t)q->w->block[b].q[i] == e;
			q->c[q->block[b].entry + e] = one_scale(&s->m, u,
			    s->eps);
		}
}

static void
make(struct setting *s, struct metric m)
{
	static const char *const names[] = { "a", "b", "c" };
	int64_t x[N * DIMS];

	*s = (struct setting){ .m = m, .ones = { .n = N }, .pairs = { .n = N },
	    .eps = { 3, 2 }, .a = { .order = 2 }, .times = 1 };
	for (int i = 0; i < N * DIMS; i++)
		x[i] = i / DIMS >> i % DIMS & 1;
	cr_assert(workload_marginal(&s->ones, x, DIMS, 1, names) &&
	    workload_marginal(&s->pairs, x, DIMS, 2, names));
	cr_assert(normal_open(&s->single, &s->ones) &&
	    normal_open(&s->q, &s->pairs));
	scales(s, &s->single);
	scales(s, &s->q);
	cr_assert(marginals_open(&s->a, &s->single, &s->q, RECORDS));
	/* so few records would be worth single attributes only */
	s->a.single = PARTS_WHOLE / 2;
	s->a.look = PARTS_WHOLE / 5;
}

static void
unmake(struct setting *s)
{
	marginals_close(&s->a);
	normal_close(&s->single);
	normal_close(&s->q);
	workload_free(&s->ones);
	workload_free(&s->pairs);
}

/* All neighbours, in both directions; their number. */
static size_t
pairs_of(const struct setting *s, struct neighbors *to)
{
	size_t n = 0;
	u128 v;

	/* the other record: flips of attributes change nothing else */
	for (size_t other = 0; other < N; other += 5)
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < N; j++) {
				struct neighbors *p = &to[n];

				if (i == j || !metric_between(&s->m, i, j, &v))
					continue;
				*p = (struct neighbors){ .x = { 0 } };
				p->x[other]++;
				p->z[other]++;
				p->x[i]++;
				p->z[j]++;
				p->d = (long double)v * s->m.unit.num /
				    s->m.unit.den * s->eps.num / s->eps.den;
				n++;
			}
	return n;
}

/* log of the odds of m, on values f and g, with noise of scale t. */
static long double
odds(int64_t m, int64_t f, int64_t g, const struct scale *t)
{
	return t->s == 0 ? 0 : (long double)(llabs(m - g) - llabs(m - f)) *
	    t->r / t->s;
}

/* The same of all counts of a part; without m of the worst. */
static long double
part_odds(const struct partition *p, const struct neighbors *x,
    const double *m)
{
	int64_t *f = part_counts(p, x->x, N), *g = part_counts(p, x->z, N);
	long double sum = 0;
	struct scale t;

	cr_assert(f != NULL && g != NULL);
	for (size_t e = 0; e < p->cells; e++) {
		cr_assert(part_scale(p, e, &t));
		sum += m == NULL ? fmaxl(odds(f[e], f[e], g[e], &t), 0) :
		    odds((int64_t)m[e], f[e], g[e], &t);
	}
	free(f);
	free(g);
	return sum;
}

/* The outcome of each number in a code. */
static void
decode(unsigned code, const int64_t *outcome, size_t n, double *to)
{
	for (size_t i = 0; i < n; i++, code /= OUTCOMES)
		to[i] = (double)outcome[code % OUTCOMES];
}

/* Shares of single attributes, and the table that follows from outcomes. */
static void
singles(struct setting *s, const double *m, double *y)
{
	static const int64_t none[N];
	struct marginals *a = &s->a;
	struct scale t;

	cr_assert(marginals_singles(a, none, NULL, y));
	for (size_t k = 0; k < a->singles; k++)
		for (size_t e = 0; e < 2; e++) {
			cr_assert(part_scale(&a->p.part[k], e, &t));
			a->p.part[k].count[e] = m[2 * k + e];
			a->p.part[k].variance[e] = 2 *
			    pow((double)t.s / (double)t.r, 2);
		}
	cr_assert(parts_fit(&a->p, y));
}

/* Log ratio of one transcript up to the chosen, over eps d. */
static long double
ratio(const struct setting *s, const struct neighbors *p, const double *m,
    const double *y)
{
	const struct marginals *a = &s->a;
	long double sum = 0;
	struct scale t;
	int64_t f, g;

	for (size_t k = 0; k < a->singles; k++)
		sum += part_odds(&a->p.part[k], p, m + 2 * k);
	for (size_t k = 0; k < a->pairs; k++) {
		cr_assert(marginals_look_scale(a, k, &t) &&
		    marginals_off(a, k, p->x, y, &f) &&
		    marginals_off(a, k, p->z, y, &g));
		sum += odds(a->off[k], f, g, &t);
		if (a->p.part[a->singles + k].share > 0)
			sum += part_odds(&a->p.part[a->singles + k], p, NULL);
	}
	return sum / p->d;
}

static struct audit_count counted;

/* The worst of all transcripts, every step-th. */
static long double
worst(struct setting *s, unsigned step)
{
	static const int64_t count[] = { -40, 1, 40 }, look[] = { 0, 9, 60 };
	static struct neighbors pair[N * N * N];
	size_t pairs = pairs_of(s, pair);
	double m[2 * DIMS], off[DIMS], y[N];
	long double most = 0;

	for (unsigned code = 0; code < 729; code += step) {
		decode(code, count, 2 * DIMS, m);
		singles(s, m, y);
		for (unsigned l = 0; l < 27; l++) {
			decode(l, look, DIMS, off);
			for (size_t k = 0; k < s->a.pairs; k++) {
				s->a.off[k] = (int64_t)off[k];
				s->a.p.part[s->a.singles + k].share = 0;
			}
			marginals_choose(&s->a);
			for (size_t k = 0; k < s->a.pairs; k++)
				s->a.p.part[s->a.singles + k].share *=
				    s->times;
			for (size_t i = 0; i < pairs; i++)
				most = fmaxl(most, ratio(s, &pair[i], m, y));
			counted.outputs += (long long)pairs;
		}
	}
	counted.pairs += (long long)pairs;
	counted.worst = fmaxl(counted.worst, most);
	return most;
}

static struct metric
plain(void)
{
	return (struct metric){ .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = N, .bound = 1, .unit = { 1, 1 } };
}

/* Attributes 1, 3 and 2 apart. */
static struct metric
weighted(void)
{
	static int64_t x[N * DIMS];

	for (int i = 0; i < N * DIMS; i++)
		x[i] = (i / DIMS >> i % DIMS & 1) *
		    (i % DIMS == 0 ? 1 : i % DIMS == 1 ? 3 : 2);
	return (struct metric){ .kind = METRIC_SUM, .n = N, .dims = DIMS,
	    .x = x, .unit = { 1, 2 } };
}

/* Plain differential privacy, on every path of choices. */
Test(marginals, transcripts_are_within_eps_on_every_pair)
{
	struct setting s;
	long double w;

	make(&s, plain());
	w = worst(&s, 17);
	cr_assert(w <= 1 + MARGIN, "%Lf", w);
	/* looks that speak for a choice do not speak for the same neighbor */
	cr_assert(w > 0.86L, "%Lf", w);
	unmake(&s);
	audit_count_print("mwem, marginals", &counted);
}

Test(marginals, transcripts_are_within_eps_d_on_every_pair)
{
	struct setting s;
	long double w;

	make(&s, weighted());
	w = worst(&s, 17);
	cr_assert(w <= 1 + MARGIN, "%Lf", w);
	cr_assert(w > 0.55L, "%Lf", w);
	unmake(&s);
	audit_count_print("mwem, marginals, weighted", &counted);
}

/* Shares add up to no more than the budget, whatever was released. */
Test(marginals, shares_add_up_to_the_budget_at_most)
{
	struct setting s;
	double y[N] = { 0 };
	static const int64_t none[N];

	make(&s, weighted());
	for (uint64_t part = 1; part < 600; part++) {
		uint64_t sum;

		s.a.single = PARTS_WHOLE * part / 1000;
		s.a.look = PARTS_WHOLE * part / 3001;
		cr_assert(marginals_singles(&s.a, none, NULL, y));
		for (size_t k = 0; k < s.a.pairs; k++)
			s.a.off[k] = (int64_t)(part * part * (k + 1) % 97);
		marginals_choose(&s.a);
		sum = s.a.look;
		for (size_t k = 0; k < s.a.p.parts; k++)
			sum += s.a.p.part[k].share;
		cr_assert(sum <= PARTS_WHOLE, "%llu", (unsigned long long)sum);
	}
	unmake(&s);
}

/* The worst counts of all pairs, with so many times their shares. */
static long double
worst_of_every(struct metric m, uint64_t times)
{
	static struct neighbors pair[N * N * N];
	struct setting s;
	long double most = 0, sum;
	size_t pairs;

	make(&s, m);
	pairs = pairs_of(&s, pair);
	marginals_every(&s.a);
	for (size_t k = 0; k < s.a.p.parts; k++) {
		s.a.p.part[k].share *= times;
		cr_assert_eq(s.a.p.part[k].share > 0, k >= s.a.singles);
	}
	for (size_t i = 0; i < pairs; i++) {
		sum = 0;
		for (size_t k = s.a.singles; k < s.a.p.parts; k++)
			sum += part_odds(&s.a.p.part[k], &pair[i], NULL);
		most = fmaxl(most, sum / pair[i].d);
	}
	counted.pairs += (long long)pairs;
	counted.outputs += (long long)pairs;
	counted.worst = fmaxl(counted.worst, times == 1 ? most : 0);
	unmake(&s);
	return most;
}

/* Without looks: counts of all pairs, and their broken twins. */
Test(marginals, counts_of_every_pair_are_within_eps_d_and_reach_it)
{
	long double w = worst_of_every(plain(), 1);

	cr_assert(w <= 1 + MARGIN && w > 0.999L, "%Lf", w);
	w = worst_of_every(weighted(), 1);
	cr_assert(w <= 1 + MARGIN && w > 0.6L, "%Lf", w);
	audit_count_print("mwem, every marginal", &counted);
	cr_assert(worst_of_every(plain(), 2) > 1.9L);
	cr_assert(worst_of_every(weighted(), 2) > 1.2L);
}

/* A large budget, and none but it, leaves no look and no single attribute. */
Test(marginals, what_is_spent_on_follows_from_public_numbers)
{
	struct setting s;
	size_t kinds = 0;

	for (uint64_t n = 1; n < 3000; n *= 3) {
		make(&s, plain());
		marginals_close(&s.a);
		s.a = (struct marginals){ .order = 2 };
		cr_assert(marginals_open(&s.a, &s.single, &s.q, n));
		cr_assert(s.a.every ? s.a.single == 0 && s.a.look == 0 :
		    s.a.single > 0);
		cr_assert(s.a.single + s.a.look <= PARTS_WHOLE);
		kinds |= s.a.every ? 4 : s.a.look > 0 ? 2 : 1;
		unmake(&s);
	}
	cr_assert_eq(kinds, 7, "%zu", kinds);
}

/* Broken twins: each step with too small a scale. */
Test(marginals, a_step_with_too_small_a_scale_is_caught)
{
	struct rational *c[2], whole;
	struct setting s;

	make(&s, plain());
	c[0] = &s.single.c[1];
	c[1] = &s.q.c[2];
	for (int i = 0; i < 2; i++) {
		whole = *c[i];
		cr_assert(rational_make(c[i], whole.num, 9 * whole.den));
		cr_assert(worst(&s, 91) > 1.05L, "%d", i);
		*c[i] = whole;
	}
	cr_assert(worst(&s, 91) <= 1 + MARGIN);
	/* chosen marginals with twice what is left */
	s.times = 2;
	cr_assert(worst(&s, 91) > 1.05L);
	unmake(&s);
}
