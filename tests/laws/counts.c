/*
 * counts: all that noisy counts lose, of intervals, of marginals and of cells,
 * on all pairs of elements between which a record moves, and on all elements at
 * which one comes.
 *
 * Counts are independent, and each count's odds are the largest where it is
 * beyond both exact counts: the log ratio of two neighbours is the sum of
 * |change| / scale over all counts at most, and some output has it.  Counts and
 * scales are the library's; the law of the noise is its definition, in long
 * double.  Tables and answers are made of the noisy counts and public numbers.
 */
#include "metrics.h"
#include "world.h"
#include "dx/plan/plan.h"
#include "dx/plan/tree.h"
#include "dx/synth/ladder.h"
#include "dx/synth/marginals.h"
#include "dx/synth/synth.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define COUNTS 1024
#define MARGIN 1e-12L

/* What is counted with noise: how often a record at each element counts. */
static struct {
	size_t n;
	long double rate[COUNTS];
	int64_t of[COUNTS][METRICS_MOST];
} all;

/* Another count; of records with 2^SYNTH_SHIFT parts a part loses a part. */
static int64_t *
add(struct scale t, struct scale parts)
{
	cr_assert(all.n < COUNTS);
	cr_assert((u128)parts.s * t.r == (u128)t.s * parts.r <<
	    SYNTH_SHIFT);
	all.rate[all.n] = t.s > 0 ? (long double)t.r / t.s : 0;
	return all.of[all.n++];
}

/* eps times the distance of this measure. */
static long double
budget(const struct metric *m, struct rational eps, u128 v)
{
	return (long double)v * m->unit.num / m->unit.den * eps.num / eps.den;
}

static struct audit_count counted;

/* The worst of moves over eps d and of comings over eps R. */
static long double
worst(const struct metric *m, struct rational eps)
{
	long double most = 0, moved, came;
	u128 v;

	for (size_t i = 0; i < m->n; i++)
		for (size_t j = 0; j < m->n; j++, counted.pairs++) {
			moved = came = 0;
			for (size_t k = 0; k < all.n; k++) {
				moved += all.rate[k] * llabs(all.of[k][i] -
				    all.of[k][j]);
				came += all.rate[k] * all.of[k][i];
			}
			if (i != j && metric_between(m, i, j, &v))
				most = fmaxl(most, moved / budget(m, eps, v));
			if (m->away > 0)
				most = fmaxl(most, came / budget(m, eps,
				    m->away));
		}
	counted.outputs = counted.pairs;
	counted.worst = fmaxl(counted.worst, most);
	cr_assert(most <= 1 + MARGIN, "%zu elements: %Lf", m->n, most);
	return most;
}

/* --- intervals ----------------------------------------------------------- */

static void
node(const struct tree *t, const struct tree_node *v, struct scale one,
    struct scale parts)
{
	int64_t *of = add(one, parts);

	/* what is not public has noise */
	cr_assert(one.s > 0 || v->part == 0 || v->hi - v->lo == t->n);
	for (size_t i = 0; i < t->n; i++)
		of[i] = i >= v->lo && i < v->hi;
}

static void
count_ladder(const struct ladder *l)
{
	struct ladder parts = *l;
	struct scale t, more;

	parts.shift = SYNTH_SHIFT;
	all.n = 0;
	for (size_t k = 0; k < l->tree.nodes; k++) {
		cr_assert(ladder_scale(l, &l->tree.node[k], &t));
		cr_assert(ladder_scale(&parts, &l->tree.node[k], &more));
		node(&l->tree, &l->tree.node[k], t, more);
	}
}

/* One by one, then in steps to where two levels are counted. */
static size_t
larger(size_t n)
{
	return n + (n < 20 ? 1 : 37);
}

static void
check_intervals(bool on_line)
{
	/* from all for coarse intervals to what noise alone asks for */
	static const double totals[] = { 0, 20, 200, 700, 2000, 1e6 };
	int unequal = 0, uncounted = 0;
	long double reached = 0;

	for (size_t n = 2; n <= METRICS_MOST; n = larger(n))
		for (int k = 0; k < 12; k++) {
			struct ladder l = { .eps = { 3, 7 },
			    .total = totals[k / 2] };
			struct metric m = on_line ? metrics_line(n, 1) :
			    metrics_plain(n);

			cr_assert(ladder_open(&l, &m, k % 2 > 0 ? TREE_RANGES :
			    TREE_PREFIXES));
			count_ladder(&l);
			reached = fmaxl(reached, worst(&m, l.eps));
			unequal += l.tree.levels > 1 &&
			    l.tree.part[1] > l.tree.part[2] &&
			    l.tree.part[2] > 0;
			uncounted += l.tree.levels > 1 &&
			    l.tree.part[l.tree.levels] == 0;
			tree_free(&l.tree);
		}
	cr_assert(reached > 0.999L, "%Lf", reached);
	cr_assert(on_line || unequal > 4, "%d", unequal);
	cr_assert(on_line || uncounted > 20, "%d", uncounted);
}

Test(counts, intervals_are_within_eps_and_reach_it)
{
	check_intervals(false);
	audit_count_print("mwem, intervals", &counted);
}

Test(counts, intervals_are_within_eps_d_and_reach_it)
{
	check_intervals(true);
	audit_count_print("mwem, intervals on a line", &counted);
}

/* The trees that mwem takes for n elements of this metric where n is hidden. */
static void
check_hidden_intervals(struct metric m)
{
	struct synth s = { .eps = { 3, 7 }, .total = 200, .variance = 50 };
	long double reached = 0;

	for (s.u.n = 3; s.u.n <= METRICS_MOST; s.u.n = larger(s.u.n)) {
		struct ladder *l;

		s.u.hidden = true;
		s.u.m = m;
		s.u.m.n = s.u.w.n = s.u.n;
		workload_runs(&s.u.w, WORKLOAD_RANGE);
		l = way_tree.open(&s, &(double){ 0 });
		cr_assert(l != NULL && l->tree.branching > 0);
		count_ladder(l);
		reached = fmaxl(reached, worst(&s.u.m, s.eps));
		way_tree.close(l);
		workload_free(&s.u.w);
		s.u.w = (struct workload)WORKLOAD_INIT;
	}
	cr_assert(reached > 0.999L, "%Lf", reached);
}

Test(counts, intervals_are_within_eps_where_records_come_and_go)
{
	check_hidden_intervals(metrics_hidden(0));
	audit_count_print("mwem, intervals, n hidden", &counted);
}

/* --presence: nearer than half of the least distance, and farther. */
Test(counts, intervals_are_within_eps_d_and_eps_r)
{
	struct metric m = metrics_line(0, 4);

	for (m.away = 1; m.away < 5; m.away++)
		check_hidden_intervals(m);
	audit_count_print("mwem, intervals, presence", &counted);
}

/*
 * [KPAK20 Definition 2, Theorem 1] dx-laplace --strategy tree, with these parts
 * of the budget on the levels: equal, unequal or none.
 */
Test(counts, trees_of_given_shares_are_within_eps_and_reach_it)
{
	static const uint64_t share[][4] = { { 0, 0, 0, 1 }, { 0, 1, 1, 1 },
	    { 0, 3, 0, 1 }, { 0, 1, 3, 2 }, { 0, 1, 0, 0 } };
	const struct rational eps = { 3, 2 }, one = { 1, 1 };
	struct metric m = metrics_plain(6);

	for (size_t k = 0; k < sizeof(share) / sizeof(share[0]); k++) {
		struct tree t = { .n = m.n, .branching = 2 };
		struct rational c;
		struct scale s, parts;

		cr_assert_eq(tree_make(&t, share[k], one), PLAN_OK);
		all.n = 0;
		for (size_t v = 0; v < t.nodes; v++) {
			/* records have no parts there */
			s = parts = (struct scale){ 0, 1 };
			cr_assert(tree_scale(&t, &t.node[v], &c));
			if (c.num > 0) {
				cr_assert(upward_div(&c, c, eps));
				cr_assert(plan_noise(c, 0, &s));
				parts = s;
				parts.s <<= SYNTH_SHIFT;
			}
			node(&t, &t.node[v], s, parts);
		}
		cr_assert(worst(&m, eps) >= 1 - MARGIN);
		tree_free(&t);
	}
	audit_count_print("dx-laplace, trees", &counted);
}

/* --- marginals ----------------------------------------------------------- */

#define DIMS 3
#define CELLS 8			/* of three attributes of two values */

struct setting {
	struct synth y;		/* of the metric and epsilon */
	struct workload w[DIMS];
	struct normal level[DIMS];
	struct marginals a;
};

static void
make(struct setting *s, struct metric m)
{
	int64_t x[CELLS * DIMS];

	*s = (struct setting){ .y = { .eps = { 3, 2 }, .u = { .m = m,
	    .n = CELLS, .hidden = m.away > 0 } }, .a = { .order = 2 } };
	for (int i = 0; i < CELLS * DIMS; i++)
		x[i] = i / DIMS >> i % DIMS & 1;
	for (size_t l = 0; l < DIMS; l++) {
		s->w[l].n = CELLS;
		workload_marginal(&s->w[l], x, DIMS, l + 1);
		synth_entries(&s->y, &s->w[l], &s->level[l]);
	}
	s->a.p.total = 2;
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

/* Attributes 1, 3 and 2 apart. */
static struct metric
weighted(void)
{
	static int64_t x[CELLS * DIMS];

	for (int i = 0; i < CELLS * DIMS; i++)
		x[i] = (i / DIMS >> i % DIMS & 1) *
		    (i % DIMS == 0 ? 1 : i % DIMS == 1 ? 3 : 2);
	return (struct metric){ .kind = METRIC_SUM, .n = CELLS, .dims = DIMS,
	    .x = x, .unit = { 1, 2 } };
}

/* All cells of a part, each with a record there beside one of element 0. */
static void
count_part(const struct partition *p)
{
	struct partition more = *p;
	int64_t *of[CELLS];

	more.shift = SYNTH_SHIFT;
	for (size_t e = 0; e < p->cells; e++) {
		struct scale t, parts;

		cr_assert(part_scale(p, e, &t));
		cr_assert(part_scale(&more, e, &parts));
		of[e] = add(t, parts);
	}
	for (size_t i = 0; i < CELLS; i++) {
		int64_t x[CELLS] = { 1 }, *count;

		x[i]++;
		count = part_counts(p, x, CELLS);
		for (size_t e = 0; e < p->cells; e++)
			of[e][i] = count[e] - (p->cell[0] == e);
		free(count);
	}
}

/* Every level under this metric is above its least part of epsilon. */
static void
check_marginals(struct metric m, long double first, long double least)
{
	struct setting s;

	make(&s, m);
	for (size_t level = 1; level <= DIMS; level++) {
		s.a.chosen = level;
		marginals_share(&s.a);
		all.n = 0;
		for (size_t k = 0; k < s.a.p.parts; k++) {
			const struct partition *p = &s.a.p.part[k];

			cr_assert_eq(p->share > 0, k >= s.a.first[level - 1] &&
			    k < s.a.first[level]);
			if (p->share > 0)
				count_part(p);
		}
		cr_assert(worst(&m, s.y.eps) > (level == 1 ? first : least));
	}
	unmake(&s);
}

Test(counts, marginals_of_every_level_are_within_eps_and_reach_it)
{
	check_marginals(metrics_plain(CELLS), 0.999L, 0.999L);
	audit_count_print("mwem, marginals", &counted);
}

Test(counts, marginals_of_every_level_are_within_eps_where_records_come)
{
	check_marginals(metrics_hidden(CELLS), 0.999L, 0.999L);
	audit_count_print("mwem, marginals, n hidden", &counted);
}

Test(counts, marginals_of_every_level_are_within_eps_d)
{
	check_marginals(weighted(), 0.43L, 0.6L);
	audit_count_print("mwem, marginals, weighted", &counted);
}

/* --presence: comings bind, moves do, and both. */
Test(counts, marginals_of_every_level_are_within_eps_d_and_eps_r)
{
	struct metric m = weighted();

	for (m.away = 1; m.away < 8; m.away++)
		check_marginals(m, m.away == 1 ? 0.5L : 0.43L,
		    m.away == 1 ? 0.5L : 0.43L);
	audit_count_print("mwem, marginals, presence", &counted);
}

/* Shares add up to no more than the budget, whatever the costs. */
Test(counts, shares_of_marginals_add_up_to_the_budget_at_most)
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

/* --- cells --------------------------------------------------------------- */

Test(counts, all_cells_are_within_eps_d_and_reach_it)
{
	struct metric ways[12] = { metrics_plain(3), metrics_hidden(3) };

	for (size_t k = 2; k < 12; k++) {
		ways[k] = metrics_line(3, 4);
		ways[k].away = k - 2;
	}
	for (size_t k = 0; k < 12; k++) {
		struct synth y = { .eps = { 3, 2 }, .u = { .m = ways[k] } };
		struct scale t, parts;

		all.n = 0;
		cr_assert(synth_cell_scale(&y, 0, &t));
		cr_assert(synth_cell_scale(&y, SYNTH_SHIFT, &parts));
		for (size_t i = 0; i < 3; i++) {
			int64_t *of = add(t, parts);

			for (size_t j = 0; j < 3; j++)
				of[j] = i == j;
		}
		cr_assert(worst(&ways[k], y.eps) >= 1 - MARGIN, "%zu", k);
	}
}
