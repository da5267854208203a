/*
 * marginals: the odds of the noisy counts on all neighbouring histograms of
 * three attributes of two values, plain and under a metric, whichever level is
 * counted: single attributes, pairs, all cells.
 *
 * All that a release depends on is counts of the parts of one level.  Of the
 * outputs the worst is taken: each count's odds are the largest where it is
 * beyond both exact counts, and counts are independent.  Tables and scales are
 * the library's; the law of the noise is its definition, in long double.
 */
#include "world.h"
#include "dx/synth/marginals.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/synth/synth.h"

#define N 8
#define DIMS 3
#define RECORDS 2
#define MARGIN 1e-12L

struct setting {
	struct synth y;		/* of the metric and epsilon */
	struct workload w[DIMS];
	struct normal level[DIMS];
	struct marginals a;
};

/* One of two records is at i, or at j; the other elsewhere. */
struct twins {
	int64_t x[N], z[N];
	long double d;
};

static void
make(struct setting *s, struct metric m)
{
	int64_t x[N * DIMS];

	*s = (struct setting){ .y = { .eps = { 3, 2 }, .u = { .m = m, .n = N,
	    .hidden = m.away > 0 } }, .a = { .order = 2 } };
	for (int i = 0; i < N * DIMS; i++)
		x[i] = i / DIMS >> i % DIMS & 1;
	for (size_t l = 0; l < DIMS; l++) {
		s->w[l].n = N;
		workload_marginal(&s->w[l], x, DIMS, l + 1);
		synth_entries(&s->y, &s->w[l], &s->level[l]);
	}
	s->a.p.total = (double)RECORDS;
	marginals_open(&s->a, s->level, DIMS);
}

static void
unmake(struct setting *s)
{
	marginals_close(&s->a);
	for (size_t l = 0; l < DIMS; l++) {
		normal_close(&s->level[l]);
		workload_free(&s->w[l]);
	}
}

/* eps times the distance of this measure. */
static long double
budget(const struct setting *s, u128 v)
{
	const struct rational unit = s->y.u.m.unit, eps = s->y.eps;

	return (long double)v * unit.num / unit.den * eps.num / eps.den;
}

/* All neighbours, in both directions; their number. */
static size_t
pairs_of(const struct setting *s, struct twins *to)
{
	size_t n = 0;
	u128 v;

	/* the other record: flips of attributes change nothing else */
	for (size_t other = 0; other < N; other += 5)
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j < N; j++) {
				struct twins *p = &to[n];

				if (i == j || !metric_between(&s->y.u.m, i, j,
				    &v))
					continue;
				*p = (struct twins){ .x = { 0 } };
				p->x[other]++;
				p->z[other]++;
				p->x[i]++;
				p->z[j]++;
				p->d = budget(s, v);
				n++;
			}
	return n;
}

/* log of the odds of the worst count, on values f and g. */
static long double
odds(int64_t f, int64_t g, const struct scale *t)
{
	return t->s == 0 ? 0 : (long double)llabs(f - g) * t->r / t->s;
}

/* The same of all counts of a part. */
static long double
part_odds(const struct partition *p, const struct twins *x)
{
	int64_t *f = part_counts(p, x->x, N), *g = part_counts(p, x->z, N);
	struct partition parts = *p;
	long double sum = 0;
	struct scale t, more;

	/* of records that have 2^12 parts a part loses a part */
	parts.shift = 12;
	cr_assert(f != NULL && g != NULL);
	for (size_t e = 0; e < p->cells; e++) {
		cr_assert(part_scale(p, e, &t));
		cr_assert(part_scale(&parts, e, &more));
		cr_assert((u128)more.s * t.r == (u128)t.s * more.r <<
		    parts.shift);
		sum += odds(f[e], g[e], &t);
	}
	free(f);
	free(g);
	return sum;
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

static struct audit_count counted;

/* The worst counts of a level, over eps d. */
static long double
worst(struct setting *s, size_t level)
{
	static struct twins pair[N * N * N];
	size_t pairs = pairs_of(s, pair);
	long double most = 0, sum;

	s->a.chosen = level;
	marginals_share(&s->a);
	for (size_t i = 0; i < pairs; i++) {
		sum = 0;
		for (size_t k = 0; k < s->a.p.parts; k++) {
			struct partition p = s->a.p.part[k];

			cr_assert_eq(p.share > 0, k >= s->a.first[level - 1] &&
			    k < s->a.first[level]);
			if (p.share > 0)
				sum += part_odds(&p, &pair[i]);
		}
		most = fmaxl(most, sum / pair[i].d);
	}
	counted.pairs += (long long)pairs;
	counted.outputs += (long long)pairs;
	counted.worst = fmaxl(counted.worst, most);
	return most;
}

/* A record more at each element, over eps R: a hidden n. */
static long double
worst_coming(struct setting *s, size_t level)
{
	long double most = 0, sum;

	s->a.chosen = level;
	marginals_share(&s->a);
	for (size_t i = 0; i < N; i++) {
		struct twins pair = { .x = { 1, 0, 2 } };

		memcpy(pair.z, pair.x, sizeof(pair.z));
		pair.z[i]++;
		sum = 0;
		for (size_t k = 0; k < s->a.p.parts; k++) {
			struct partition p = s->a.p.part[k];

			if (p.share > 0)
				sum += part_odds(&p, &pair);
		}
		most = fmaxl(most, sum / budget(s, s->y.u.m.away));
	}
	counted.pairs += N;
	counted.outputs += N;
	counted.worst = fmaxl(counted.worst, most);
	return most;
}

/* Plain differential privacy, all of it used up. */
Test(marginals, counts_of_every_level_are_within_eps_and_reach_it)
{
	struct setting s;

	make(&s, plain());
	for (size_t level = 1; level <= DIMS; level++) {
		long double w = worst(&s, level);

		cr_assert(w <= 1 + MARGIN && w > 0.999L, "%zu: %Lf", level, w);
	}
	unmake(&s);
	audit_count_print("mwem, marginals", &counted);
}

/* Comings, and moves. */
static void
check_hidden(struct metric m, long double least)
{
	struct setting s;
	long double w;

	make(&s, m);
	for (size_t level = 1; level <= DIMS; level++) {
		w = fmaxl(worst_coming(&s, level), worst(&s, level));
		cr_assert(w <= 1 + MARGIN && w > least, "%zu: %Lf", level, w);
	}
	unmake(&s);
}

Test(marginals, counts_of_every_level_are_within_eps_where_records_come)
{
	check_hidden((struct metric){ .kind = METRIC_EDGES, .n = N, .away = 1,
	    .unit = { 1, 1 } }, 0.999L);
	audit_count_print("mwem, marginals, n hidden", &counted);
}

/* --presence: comings bind, moves do, and both. */
Test(marginals, counts_of_every_level_are_within_eps_d_and_eps_r)
{
	struct metric m = weighted();

	for (unsigned r = 1; r < 8; r++) {
		m.away = r;
		check_hidden(m, r == 1 ? 0.5L : 0.43L);
	}
	audit_count_print("mwem, marginals, presence", &counted);
}

Test(marginals, counts_of_every_level_are_within_eps_d)
{
	struct setting s;

	make(&s, weighted());
	for (size_t level = 1; level <= DIMS; level++) {
		long double w = worst(&s, level);

		cr_assert(w <= 1 + MARGIN && w > (level == 1 ? 0.43L :
		    0.6L), "%zu: %Lf", level, w);
	}
	unmake(&s);
	audit_count_print("mwem, marginals, weighted", &counted);
}

/* Shares add up to no more than the budget, whatever the costs. */
Test(marginals, shares_add_up_to_the_budget_at_most)
{
	struct setting s;

	make(&s, weighted());
	for (uint64_t run = 1; run < 600; run++)
		for (size_t level = 1; level <= DIMS; level++) {
			uint64_t sum = 0;

			for (size_t k = 0; k < s.a.p.parts; k++)
				s.a.root[k] = (double)(run * run * (k + 1) %
				    97 + 1);
			s.a.chosen = level;
			marginals_share(&s.a);
			for (size_t k = 0; k < s.a.p.parts; k++)
				sum += s.a.p.part[k].share;
			cr_assert(sum <= PARTS_WHOLE && sum > PARTS_WHOLE -
			    DIMS, "%llu", (unsigned long long)sum);
		}
	unmake(&s);
}

/* Which level is counted follows from n alone here: more records, more. */
Test(marginals, what_is_counted_follows_from_public_numbers)
{
	struct setting s;
	size_t last = 0, levels = 0;

	for (uint64_t n = 1; n < 100000; n *= 3) {
		make(&s, plain());
		s.a.p.total = n;
		marginals_expect(&s.a);
		cr_assert(s.a.chosen >= last && s.a.chosen <= DIMS);
		levels += s.a.chosen > last;
		last = s.a.chosen;
		unmake(&s);
	}
	cr_assert(levels > 1 && last > 1);
}
