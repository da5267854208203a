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

#include "../stat/laws_of_draws.h"
#include "world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define GRID 4			/* values 0..GRID - 1 */
#define MOST 6			/* records, or units of weight */
#define OUTPUTS 256		/* GRID^m */
#define SHARE_WHOLE ((uint64_t)1 << 20)
#define MARGIN 1e-12L

/* A column as counts of its values, each of so many units of weight. */
struct column_counts {
	unsigned count[GRID];
};

static uint64_t step = 1;

/* The law of one candidate, all its copies, of each run. */
static void
law_of(const struct candidates *c, enum select_kind kind, long double *law)
{
	long double heads[LAW_MOST], sum = 0;
	size_t many[LAW_MOST], n = c->runs.n;

	cr_assert_leq(n, LAW_MOST);
	for (size_t i = 0; i < n; i++) {
		cr_assert_not(c->run[i].rough);
		heads[i] = expl(-(long double)c->run[i].gap * c->runs.t.r /
		    c->runs.t.s);
		many[i] = c->run[i].count << c->run[i].copies;
		sum += heads[i] * (long double)many[i];
	}
	if (kind == SELECT_FLIP)
		law_flip(heads, many, n, law);
	for (size_t i = 0; i < n; i++) {
		law[i] = kind == SELECT_FLIP ? law[i] : heads[i] / sum;
		law[i] *= ldexpl(1, (int)c->run[i].copies);
	}
}

/* The questions that follow, each after the other. */
struct todo {
	const struct quantile_node *node;
	struct question q;
};

/* Adds `weight' times the law of the answers to what is to do. */
static void
enumerate(const struct quantile_tree *t, struct order *o, struct todo *todo,
    size_t n, unsigned output, long double weight, long double *law)
{
	struct candidates c = { .room = 0 };
	struct select_place at;
	struct question q, below[2];
	const struct quantile_node *node;
	long double each[LAW_MOST];
	unsigned place = 1;

	while (n > 0 && todo[n - 1].node == NULL)
		n--;
	if (n == 0) {
		law[output] += weight;
		return;
	}
	node = todo[n - 1].node;
	q = quantile_question(t, node, todo[n - 1].q);
	for (const struct quantile_node *k = t->node; k < node; k++)
		place *= GRID;
	candidates_init(&c, o, &q);
	law_of(&c, t->rule.kind, each);
	for (at.run = 0; at.run < c.runs.n; at.run++)
		for (at.place = 0; at.place < c.run[at.run].count;
		    at.place++) {
			struct todo then[8];
			struct cut cut = candidates_at(&c, at);

			candidate_loss(o, &q, &cut);
			quantile_cut(&q, &cut, below);
			memcpy(then, todo, (n - 1) * sizeof(*todo));
			for (size_t k = 0; k < 2; k++)
				then[n - 1 + k] = (struct todo){
				    node->below[k], below[k] };
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
	struct todo all = { t->root, { 0 } };
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

	cr_assert(quantile_plan(t));
	laws = malloc((size_t)n * OUTPUTS * sizeof(*laws));
	for (unsigned code = 0; code < n; code++)
		if (column_of(code, most, &c))
			tree_law(t, &c, laws + (size_t)code * OUTPUTS);
	for (unsigned code = 0; code < n; code++)
		each_neighbour(code, most, t, count);
	free(laws);
}

/* Quantiles level / denominator; 0: no more. */
struct list {
	uint32_t denominator, level[3];
};

#define LISTS 5

static const struct list single[LISTS] = { { 2, { 1 } }, { 4, { 1 } },
    { 3, { 2 } }, { 10, { 9 } }, { 100, { 1 } } };
static const struct list several[LISTS] = { { 10, { 1, 2, 3 } },
    { 10, { 1, 9 } }, { 10, { 2, 5, 8 } }, { 10, { 3, 5 } },
    { 10, { 3, 7 } } };
static const struct rational budgets[] = { { 1, 1 }, { 3, 1 }, { 1, 10 } };

static struct quantile_tree
tree_of(const struct list *l, struct quantile_rule rule,
    struct quantile_node *node)
{
	size_t m = 1;

	while (m < 3 && l->level[m] > 0)
		m++;
	return (struct quantile_tree){ .denominator = l->denominator,
	    .level = l->level, .m = m, .node = node, .rule = rule };
}

static void
audit_list(const struct list *l, struct quantile_rule rule, unsigned most,
    struct audit_count *count)
{
	struct quantile_node node[3];
	struct quantile_tree t = tree_of(l, rule, node);

	audit_tree(&t, most, count);
}

static void
finish(const char *what, const struct audit_count *count, long double least)
{
	audit_finish(what, count, false);
	cr_assert_gt(count->worst, least, "%s: %Lf", what, count->worst);
}

/* [DMNS06 Theorem 2], [MS20 Theorem 1] One quantile. */
static void
one_quantile(const char *what, struct quantile_rule rule, long double least)
{
	struct audit_count count = { 0 };

	rule.parts = CUT_PARTS;
	for (size_t i = 0; i < LISTS; i++)
		for (size_t e = 0; e < 3; e++) {
			rule.eps = budgets[e];
			audit_list(&single[i], rule, MOST, &count);
		}
	finish(what, &count, least);
}

static const struct quantile_rule exponential = { .unit = 1,
    .kind = SELECT_EXPONENTIAL }, flip = { .unit = 1, .kind = SELECT_FLIP };

static struct quantile_rule
swapped(struct quantile_rule rule)
{
	rule.swap = true;
	return rule;
}

Test(quantile, one_quantile_costs_epsilon_add_remove)
{
	one_quantile("em-quantile, exponential", exponential, 0.9L);
	one_quantile("em-quantile, permute-and-flip", flip, 0.999L);
}

Test(quantile, one_quantile_costs_epsilon_swap)
{
	one_quantile("em-quantile, exponential, swap", swapped(exponential),
	    0.9L);
	one_quantile("em-quantile, permute-and-flip, swap", swapped(flip),
	    0.999L);
}

/* A unit of privacy of weight 2 may be spread over two values. */
static const struct quantile_rule heavy = { .unit = 2, .kind = SELECT_FLIP };

Test(quantile, one_quantile_costs_epsilon_for_people_of_weight_two)
{
	one_quantile("em-quantile, people of weight 2", heavy, 0.999L);
}

/* [KSS22 Algorithm 1] with cuts through ties. */
static void
many_quantiles(const char *what, struct quantile_rule rule, long double least)
{
	struct audit_count count = { 0 };

	rule.eps = (struct rational){ 12, 1 };
	for (int i = 0; i < LISTS; i++)
		for (int kind = 0; kind < 2; kind++)
			for (rule.parts = 1; rule.parts <= 3; rule.parts += 2) {
				bool two = several[i].level[2] == 0;

				rule.kind = (enum select_kind)kind;
				audit_list(&several[i], rule, rule.unit == 2 ||
				    (rule.swap && two) ? 7 : 4, &count);
			}
	finish(what, &count, least);
}

Test(quantile, many_quantiles_cost_epsilon_add_remove)
{
	many_quantiles("em-quantile, two and three quantiles", flip, 0.95L);
}

Test(quantile, many_quantiles_cost_epsilon_for_people_of_weight_two)
{
	many_quantiles("em-quantile, two and three, weight 2", heavy, 0.9L);
}

/* The values 0 to 3 with 4, 4, 2 and 2 copies: the prior of a grid up to 4. */
Test(quantile, the_log_prior_costs_epsilon)
{
	struct quantile_rule prior = flip, plain = exponential;

	prior.powers = plain.powers = 3;
	one_quantile("em-quantile, log prior, exponential", plain, 0.9L);
	one_quantile("em-quantile, log prior", prior, 0.999L);
	one_quantile("em-quantile, log prior, swap", swapped(prior), 0.999L);
	many_quantiles("em-quantile, log prior, several", prior, 0.95L);
	many_quantiles("em-quantile, log prior, several, swap",
	    swapped(prior), 0.95L);
}

/* Records of each value in two neighbours, found by a search. */
Test(quantile, some_pairs_reach_epsilon)
{
	static const struct {
		struct list list;
		bool swap;
		struct column_counts of[2];
	} pair[] = { { { 10, { 5, 9 } }, true,
	    { { { 5, 3, 16, 2 } }, { { 5, 4, 16, 1 } } } },
	    { { 10, { 1, 9 } }, true,
	    { { { 2, 13, 15, 1 } }, { { 3, 13, 15, 0 } } } },
	    { { 10, { 2, 5, 8 } }, true,
	    { { { 22, 30, 2, 0 } }, { { 21, 30, 2, 1 } } } },
	    { { 10, { 2, 5, 8 } }, false,
	    { { { 0, 20, 3, 11 } }, { { 0, 20, 3, 12 } } } } };
	struct quantile_rule rule = flip;
	struct quantile_node node[3];

	rule.parts = 1;
	rule.eps = (struct rational){ 6, 1 };
	laws = malloc(2 * OUTPUTS * sizeof(*laws));
	for (size_t i = 0; i < sizeof(pair) / sizeof(*pair); i++) {
		struct audit_count count = { 0 };
		struct quantile_tree t;

		rule.swap = pair[i].swap;
		t = tree_of(&pair[i].list, rule, node);
		cr_assert(quantile_plan(&t));
		for (size_t k = 0; k < 2; k++)
			tree_law(&t, &pair[i].of[k], laws + k * OUTPUTS);
		compare_columns(0, 1, i < 2 ? 16 : 64, 6, &count);
		finish("em-quantile, a pair", &count, 0.99L);
	}
	free(laws);
}

/* [CD20 Definition 7.1] Records with an epsilon below E, by weight. */
Test(quantile, records_with_epsilons_of_their_own_reach_them)
{
	static const struct rational own[] = { { 1, 5 }, { 1, 2 }, { 2, 3 } };
	static const struct list list[] = { { 10, { 5 } }, { 10, { 1, 9 } },
	    { 10, { 2, 5, 8 } } };
	struct quantile_rule rule = { .kind = SELECT_FLIP, .parts = 1,
	    .unit = SHARE_WHOLE, .eps = { 12, 1 } };

	people_parts = 1;
	for (size_t i = 0; i < 9; i++) {
		struct audit_count count = { 0 };
		long double most = world_real(own[i % 3]);
		struct rational e;

		cr_assert(rational_mul(&e, own[i % 3], rule.eps));
		step = shares_own(e, rule.eps, SHARE_WHOLE);
		audit_list(&list[i / 3], rule, 5, &count);
		cr_expect(count.worst <= most + MARGIN && count.worst >
		    (i < 3 ? 1 - 1e-5L : 0.3L) * most, "%zu: %Lf of %Lf", i,
		    count.worst, most);
	}
}

/* --- sp-exec --blocks ---------------------------------------------------- */

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

/*
 * So the laws above, under swap, are those of sp-exec, too: for given coins one
 * record changes the number of one block.
 */
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
