/*
 * ladder: counts of intervals, on all pairs of elements: the log ratio of two
 * neighbours is the sum of |change| / scale over all nodes at most.
 */
#include "world.h"
#include "dx/synth/ladder.h"
#include "dx/synth/synth.h"

#include <criterion/criterion.h>

#define MOST 130
#define NODES 1024
#define MARGIN 1e-12L

static long double
worst(const struct ladder *l, const struct metric *m)
{
	long double most = 0, sum, d;
	struct scale t[NODES];
	u128 v;

	cr_assert(l->tree.nodes <= NODES);
	for (size_t k = 0; k < l->tree.nodes; k++)
		cr_assert(ladder_scale(l, &l->tree.node[k], &t[k]));
	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++) {
			if (i == j || !metric_between(m, i, j, &v))
				continue;
			sum = 0;
			for (size_t k = 0; k < l->tree.nodes; k++) {
				const struct tree_node *w = &l->tree.node[k];
				bool a = i >= w->lo && i < w->hi;
				bool b = j >= w->lo && j < w->hi;

				if (a != b && t[k].s > 0)
					sum += (long double)t[k].r / t[k].s;
				/* what is not public has noise */
				if (a != b && t[k].s == 0)
					cr_assert_eq(w->part, 0);
			}
			d = (long double)v * m->unit.num / m->unit.den *
			    l->eps.num / l->eps.den;
			most = sum / d > most ? sum / d : most;
		}
	return most;
}

/* The same of a record that comes or goes, over eps r. */
static long double
worst_coming(const struct ladder *l, long double r)
{
	struct ladder parts = *l;
	long double most = 0, sum;
	struct scale t, more;

	/* of records that have 2^12 parts a part loses a part */
	parts.shift = 12;
	for (size_t i = 0; i < l->tree.n; i++) {
		sum = 0;
		for (size_t k = 0; k < l->tree.nodes; k++) {
			const struct tree_node *w = &l->tree.node[k];

			cr_assert(ladder_scale(l, w, &t));
			cr_assert(ladder_scale(&parts, w, &more));
			cr_assert((u128)more.s * t.r == (u128)t.s * more.r <<
			    parts.shift);
			if (i >= w->lo && i < w->hi && t.s > 0)
				sum += (long double)t.r / t.s;
		}
		sum *= (long double)l->eps.den / l->eps.num / r;
		most = sum > most ? sum : most;
	}
	return most;
}

static struct metric
metric(size_t n, bool line)
{
	static int64_t x[MOST];

	for (int i = 0; i < MOST; i++)
		x[i] = i;
	return line ? (struct metric){ .kind = METRIC_SUM, .n = n, .dims = 1,
	    .x = x, .unit = { 1, 3 } } : (struct metric){ .kind = METRIC_SUM,
	    .bend = METRIC_SMOOTH, .n = n, .bound = 1, .unit = { 1, 1 } };
}

static void
check(bool line)
{
	/* from all for coarse intervals to what noise alone asks for */
	static const double totals[] = { 0, 20, 200, 700, 2000, 1e6 };
	long double w, reached = 0;
	int unequal = 0, uncounted = 0;

	/* one by one, then in steps to where two levels are counted */
	for (size_t n = 2; n <= MOST; n += n < 20 ? 1 : 37)
		for (int k = 0; k < 12; k++) {
			struct ladder l = { .eps = { 3, 7 },
			    .total = totals[k / 2] };
			struct metric m = metric(n, line);
			bool aim = k % 2 > 0;

			cr_assert(ladder_open(&l, &m, aim ? TREE_RANGES :
			    TREE_PREFIXES));
			w = worst(&l, &m);
			cr_assert(w <= 1 + MARGIN, "%zu: %Lf", n, w);
			reached = w > reached ? w : reached;
			unequal += l.tree.levels > 1 &&
			    l.tree.part[1] > l.tree.part[2] &&
			    l.tree.part[2] > 0;
			uncounted += l.tree.levels > 1 &&
			    l.tree.part[l.tree.levels] == 0;
			ladder_close(&l);
		}
	cr_assert(reached > 0.999L, "%Lf", reached);
	cr_assert(line || unequal > 4, "%d", unequal);
	cr_assert(line || uncounted > 20, "%d", uncounted);
}

Test(ladder, counts_of_intervals_are_within_eps_and_reach_it)
{
	check(false);
}

Test(ladder, counts_of_intervals_are_within_eps_d_and_reach_it)
{
	check(true);
}

/* The tree that mwem takes for n elements of this metric where n is hidden. */
static void
check_hidden(struct metric m, long double unit)
{
	struct synth s = { .eps = { 3, 7 }, .total = 200, .variance = 50 };
	long double w, coming, reached = 0, r = (long double)m.away * unit;

	s.u.m = m;
	s.u.hidden = true;
	for (s.u.n = 3; s.u.n <= MOST; s.u.n += s.u.n < 20 ? 1 : 37) {
		struct ladder *l;

		s.u.m.n = s.u.w.n = s.u.n;
		workload_runs(&s.u.w, WORKLOAD_RANGE);
		l = way_tree.open(&s);
		cr_assert(l != NULL && l->tree.branching > 0);
		w = worst(l, &s.u.m);
		coming = worst_coming(l, r);
		w = coming > w ? coming : w;
		cr_assert(w <= 1 + MARGIN, "%zu: %Lf", s.u.n, w);
		reached = w > reached ? w : reached;
		way_tree.close(l);
		workload_free(&s.u.w);
		s.u.w = (struct workload)WORKLOAD_INIT;
	}
	cr_assert(reached > 0.999L, "%Lf", reached);
}

Test(ladder, counts_of_intervals_are_within_eps_where_records_come_and_go)
{
	check_hidden((struct metric){ .kind = METRIC_EDGES, .away = 1,
	    .unit = { 1, 1 } }, 1);
}

/* --presence: nearer than half of the least distance, and farther. */
Test(ladder, counts_of_intervals_are_within_eps_d_and_eps_r)
{
	static int64_t x[MOST];
	struct metric m = { .kind = METRIC_SUM, .dims = 1, .x = x,
	    .unit = { 1, 3 } };

	for (int i = 0; i < MOST; i++)
		x[i] = 4 * i;
	for (m.away = 1; m.away < 5; m.away++)
		check_hidden(m, 1 / 3.0L);
}
