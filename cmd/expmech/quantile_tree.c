/*
 * quantile_tree: several quantiles of one column for one epsilon.
 *
 * [KSS22 Algorithm 1] Kaplan, Schnapp, Stemmer: Differentially Private
 * Approximate Quantiles.  The tree asks the list's middle quantile on the
 * whole grid, and the answer cuts the records.  The tree asks lower quantiles
 * of the records left of the cut, on the grid up to the answer, and higher
 * quantiles of the records right of the cut, on the grid from the answer on.
 * Between the cuts at q0 and q1 a quantile q is the quantile (q - q0) / (q1 -
 * q0) of the remaining records, so an error in earlier cuts is carried on in
 * part only.
 *
 * A number tau, chosen with the value, cuts ties (candidates.c): a record more
 * or less, wherever the record stands, is one record more or less in exactly
 * one of the two parts.  So a record is in one question on each level of the
 * tree, and in no further question.
 *
 * Privacy.  A unit that comes, goes or is replaced does so in steps: a record
 * of weight 1 comes, goes or takes the place of another, as many steps at most
 * as a unit weighs.  The loss is at most the sum of the losses of the steps,
 * so a step may lose E over the unit's weight.
 *
 * Alone: a record comes or goes.  The answer v of a question tells on which
 * side of v the record is: L(v) moves by 1 - q, up or down, where the record
 * is to the left, and by q where it is to the right.  L of another value moves
 * by D = max(q, 1 - q) at most the other way.  So with the scale t the
 * question loses (1 - q + D) / t where the record goes left, (q + D) / t where
 * it goes right, by the exponential mechanism and by permute-and-flip [MS20];
 * and 2 D / t at most, the larger of the two, in the last question on the
 * record's path.
 *
 * Both: a record takes the place of another.  While the two are in one
 * question no L moves by more than 1, so the question loses 2 / t at most.
 * Where both go to one side L(v) stays, so the question loses 1 / t.  Where
 * they part, each is alone below.
 *
 * Let t be one scale, in records, for a question and for the parts l and r of
 * the list below.  In units of 1 / t the worst paths cost
 *	alone = max(1 - q + D + alone(l), q + D + alone(r)),
 *	both = max(2 + alone(l) + alone(r), 1 + both(l), 1 + both(r)),
 * where parts without questions cost nothing: 2 D and 2 for a single question.
 *
 * A part of the list may lose a part of E, the whole list all of E.  The
 * part's first question has the scale that would do for the whole part, and l
 * and r may lose what this question has not lost: where paths cost less than
 * the worst, questions further down have smaller scales.  Where two records
 * part, l and r divide what is left by their costs.
 */
#include "quantile_tree.h"

#include <stdlib.h>

/* E, and a cost of 1, in parts: multiples of 1 / denominator are exact. */
#define TREE_PARTS ((uint64_t)t->denominator << 32)

unsigned
quantile_height(size_t m)
{
	unsigned h = 0;

	for (; m > 0; m >>= 1)
		h++;
	return h;
}

struct quantile_part
quantile_all(const struct quantile_tree *t)
{
	return (struct quantile_part){ 0, t->m, 0, t->denominator };
}

size_t
quantile_middle(const struct quantile_tree *t, const struct quantile_part *a)
{
	size_t i = a->from + (a->to - a->from - 1) / 2;
	int64_t low = t->level[i], high, first, last;

	if ((a->to - a->from) % 2 > 0)
		return i;
	high = t->level[i + 1];
	first = (high - low) - (a->hi - high);	/* over a->hi - low */
	last = (high - low) - (low - a->lo);	/* over high - a->lo */
	return i + (llabs(first) * (high - a->lo) > llabs(last) * (a->hi -
	    low));
}

struct quantile_part
quantile_low(const struct quantile_tree *t, const struct quantile_part *a)
{
	size_t i = quantile_middle(t, a);

	return (struct quantile_part){ a->from, i, a->lo, t->level[i] };
}

struct quantile_part
quantile_high(const struct quantile_tree *t, const struct quantile_part *a)
{
	size_t i = quantile_middle(t, a);

	return (struct quantile_part){ i + 1, a->to, t->level[i], a->hi };
}

/* What a part of the list costs with the scale 1. */
static struct quantile_loss
tree_cost(const struct quantile_tree *t, struct quantile_part a)
{
	if (a.from == a.to)
		return (struct quantile_loss){ 0, 0 };
	return t->node[quantile_middle(t, &a)].cost;
}

/* What x parts of a cost lose at a rate of 1 / t, rounded up. */
static uint64_t
tree_loss(uint64_t x, struct rational rate)
{
	return (uint64_t)fixed_ceil_div((i128)x * rate.num, rate.den);
}

/* A question's cost for a record with this share on the other side. */
static uint64_t
tree_side(const struct quantile_tree *t, const struct quantile_node *node,
    uint32_t share)
{
	i128 most = FIXED_MOST(node->p, node->r - node->p);

	return tree_loss(TREE_PARTS, (struct rational){ share + most,
	    node->r });
}

/* Lays a part's questions out, and adds up what they cost. */
static void
tree_lay(struct quantile_tree *t, struct quantile_part a)
{
	struct quantile_node *node;
	struct quantile_loss low, high;

	if (a.from == a.to)
		return;
	node = &t->node[quantile_middle(t, &a)];
	node->p = t->level[quantile_middle(t, &a)] - a.lo;
	node->r = a.hi - a.lo;
	node->inner = a.to - a.from > 1;
	tree_lay(t, quantile_low(t, &a));
	tree_lay(t, quantile_high(t, &a));
	low = tree_cost(t, quantile_low(t, &a));
	high = tree_cost(t, quantile_high(t, &a));
	node->cost.both = FIXED_MOST(low.both, high.both) + TREE_PARTS;
	node->cost.both = FIXED_MOST(node->cost.both, low.alone + high.alone +
	    2 * TREE_PARTS);
	low.alone += tree_side(t, node, node->r - node->p);
	high.alone += tree_side(t, node, node->p);
	node->cost.alone = FIXED_MOST(low.alone, high.alone);
}

/* The scale for r L: r units at this rate, rounded up where it has no room. */
static bool
tree_scale(const struct quantile_tree *t, struct quantile_node *node,
    struct rational rate)
{
	struct rational scale = { (i128)node->r * (i128)t->rule.unit, 1 };

	if (!rational_div(&scale, scale, rate) ||
	    !rational_div(&scale, scale, t->rule.eps))
		return false;
	for (; FIXED_MOST(scale.num, scale.den) >= (i128)SELECT_SCALE;
	    scale.den /= 2)
		scale.num = scale.num / 2 + scale.num % 2;
	return scale_make(&node->t, (u128)scale.num,
	    (struct rational){ scale.den, 1 });
}

/* What a side of this cost may lose, of what the question has left. */
static struct quantile_loss
tree_rest(const struct quantile_tree *t, const struct quantile_node *node,
    struct rational rate, uint32_t share, uint64_t cost)
{
	struct quantile_loss rest = { node->may.alone - tree_loss(tree_side(t,
	    node, share), rate), node->may.both - tree_loss(TREE_PARTS, rate) };
	uint64_t parted = node->may.both - tree_loss(2 * TREE_PARTS, rate);

	if (t->rule.swap && node->inner) {
		parted = (uint64_t)((u128)parted * cost / (node->cost.both -
		    2 * TREE_PARTS));
		rest.alone = FIXED_LEAST(rest.alone, parted);
	}
	return rest;
}

/* Sets the scales of a part that may lose so much. */
static bool
tree_spend(struct quantile_tree *t, struct quantile_part a,
    struct quantile_loss may)
{
	struct quantile_part low, high;
	struct quantile_node *node;
	struct rational rate, both;

	if (a.from == a.to)
		return true;
	node = &t->node[quantile_middle(t, &a)];
	node->may = may;
	rate = (struct rational){ may.alone, node->cost.alone };
	both = (struct rational){ may.both, node->cost.both };
	if (t->rule.swap && rational_cmp(both, rate) < 0)
		rate = both;
	low = quantile_low(t, &a);
	high = quantile_high(t, &a);
	return tree_scale(t, node, rate) &&
	    tree_spend(t, low, tree_rest(t, node, rate, node->r - node->p,
		tree_cost(t, low).alone)) &&
	    tree_spend(t, high, tree_rest(t, node, rate, node->p,
		tree_cost(t, high).alone));
}

bool
quantile_plan(struct quantile_tree *t)
{
	tree_lay(t, quantile_all(t));
	return tree_spend(t, quantile_all(t), (struct quantile_loss){
	    TREE_PARTS, TREE_PARTS });
}

struct question
quantile_question(const struct quantile_tree *t, size_t i, struct question q)
{
	const struct quantile_node *node = &t->node[i];

	q.p = node->p;
	q.r = node->r;
	q.t = node->t;
	q.parts = node->inner ? t->rule.parts : 0;
	q.powers = t->rule.powers;
	return q;
}

void
quantile_cut(const struct question *q, const struct cut *cut,
    struct question *low, struct question *high)
{
	*low = *high = *q;
	low->to = cut->left;
	low->hi = cut->value;
	high->from = cut->left;
	high->lo = cut->value;
}

/* The state of quantile_ask. */
struct asked {
	const struct quantile_tree *t;
	struct candidates *c;
	const struct order *o;
	struct rng *rng;
	int64_t *answer;
};

/* A question and the questions below. */
static void
tree_ask(const struct asked *w, struct quantile_part a, struct question q)
{
	struct question low, high;
	struct cut cut;

	if (a.from == a.to)
		return;
	q = quantile_question(w->t, quantile_middle(w->t, &a), q);
	cut = candidates_ask(w->c, w->o, &q, w->t->rule.kind, w->rng);
	w->answer[quantile_middle(w->t, &a)] = cut.value;
	quantile_cut(&q, &cut, &low, &high);
	tree_ask(w, quantile_low(w->t, &a), low);
	tree_ask(w, quantile_high(w->t, &a), high);
}

void
quantile_ask(const struct quantile_tree *t, struct candidates *c,
    const struct order *o, int64_t lo, int64_t hi, struct rng *r,
    int64_t *answer)
{
	struct asked w = { t, c, o, r, answer };
	struct question q = { .from = 0, .to = o->total, .lo = lo,
	    .hi = hi };

	tree_ask(&w, quantile_all(t), q);
}
