/*
 * quantile: losses, windows and cuts of em-quantile against their definitions,
 * candidate by candidate, and the lazily sorted column against a sorted one.
 */
/* With what is their own there. */
#include "../../cmd/expmech/candidates.c"
#include "../../cmd/expmech/order.c"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "expmech/quantile_tree.h"
#include "number/sort.h"
#include "random/select.h"
#include "samples.h"

#define MOST 24		/* units of weight */
#define VALUES 12	/* of the grid, at most */

/* A small column, its records one by one too. */
struct small {
	struct order order;
	int64_t record[MOST];
	size_t n;
	uint64_t unit;		/* weight of each; above 1 sums leave 64 bits */
};

/* One time in three records weigh as much as 64 bits hold for each value. */
static void
weigh(struct small *s, struct rng *r, uint64_t *w, size_t n)
{
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = w[i] > most ? w[i] : most;
	if (rng_below(r, 3) == 0)
		s->unit = UINT64_MAX / most - rng_below(r, 99);
	for (size_t i = 0; i < n; i++)
		w[i] *= s->unit;
}

static void
make(struct small *s, struct rng *r, size_t n, int64_t lo, uint64_t values)
{
	bool weighted = rng_below(r, 2);
	int64_t *x = malloc((n + 1) * sizeof(*x));
	uint64_t *w = malloc((n + 1) * sizeof(*w));

	s->n = n;
	s->unit = 1;
	for (size_t i = 0; i < n; i++) {
		s->record[i] = lo + (int64_t)rng_below(r, values);
		if (i > 0 && rng_below(r, 3) == 0)
			s->record[i] = s->record[i - 1];
		x[i] = s->record[i];
		w[i] = 1;
	}
	qsort(s->record, n, sizeof(*x), ascending);
	if (weighted && n > 0) {
		sort_pairs(x, w, n);
		n = sort_merge(x, w, n);
		weigh(s, r, w, n);
		order_init(&s->order, x, w, n);
		return;
	}
	free(w);
	order_init(&s->order, x, NULL, n);
}

/*
 * max(b - q n, a - (1 - q) n) times r, records counted one by one; of those
 * tied floor(tau e / T) are made smaller and the others larger where they are
 * cut.
 */
static i128
defined_loss(const struct small *s, const struct question *q, int64_t v,
    uint64_t tau, u128 *left)
{
	i128 n = (i128)(q->to - q->from), b = 0, a = 0, e = 0, part, u, w;

	for (size_t i = 0; i < s->n; i++) {
		i128 one = i * (u128)s->unit >= q->from &&
		    i * (u128)s->unit < q->to ? s->unit : 0;

		b += s->record[i] < v ? one : 0;
		a += s->record[i] > v ? one : 0;
		e += s->record[i] == v ? one : 0;
	}
	if (q->parts > 0) {
		part = (i128)tau * e / q->parts;
		b += part;
		a += e - part;
		*left = q->from + (u128)b;
	}
	u = q->r * b - q->p * n;
	w = q->r * a - (i128)(q->r - q->p) * n;
	return u > w ? u : w;
}

/* floor(8 |v| / 2^k) - 8 of the 8 places of a power, k counted up. */
static unsigned
defined_place(int64_t v)
{
	unsigned k = 0;

	while (llabs(v) >> (k + 1) > 0)
		k++;
	return 8 * k + (unsigned)(llabs(v) * 8 >> k) % 8;
}

/* S of a value with this loss, over all places, records one by one. */
static i128
defined_tail(const struct small *s, const struct question *q, int64_t v,
    i128 at)
{
	unsigned place = defined_place(v);
	i128 best = (i128)1 << 120, price, one;

	for (unsigned k = 0; k <= place && q->anchor > 0; k++) {
		i128 less = 0, more = 0;

		for (size_t i = 0; i < s->n; i++) {
			bool in = i * (u128)s->unit >= q->from &&
			    i * (u128)s->unit < q->to && s->record[i] != 0;

			less += in && defined_place(s->record[i]) < k;
			more += in && defined_place(s->record[i]) >= k;
		}
		one = (less - more) * (i128)s->unit * q->anchor;
		price = place - k;	/* eighths of a halving of 0.7 t */
		price += price < 64 ? price : 64;
		price = (price < 256 ? price : 256) * 7 * (i128)q->t.s /
		    (80 * (i128)q->t.r);
		one = (one > at ? one : at) + price;
		best = one < best ? one : best;
	}
	return q->anchor > 0 ? best : at;
}

static i128
least(const struct small *s, const struct question *q)
{
	u128 left;
	i128 best = (i128)1 << 100, l;

	for (int64_t v = q->lo; v <= q->hi; v++)
		for (uint32_t tau = 0; tau <= q->parts; tau++) {
			l = defined_tail(s, q, v, defined_loss(s, q, v, tau,
			    &left));
			best = l < best ? l : best;
		}
	return best;
}

/*
 * log2 of 2^(K - k) for 2^k <= |v| < 2^(k + 1), by counting k up; from 2^32 on
 * k is the last of eight.
 */
static unsigned
defined_copies(const struct question *q, int64_t v)
{
	unsigned k = 0;

	while (q->powers > 0 && llabs(v) >> (k + 1) > 0)
		k++;
	for (; k >= 32 && k % 8 != 7 && k + 1 < q->powers; k++)
		;
	return q->powers == 0 ? 0 : q->powers - 1 - k;
}

Test(quantile, the_log_prior_has_the_copies_of_its_definition)
{
	struct question q = { .powers = 63 };

	for (; q.powers > 55; q.powers--)
		for (unsigned k = 0; k < q.powers; k++)
			for (int i = 0; i < 3; i++) {
				int64_t v = ((int64_t)1 << k) - i;

				cr_assert_eq(candidate_copies(&q, v),
				    defined_copies(&q, v));
				cr_assert_eq(candidate_copies(&q, -v),
				    defined_copies(&q, v));
				cr_assert(k > 58 || place_of(-v, TAIL_BITS) ==
				    defined_place(v));
				cr_assert(v == 0 || (place_first(place_of(v,
				    TAIL_BITS), TAIL_BITS) <= llabs(v) &&
				    llabs(v) < place_first(place_of(v,
				    TAIL_BITS) + 1, TAIL_BITS)));
			}
}

/* Every candidate stands once in the runs, with its gap. */
static void
check(struct candidates *c, struct small *s, const struct question *q)
{
	static bool seen[VALUES][20];
	struct select_place at;
	i128 best = least(s, q), gap;
	uint64_t total = 0;
	u128 left, more;

	memset(seen, 0, sizeof(seen));
	candidates_init(c, &s->order, q);
	for (at.run = 0; at.run < c->runs.n; at.run++)
		for (at.place = 0; at.place < c->run[at.run].count;
		    at.place++) {
			const struct select_run *run = &c->run[at.run];
			struct cut cut = candidates_at(c, at);

			cr_assert(cut.value >= q->lo && cut.value <= q->hi &&
			    cut.tau <= q->parts);
			cr_assert_not(seen[cut.value - q->lo][cut.tau]);
			seen[cut.value - q->lo][cut.tau] = true;
			total++;
			gap = defined_tail(s, q, cut.value, defined_loss(s, q,
			    cut.value, cut.tau, &left)) - best;
			if (run->rough) {
				more = (u128)gap - run->gap;
				cr_assert(run->gap >= select_far(&q->t,
				    q->powers > 0) || 4 * more * q->t.r <=
				    q->t.s);
				cr_assert((i128)run->gap <= gap);
				cr_assert(c->runs.gap(c, at) == (u128)gap);
			} else
				cr_assert((i128)run->gap == gap);
			cr_assert_eq(run->copies, defined_copies(q,
			    cut.value));
			candidate_loss(&s->order, q, &cut);
			if (q->parts > 0)
				cr_assert(cut.left == left);
		}
	cr_assert_eq(total, (uint64_t)(q->hi - q->lo + 1) * (q->parts + 1));
}

static struct question
some_question(const struct small *s, struct rng *r, int64_t lo,
    uint64_t values)
{
	static const uint32_t parts[] = { 0, 0, 1, 2, 3, 7, 16 };
	struct question q = { .lo = lo, .hi = lo + (int64_t)values - 1 };
	uint64_t a = rng_below(r, s->n + 1), b = rng_below(r, s->n + 1);

	q.from = a < b ? a : b;
	q.to = a < b ? b : a;
	if (rng_below(r, 3) == 0) {
		q.from = 0;
		q.to = s->n;
	}
	/* a grid that ends at the records' own ends, as after cuts */
	if (q.from < q.to && rng_below(r, 2))
		q.lo = s->record[(size_t)q.from];
	if (q.from < q.to && rng_below(r, 2))
		q.hi = s->record[(size_t)q.to - 1];
	q.from *= s->unit;
	q.to *= s->unit;
	q.r = 2 + (uint32_t)rng_below(r, 9);
	q.p = 1 + (uint32_t)rng_below(r, q.r - 1);
	q.parts = parts[rng_below(r, 7)];
	if (rng_below(r, 2))
		q.powers = 6 + 50 * (unsigned)rng_below(r, 2);
	if (q.powers > 0 && rng_below(r, 2))
		q.anchor = q.p > q.r - q.p ? q.p : q.r / 2;
	/* from all near to a window below one record */
	q.t = (struct scale){ 1 + rng_below(r, 5), 1 + rng_below(r, 2) *
	    rng_below(r, 99) };
	if (rng_below(r, 2))	/* above 1: or many cuts in a rough run */
		q.t.s <<= s->unit > 1 ? 54 : 5;
	return q;
}

Test(quantile, each_candidate_has_the_loss_of_the_definition)
{
	struct candidates c = { .room = 0 };
	struct rng r;

	rng_seeded(&r, 1, "quantile");
	for (int i = 0; i < 60000; i++) {
		uint64_t values = 1 + rng_below(&r, VALUES);
		int64_t lo = (int64_t)rng_below(&r, 9) - 6;
		struct small s;
		struct question q;

		make(&s, &r, rng_below(&r, MOST + 1), lo, values);
		q = some_question(&s, &r, lo, values);
		check(&c, &s, &q);
		order_free(&s.order);
	}
	candidates_free(&c);
}

/*
 * The most that a part loses about a record, and about two that change places,
 * from the sensitivities on either side; relative quantiles, levels.
 */
struct worst {
	double alone, both;
	unsigned height;
};

static struct worst
worst_of(const struct quantile_tree *t, const struct quantile_node *node,
    uint32_t from, uint32_t to)
{
	struct worst low, high;
	double q, most, rate;
	bool tail;
	uint32_t level;

	if (node == NULL)
		return (struct worst){ 0, 0, 0 };
	level = t->level[node - t->node];
	cr_assert_eq((uint64_t)node->p * (to - from),
	    (uint64_t)(level - from) * node->r);
	low = worst_of(t, node->below[0], from, level);
	high = worst_of(t, node->below[1], level, to);
	q = (double)node->p / node->r;
	most = fmax(q, 1 - q);
	rate = (double)node->r * (double)node->t.r / (double)node->t.s;
	tail = t->rule.powers > 0 && most > 0.75;
	return (struct worst){ fmax((tail ? most : 1 - q) * rate + low.alone,
	    (tail ? most : q) * rate + high.alone) + most * rate,
	    fmax(2 * rate + low.alone + high.alone, (1 + tail) * rate +
	    fmax(low.both, high.both)),
	    1 + (low.height > high.height ? low.height : high.height) };
}

Test(quantile, the_worst_path_of_the_tree_costs_epsilon)
{
	static const unsigned height[] = { 0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4 };
	static const uint32_t level[] = { 1, 2, 3, 10, 25, 50, 75, 90, 97,
	    98 };
	struct quantile_node node[10];

	for (size_t i = 4; i <= 43; i++) {
		size_t m = i / 4;
		struct quantile_tree t = { .denominator = 100,
		    .level = level, .m = m, .node = node, .rule = { .unit = 1,
		    .swap = i % 2, .eps = { 3, 7 }, .parts = 4,
		    .powers = i / 2 % 2 } };
		struct worst worst;
		double most;

		cr_assert(quantile_plan(&t));
		worst = worst_of(&t, t.root, 0, t.denominator);
		most = t.rule.swap ? worst.both : worst.alone;
		cr_assert(most < 3 / 7. + 1e-12 && most > 3 / 7. - 1e-9, "%f",
		    most);
		cr_assert_eq(worst.height, height[m]);
		cr_assert_eq(quantile_height(m), height[m]);
	}
}

/* Where persons weigh ever more, up to 2^63. */
Test(quantile, scales_are_below_those_that_choices_take_or_there_is_no_plan)
{
	static const uint32_t level[] = { 10, 50, 75 };
	struct quantile_node node[3];
	int planned = 0;

	for (unsigned i = 0; i < 3 * 64; i++) {
		struct quantile_tree t = { .denominator = 100,
		    .level = level, .m = 1 + i % 3, .node = node, .rule = {
		    .unit = (uint64_t)1 << i / 3, .eps = { 1, 1000000007 },
		    .parts = 4 } };

		if (!quantile_plan(&t))
			continue;
		planned++;
		for (size_t k = 0; k < t.m; k++)
			cr_assert(node[k].t.s < SELECT_SCALE &&
			    node[k].t.r < SELECT_SCALE);
	}
	cr_assert(planned > 60 && planned < 120, "%d", planned);
}
