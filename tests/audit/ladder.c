/*
 * ladder: counts of intervals, on all pairs of elements: the log ratio of two
 * neighbours is the sum of |change| / scale over all nodes at most.
 */
#include "count.h"
#include "dx/synth/ladder.h"

#include <criterion/criterion.h>

#define MOST 40
#define MARGIN 1e-12L

static long double
worst(const struct ladder *l, const struct metric *m)
{
	long double most = 0, sum, d;
	struct scale t;
	u128 v;

	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++) {
			if (i == j || !metric_between(m, i, j, &v))
				continue;
			sum = 0;
			for (size_t k = 0; k < l->tree.nodes; k++) {
				const struct tree_node *w = &l->tree.node[k];
				bool a = i >= w->lo && i < w->hi;
				bool b = j >= w->lo && j < w->hi;

				cr_assert(ladder_scale(l, w, &t));
				if (a != b && t.s > 0)
					sum += (long double)t.r / t.s;
				/* what is not public has noise */
				cr_assert(a == b || t.s > 0 || w->part == 0);
			}
			d = (long double)v * m->unit.num / m->unit.den *
			    l->eps.num / l->eps.den;
			most = sum / d > most ? sum / d : most;
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
	long double w, reached = 0;

	for (size_t n = 2; n <= MOST; n++)
		for (int aim = 0; aim < 2; aim++) {
			struct ladder l = { .eps = { 3, 7 } };
			struct metric m = metric(n, line);

			cr_assert(ladder_open(&l, &m, aim ? TREE_RANGES :
			    TREE_PREFIXES));
			w = worst(&l, &m);
			cr_assert(w <= 1 + MARGIN, "%zu: %Lf", n, w);
			reached = w > reached ? w : reached;
			ladder_close(&l);
		}
	cr_assert(reached > 0.999L, "%Lf", reached);
}

Test(ladder, counts_of_intervals_are_within_eps_and_reach_it)
{
	check(false);
}

Test(ladder, counts_of_intervals_are_within_eps_d_and_reach_it)
{
	check(true);
}

/* Broken twin: nodes with twice their part. */
Test(ladder, a_node_with_more_than_its_part_is_caught)
{
	struct ladder l = { .eps = { 3, 7 } };
	struct metric m = metric(MOST, false);

	cr_assert(ladder_open(&l, &m, TREE_RANGES));
	for (size_t k = 0; k < l.tree.nodes; k++)
		l.tree.node[k].part *= k % 2 == 0 ? 2 : 1;
	cr_assert(worst(&l, &m) > 1.2L);
	ladder_close(&l);
}
