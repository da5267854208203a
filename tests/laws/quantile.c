/*
 * quantile: the output laws of em-quantile, enumerated for all neighbouring
 * pairs of small columns, ties and weights included.
 *
 * Scales, losses, cuts and what becomes of the records at a cut are the
 * tool's own; the law of a choice is computed from the definitions of the two
 * mechanisms over the candidates, in long double (errors below 10^-15).
 * tests/prop shows that the losses are those of the definition, tests/stat
 * that draws have these laws.
 */
/* With what is its own there. */
#include "../../cmd/expmech/candidates.c"
#include "../../cmd/sp/middle.c"

#include "expmech/quantile_tree.h"
#include "input/shares.h"

#include "world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define GRID 4			/* values 0..GRID - 1 */
#define MOST 6			/* records, or units of weight */
#define NODES 32		/* of Gauss-Legendre: exact up to degree 63 */
#define OUTPUTS 256		/* GRID^m */
#define SHARE_WHOLE ((uint64_t)1 << 20)
#define MARGIN 1e-12L

/* A column as counts of its values, each of so many units of weight. */
struct column_counts {
	unsigned count[GRID];
};

static uint64_t step = 1;
static unsigned powers;		/* of the log prior; 0: uniform */

static long double node_x[NODES], node_w[NODES];

/* Nodes and weights on [0, 1], by Newton's method on the polynomial P_n. */
static void
set_nodes(void)
{
	for (int i = 0; i < NODES; i++) {
		long double x = cosl(3.14159265358979323846L *
		    (i + 0.75L) / (NODES + 0.5L)), p, before, slope, next;

		for (int k = 0; k < 60; k++) {
			before = 1;
			p = x;
			for (int n = 2; n <= NODES; n++) {
				next = ((2 * n - 1) * x * p - (n - 1) *
				    before) / n;
				before = p;
				p = next;
			}
			slope = NODES * (x * p - before) / (x * x - 1);
			x -= p / slope;
		}
		node_x[i] = (1 + x) / 2;
		node_w[i] = 1 / ((1 - x * x) * slope * slope);
	}
}

static long double
copies_of(const struct candidates *c, size_t run)
{
	return ldexpl(1, (int)c->run[run].copies);
}

/*
 * [MS20 Algorithm 1] A candidate of chance p comes first among those that
 * succeed with the chance p int_0^1 prod over the others (1 - p' s) ds: the
 * time s of its place in the order is uniform.
 */
static void
flip_law(const struct candidates *c, const long double *heads,
    long double *law)
{
	for (size_t i = 0; i < c->runs.n; i++)
		law[i] = 0;
	for (int k = 0; k < NODES; k++) {
		long double none = 1;

		for (size_t i = 0; i < c->runs.n; i++)
			none *= powl(1 - heads[i] * node_x[k],
			    (long double)c->run[i].count * copies_of(c, i));
		for (size_t i = 0; i < c->runs.n; i++)
			law[i] += node_w[k] * heads[i] * copies_of(c, i) *
			    none / (1 - heads[i] * node_x[k]);
	}
}

/* [DMNS06 Section 3.3] */
static void
exponential_law(const struct candidates *c, const long double *heads,
    long double *law)
{
	long double sum = 0;

	for (size_t i = 0; i < c->runs.n; i++)
		sum += heads[i] * (long double)c->run[i].count *
		    copies_of(c, i);
	for (size_t i = 0; i < c->runs.n; i++)
		law[i] = heads[i] * copies_of(c, i) / sum;
}

/* The law of one candidate of each run. */
static void
law_of(const struct candidates *c, enum select_kind kind, long double *law)
{
	long double heads[200];

	cr_assert_leq(c->runs.n, 200);
	for (size_t i = 0; i < c->runs.n; i++) {
		cr_assert_not(c->run[i].far);
		heads[i] = expl(-(long double)c->run[i].gap * c->runs.t.r /
		    c->runs.t.s);
	}
	if (kind == SELECT_FLIP)
		flip_law(c, heads, law);
	else
		exponential_law(c, heads, law);
}

/* The questions that follow, each part after the other. */
struct todo {
	struct quantile_part part;
	struct question q;
};

/* Adds `weight' times the law of the answers to what is to do. */
static void
enumerate(const struct quantile_tree *t, struct order *o, struct todo *todo,
    size_t n, unsigned output, long double weight, long double *law)
{
	struct candidates c = { .room = 0 };
	struct select_place at;
	struct question q, low, high;
	struct quantile_part part;
	long double each[200];
	unsigned place = 1;
	size_t i;

	while (n > 0 && todo[n - 1].part.from == todo[n - 1].part.to)
		n--;
	if (n == 0) {
		law[output] += weight;
		return;
	}
	part = todo[n - 1].part;
	i = quantile_middle(&part);
	q = quantile_question(t, i, todo[n - 1].q);
	for (size_t k = 0; k < i; k++)
		place *= GRID;
	candidates_init(&c, o, &q);
	law_of(&c, t->rule.kind, each);
	for (at.run = 0; at.run < c.runs.n; at.run++)
		for (at.place = 0; at.place < c.run[at.run].count;
		    at.place++) {
			struct todo then[8];
			struct cut cut = candidates_at(&c, at);

			candidate_loss(o, &q, &cut);
			quantile_cut(&q, &cut, &low, &high);
			memcpy(then, todo, (n - 1) * sizeof(*todo));
			then[n - 1] = (struct todo){ quantile_low(t, &part),
			    low };
			then[n] = (struct todo){ quantile_high(t, &part),
			    high };
			enumerate(t, o, then, n + 1, output + place *
			    (unsigned)cut.value, weight * each[at.run], law);
		}
	candidates_free(&c);
}

static void
tree_law(const struct quantile_tree *t, const struct column_counts *column,
    long double *law)
{
	int64_t *x = malloc(GRID * sizeof(*x));
	uint64_t *w = malloc(GRID * sizeof(*w));
	struct todo all = { quantile_all(t), { 0 } };
	struct order o;
	size_t n = 0;

	for (int v = 0; v < GRID; v++)
		if (column->count[v] > 0) {
			x[n] = v;
			w[n++] = column->count[v] * step;
		}
	order_init(&o, x, w, n);
	all.q = (struct question){ .to = o.total, .hi = GRID - 1 };
	for (int i = 0; i < OUTPUTS; i++)
		law[i] = 0;
	enumerate(t, &o, &all, 1, 0, 1, law);
	order_free(&o);
}

/* Number of columns of at most `most' units, and the column of a code. */
static unsigned
columns(unsigned most)
{
	unsigned n = 1;

	for (int v = 0; v < GRID; v++)
		n *= most + 1;
	return n;
}

static bool
column_of(unsigned code, unsigned most, struct column_counts *c)
{
	unsigned total = 0;

	for (int v = 0; v < GRID; v++) {
		c->count[v] = code % (most + 1);
		total += c->count[v];
		code /= most + 1;
	}
	return total <= most;
}

static unsigned
code_of(const struct column_counts *c, unsigned most)
{
	unsigned code = 0;

	for (int v = GRID; v-- > 0; )
		code = code * (most + 1) + c->count[v];
	return code;
}

/* The laws of all columns, one after the other. */
static long double *laws;

/* In so many parts a unit of privacy is spread; 0: as it weighs. */
static unsigned people_parts;

static void
compare_columns(unsigned a, unsigned b, size_t outputs, long double eps,
    struct audit_count *count)
{
	const long double *p = laws + (size_t)a * OUTPUTS;
	const long double *q = laws + (size_t)b * OUTPUTS;
	long double sum = 0;

	count->pairs++;
	for (size_t i = 0; i < outputs; i++) {
		sum += p[i];
		if (p[i] == 0 && q[i] == 0)
			continue;
		count->outputs++;
		count->worst = fmaxl(count->worst,
		    fabsl(logl(p[i] / q[i])) / eps);
	}
	cr_assert_lt(fabsl(sum - 1), 1e-12L, "%Lf", sum);
}

/* The column with some units less and some more, if of at most `most'. */
static bool
changed(const struct column_counts *c, const struct column_counts *less,
    const struct column_counts *more, unsigned most, struct column_counts *d)
{
	unsigned total = 0;

	for (int v = 0; v < GRID; v++) {
		if (less->count[v] > c->count[v])
			return false;
		d->count[v] = c->count[v] - less->count[v] + more->count[v];
		total += d->count[v];
	}
	return total <= most;
}

/*
 * All neighbours of a column: one unit of privacy, of weight unit or less and
 * over any values, comes, or under swap is replaced by another.
 */
static void
each_neighbour(unsigned code, unsigned most, const struct quantile_tree *t,
    struct audit_count *count)
{
	long double eps = (long double)t->rule.eps.num / t->rule.eps.den;
	unsigned units = people_parts > 0 ? people_parts :
	    (unsigned)t->rule.unit;
	struct column_counts c, d, less, more;
	size_t outputs = 1;

	for (size_t i = 0; i < t->m; i++)
		outputs *= GRID;
	if (!column_of(code, most, &c))
		return;
	for (unsigned j = 0; j < (t->rule.swap ? columns(units) : 1); j++)
		for (unsigned k = 0; column_of(j, units, &less) &&
		    k < columns(units); k++) {
			if (column_of(k, units, &more) &&
			    changed(&c, &less, &more, most, &d))
				compare_columns(code, code_of(&d, most),
				    outputs, eps, count);
		}
}

static void
audit_tree(struct quantile_tree *t, unsigned most, struct audit_count *count)
{
	struct column_counts c;
	unsigned n = columns(most);

	set_nodes();
	cr_assert(quantile_plan(t));
	t->rule.powers = powers;
	laws = malloc((size_t)n * OUTPUTS * sizeof(*laws));
	for (unsigned code = 0; code < n; code++)
		if (column_of(code, most, &c))
			tree_law(t, &c, laws + (size_t)code * OUTPUTS);
	for (unsigned code = 0; code < n; code++)
		each_neighbour(code, most, t, count);
	free(laws);
}

static const struct {
	uint32_t p, r;
} single[] = { { 1, 2 }, { 1, 4 }, { 2, 3 }, { 9, 10 }, { 1, 100 } };
static const struct rational budgets[] = { { 1, 1 }, { 3, 1 }, { 1, 10 } };

/* [DMNS06 Theorem 2], [MS20 Theorem 1] One quantile. */
static void
one_quantile(bool swap, enum select_kind kind, uint64_t unit, const char *what,
    long double least)
{
	struct audit_count count = { 0 };
	struct quantile_node node[1];

	for (size_t i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		for (size_t e = 0; e < 3; e++) {
			struct quantile_tree t = {
				.denominator = single[i].r,
				.level = &single[i].p, .m = 1, .node = node,
				.rule = { .swap = swap, .kind = kind,
				    .unit = unit, .eps = budgets[e],
				    .parts = CUT_PARTS } };

			audit_tree(&t, MOST, &count);
		}
	audit_finish(what, &count, false);
	cr_assert_gt(count.worst, least, "%Lf", count.worst);
}

Test(quantile, one_quantile_costs_epsilon_add_remove)
{
	one_quantile(false, SELECT_EXPONENTIAL, 1,
	    "em-quantile, exponential", 0.9L);
	one_quantile(false, SELECT_FLIP, 1, "em-quantile, permute-and-flip",
	    0.999L);
}

Test(quantile, one_quantile_costs_epsilon_swap)
{
	one_quantile(true, SELECT_EXPONENTIAL, 1,
	    "em-quantile, exponential, swap", 0.9L);
	one_quantile(true, SELECT_FLIP, 1,
	    "em-quantile, permute-and-flip, swap",
	    0.999L);
}

/* A unit of privacy of weight 2 may be spread over two values. */
Test(quantile, one_quantile_costs_epsilon_for_people_of_weight_two)
{
	one_quantile(false, SELECT_FLIP, 2, "em-quantile, people of weight 2",
	    0.999L);
}

/* [KSS22 Algorithm 1] with cuts through ties. */
static void
many_quantiles(bool swap, uint64_t unit, const char *what, long double least)
{
	static const uint32_t lists[][3] = { { 1, 2, 3 }, { 1, 9, 0 },
	    { 5, 7, 9 }, { 3, 5, 0 }, { 3, 7, 0 } };
	struct audit_count count = { 0 };
	struct quantile_node node[3];

	for (int i = 0; i < 5; i++)
		for (int kind = 0; kind < 2; kind++)
			for (uint32_t parts = 1; parts <= 3; parts += 2) {
				struct quantile_tree t = { .denominator = 10,
				    .level = lists[i], .m = lists[i][2] == 0 ?
				    2 : 3, .node = node, .rule = {
				    .swap = swap,
				    .kind = (enum select_kind)kind,
				    .unit = unit, .eps = { 12, 1 },
				    .parts = parts } };

				audit_tree(&t, unit == 2 ? 5 : swap &&
				    t.m == 2 ? 7 : 4, &count);
			}
	audit_finish(what, &count, false);
	cr_assert_gt(count.worst, least, "%Lf", count.worst);
}

Test(quantile, many_quantiles_cost_epsilon_add_remove)
{
	many_quantiles(false, 1, "em-quantile, two and three quantiles",
	    0.8L);
}

Test(quantile, many_quantiles_cost_epsilon_swap)
{
	many_quantiles(true, 1, "em-quantile, two and three, swap", 0.9L);
}

/* Records of each value, before and after one is replaced by another. */
Test(quantile, some_pairs_under_swap_reach_epsilon)
{
	static const struct {
		uint32_t level[3], eps;
		struct column_counts of[2];
	} pair[] = {
	    { { 5, 9, 0 }, 6, { { { 1, 0, 18, 11 } }, { { 0, 0, 18, 12 } } } },
	    { { 1, 9, 0 }, 3, { { { 6, 26, 30, 1 } }, { { 5, 26, 30, 2 } } } },
	    { { 2, 5, 8 }, 6, { { { 1, 2, 10, 7 } }, { { 0, 2, 10, 8 } } } } };
	struct quantile_node node[3];

	set_nodes();
	laws = malloc(2 * OUTPUTS * sizeof(*laws));
	for (size_t i = 0; i < 3; i++) {
		struct quantile_tree t = { .denominator = 10, .node = node,
			.level = pair[i].level, .m = i < 2 ? 2 : 3,
			.rule = { .swap = true, .kind = SELECT_FLIP, .unit = 1,
			    .eps = { pair[i].eps, 1 }, .parts = 1 } };
		struct audit_count count = { 0 };

		cr_assert(quantile_plan(&t));
		for (size_t k = 0; k < 2; k++)
			tree_law(&t, &pair[i].of[k], laws + k * OUTPUTS);
		compare_columns(0, 1, i < 2 ? 16 : 64, pair[i].eps, &count);
		audit_finish("em-quantile, a pair under swap", &count, false);
		cr_assert_gt(count.worst, 0.99L, "%zu: %Lf", i, count.worst);
	}
	free(laws);
}

Test(quantile, many_quantiles_cost_epsilon_for_people_of_weight_two)
{
	many_quantiles(false, 2, "em-quantile, two and three, weight 2",
	    0.8L);
}

/* The values 0 to 3 with 4, 4, 2 and 2 copies: the prior of a grid up to 4. */
Test(quantile, the_log_prior_costs_epsilon)
{
	powers = 3;
	one_quantile(false, SELECT_EXPONENTIAL, 1,
	    "em-quantile, log prior, exponential",
	    0.9L);
	one_quantile(false, SELECT_FLIP, 1, "em-quantile, log prior", 0.999L);
	one_quantile(true, SELECT_FLIP, 1,
	    "em-quantile, log prior, swap", 0.999L);
	many_quantiles(false, 1, "em-quantile, log prior, several", 0.8L);
	many_quantiles(true, 1, "em-quantile, log prior, several, swap",
	    0.55L);
	powers = 0;
}

/*
 * --per share: people of weight W = 2^20, in quarters over any values, two at
 * most, or in halves where one takes the place of another.
 */
static void
shares(size_t m, bool swap, struct audit_count *count)
{
	static const uint32_t pair[] = { 3, 7 };
	struct quantile_node node[2];

	people_parts = swap ? 2 : 4;
	step = SHARE_WHOLE / people_parts;
	for (size_t i = 0; i < (m == 1 ? 4 : 1); i++)
		for (size_t e = 0; e < 2; e++) {
			struct quantile_tree t = { .m = m, .node = node,
				.denominator = m == 1 ? single[i].r : 10,
				.level = m == 1 ? &single[i].p : pair,
				.rule = { .kind = SELECT_FLIP, .swap = swap,
				    .unit = SHARE_WHOLE, .eps = budgets[e],
				    .parts = 3 } };

			audit_tree(&t, swap ? MOST : 8, count);
		}
	step = 1;
	people_parts = 0;
}

Test(quantile, shares_of_people_cost_epsilon)
{
	static const char *const name[] = { "em-quantile, shares of 2^20",
	    "em-quantile, two, shares of 2^20",
	    "em-quantile, shares of 2^20, swap",
	    "em-quantile, two, shares of 2^20, swap" };
	struct audit_count count[4] = { { 0 } };

	for (size_t i = 0; i < 4; i++) {
		shares(1 + i % 2, i > 1, &count[i]);
		audit_finish(name[i], &count[i], false);
		cr_assert(i % 2 || count[i].worst > 0.999L, "%s: %Lf", name[i],
		    count[i].worst);
	}
}

/* [CD20 Definition 7.1] Records with an epsilon below E, by weight. */
Test(quantile, records_with_epsilons_of_their_own_reach_them)
{
	static const struct rational own[] = { { 1, 5 }, { 1, 2 }, { 2, 3 } };
	static const uint32_t list[][3] = { { 5 }, { 1, 9 }, { 2, 5, 8 } };
	const uint64_t whole = (uint64_t)1 << 20;
	const struct rational eps = { 12, 1 };
	struct quantile_node node[3];

	people_parts = 1;
	for (size_t i = 0; i < 9; i++) {
		struct quantile_tree t = { .m = 1 + i / 3, .node = node,
			.denominator = 10, .level = list[i / 3],
			.rule = { .kind = SELECT_FLIP, .unit = whole,
			    .eps = eps, .parts = 1 } };
		struct audit_count count = { 0 };
		long double most = (long double)own[i % 3].num /
		    own[i % 3].den;
		struct rational e;

		cr_assert(rational_mul(&e, own[i % 3], eps));
		step = shares_own(e, eps, whole);
		audit_tree(&t, 5, &count);
		cr_expect(count.worst <= most + MARGIN && count.worst >
		    (i < 3 ? 1 - 1e-5L : 0.3L) * most, "%zu: %Lf of %Lf", i,
		    count.worst, most);
	}
	step = 1;
	people_parts = 0;
}

/* Weights and the weight of a person times any number: the same law. */
Test(quantile, a_law_does_not_know_the_weight_of_a_person)
{
	static const uint64_t times[] = { 3, 1000, (uint64_t)1 << 20,
	    ((uint64_t)1 << 20) - 1 };
	long double law[OUTPUTS], other[OUTPUTS];
	struct column_counts c;
	struct quantile_node node[1];

	set_nodes();
	for (size_t i = 0; i < 4 * 5; i++)
		for (unsigned code = 0; code < columns(MOST); code++) {
			struct quantile_tree t = { .m = 1, .node = node,
				.denominator = single[i % 5].r,
				.level = &single[i % 5].p,
				.rule = { .kind = SELECT_FLIP, .unit = 2,
				    .eps = { 3, 2 }, .parts = CUT_PARTS } };

			if (!column_of(code, MOST, &c))
				continue;
			cr_assert(quantile_plan(&t));
			tree_law(&t, &c, law);
			step = times[i / 5];
			t.rule.unit *= step;
			cr_assert(quantile_plan(&t));
			tree_law(&t, &c, other);
			step = 1;
			for (size_t j = 0; j < GRID; j++)
				cr_assert_lt(fabsl(law[j] - other[j]), 1e-16L);
		}
}

/* --- sp-exec --blocks ---------------------------------------------------- */

#define BLOCKS 3
#define RECORDS 3		/* of two kinds, the absent one besides */

/* Any command: a table over the counts of both kinds in a block. */
static unsigned
command(unsigned table, const unsigned *kinds)
{
	return (table >> 2 * ((kinds[0] * 3 + kinds[1] * 5) % 8)) % GRID;
}

/*
 * The law of the median over all throws of the coins: record[i] is its kind,
 * from 1, or 0 where there is none.
 */
static void
blocks_law(unsigned table, const unsigned *record, long double *law)
{
	unsigned throws = 1;

	for (unsigned i = 0; i < RECORDS; i++)
		throws *= BLOCKS;
	for (int v = 0; v < GRID; v++)
		law[v] = 0;
	for (unsigned c = 0; c < throws; c++) {
		unsigned kinds[BLOCKS][2] = { { 0 } }, coins = c;
		struct column_counts numbers = { { 0 } };

		for (unsigned i = 0; i < RECORDS; i++, coins /= BLOCKS)
			if (record[i] > 0)
				kinds[coins % BLOCKS][record[i] - 1]++;
		for (unsigned b = 0; b < BLOCKS; b++)
			numbers.count[command(table, kinds[b])]++;
		for (int v = 0; v < GRID; v++)
			law[v] += laws[(size_t)code_of(&numbers, BLOCKS) *
			    OUTPUTS + (size_t)v] / throws;
	}
}

/* All data sets, and those with another kind of record 0, or without it. */
static long double
compare_blocks(unsigned table, long double eps)
{
	long double p[GRID], q[GRID], worst = 0;

	for (unsigned d = 0; d < 27; d++)
		for (unsigned kind = 0; kind < 3; kind++) {
			unsigned a[RECORDS] = { d % 3, d / 3 % 3, d / 9 };

			blocks_law(table, a, p);
			a[0] = kind;
			blocks_law(table, a, q);
			for (int v = 0; v < GRID; v++)
				worst = fmaxl(worst, fabsl(logl(p[v] / q[v])) /
				    eps);
		}
	return worst;
}

/* The scale is that of blocks.c: 4 / E for 2 L. */
static long double
worst_of_blocks(void)
{
	static const uint32_t half = 1;
	struct quantile_node node[1];
	struct quantile_tree t = { .denominator = 2, .level = &half, .m = 1,
	    .node = node, .rule = { .swap = true, .kind = SELECT_FLIP,
	    .unit = 1, .eps = { 1, 1 }, .parts = CUT_PARTS } };
	struct column_counts c;
	long double worst = 0;
	struct rng r;

	set_nodes();
	cr_assert(quantile_plan(&t));
	cr_assert(scale_make(&node[0].t, 4, (struct rational){ 1, 1 }));
	laws = calloc((size_t)columns(BLOCKS) * OUTPUTS, sizeof(*laws));
	for (unsigned code = 0; code < columns(BLOCKS); code++)
		if (column_of(code, BLOCKS, &c))
			tree_law(&t, &c, laws + (size_t)code * OUTPUTS);
	rng_seeded(&r, 1, "blocks");
	for (int i = 0; i < 300; i++)
		worst = fmaxl(worst, compare_blocks((unsigned)rng_below(&r,
		    1 << 16), 1));
	free(laws);
	return worst;
}

Test(quantile, a_command_on_secret_blocks_costs_epsilon)
{
	long double worst = worst_of_blocks();

	cr_assert_leq(worst, 1 + MARGIN, "%Lf", worst);
	cr_assert_gt(worst, 0.5L, "%Lf", worst);
}

/* The gap of a value among the runs of sp-exec, which hold each value once. */
static u128
middle_gap(const struct middle *m, int64_t v)
{
	u128 gap = 0;
	int found = 0;

	for (size_t i = 0; i < m->n; i++)
		if (v >= m->first[i] && v - m->first[i] <
		    (int64_t)m->run[i].count) {
			gap = m->run[i].gap;
			found++;
		}
	cr_assert_eq(found, 1);
	return gap;
}

/* So the laws above are those of sp-exec, too. */
Test(quantile, numbers_of_blocks_have_the_open_rank_distance)
{
	struct column_counts c;

	for (unsigned code = 0; code < columns(MOST); code++) {
		int64_t x[GRID * MOST], *copy;
		struct question q = { .lo = -2, .hi = GRID + 2, .p = 1, .r = 2,
		    .t = { 9, 1 } };
		struct middle m;
		struct order o;
		i128 best;
		size_t k = 0;

		if (!column_of(code, MOST, &c))
			continue;
		for (int v = 0; v < GRID; v++)
			for (unsigned i = 0; i < c.count[v]; i++)
				x[k++] = v;
		copy = err_alloc(NULL, k, sizeof(*copy));
		memcpy(copy, x, k * sizeof(*x));
		order_init(&o, copy, NULL, k);
		q.to = k;
		best = least_loss(&o, &q);
		middle_lay(&m, x, k, q.lo, q.hi);
		for (int64_t v = q.lo; v <= q.hi; v++) {
			struct cut cut = { .value = v };

			cr_assert(middle_gap(&m, v) == (u128)(candidate_loss(
			    &o, &q, &cut) - best));
		}
		free(m.run);
		free(m.first);
		order_free(&o);
	}
}
