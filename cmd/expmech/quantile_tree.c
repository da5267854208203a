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
 * In a tail (candidates.c) S may move by D on either side of v, and by 1 where
 * both records go to one side: there alone = 2 D + the larger of alone(l) and
 * alone(r), and both = 2 + the largest of alone(l) + alone(r), both(l) and
 * both(r).
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

/* The questions from..to - 1, asked between two levels. */
struct part {
	size_t from, to;
	uint32_t lo, hi;
};

/* Of two in the middle that which leaves the other nearer to its middle. */
static size_t
tree_middle(const struct quantile_tree *t, struct part a)
{
	size_t i = a.from + (a.to - a.from - 1) / 2;
	int64_t low = t->level[i], high, first, last;

	if ((a.to - a.from) % 2 > 0)
		return i;
	high = t->level[i + 1];
	first = (high - low) - (a.hi - high);	/* over a.hi - low */
	last = (high - low) - (low - a.lo);	/* over high - a.lo */
	return i + (llabs(first) * (high - a.lo) > llabs(last) * (a.hi - low));
}

/* What x parts of a cost lose at a rate of 1 / t, rounded up. */
static uint64_t
tree_loss(uint64_t x, struct rational rate)
{
	return (uint64_t)fixed_ceil_div((i128)x * rate.num, rate.den);
}

bool
quantile_tail(const struct quantile_tree *t,
    const struct quantile_node *node)
{
	uint64_t least = FIXED_LEAST(node->p, node->r - node->p);

	return t->rule.powers > 0 && 4 * least < node->r;
}

/* A question's cost for a record on this side. */
static uint64_t
tree_side(const struct quantile_tree *t, const struct quantile_node *node,
    int side)
{
	const uint32_t other[] = { node->r - node->p, node->p };
	i128 most = FIXED_MOST(other[0], other[1]);

	return tree_loss(TREE_PARTS, (struct rational){ most +
	    (quantile_tail(t, node) ? most : other[side]), node->r });
}

/* Its cost for two records on one side. */
static uint64_t
tree_pair(const struct quantile_tree *t, const struct quantile_node *node)
{
	return quantile_tail(t, node) ? 2 * TREE_PARTS : TREE_PARTS;
}

/* Adds the costs of a question to those below. */
static void
tree_cost(const struct quantile_tree *t, struct quantile_node *node)
{
	static const struct quantile_loss none = { 0, 0 };
	struct quantile_loss cost = none;
	uint64_t parted = 2 * TREE_PARTS, alone;

	for (int i = 0; i < 2; i++) {
		const struct quantile_node *n = node->below[i];
		const struct quantile_loss *below = n == NULL ? &none :
		    &n->cost;

		alone = tree_side(t, node, i) + below->alone;
		cost.alone = FIXED_MOST(cost.alone, alone);
		cost.both = FIXED_MOST(cost.both, below->both + tree_pair(t,
		    node));
		parted += below->alone;
	}
	cost.both = FIXED_MOST(cost.both, parted);
	node->cost = cost;
}

/* Lays out the questions of a part; the first, or NULL. */
static struct quantile_node *
tree_lay(struct quantile_tree *t, struct part a)
{
	struct quantile_node *node;
	uint32_t level;
	size_t i;

	if (a.from == a.to)
		return NULL;
	i = tree_middle(t, a);
	node = &t->node[i];
	level = t->level[i];
	node->p = level - a.lo;
	node->r = a.hi - a.lo;
	node->below[0] = tree_lay(t, (struct part){ a.from, i, a.lo, level });
	node->below[1] = tree_lay(t, (struct part){ i + 1, a.to, level, a.hi });
	tree_cost(t, node);
	return node;
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

/* What is left, after a question at this rate, for those on a side. */
static struct quantile_loss
tree_rest(const struct quantile_tree *t, const struct quantile_node *node,
    struct quantile_loss may, struct rational rate, int side)
{
	u128 parted = may.both - tree_loss(2 * TREE_PARTS, rate);

	may.alone -= tree_loss(tree_side(t, node, side), rate);
	may.both -= tree_loss(tree_pair(t, node), rate);
	if (t->rule.swap) {
		parted = parted * node->below[side]->cost.alone /
		    (node->cost.both - 2 * TREE_PARTS);
		may.alone = FIXED_LEAST(may.alone, (uint64_t)parted);
	}
	return may;
}

/* Sets the scales of a question and those below, which may lose so much. */
static bool
tree_spend(const struct quantile_tree *t, struct quantile_node *node,
    struct quantile_loss may)
{
	struct rational rate = { may.alone, node->cost.alone };
	struct rational both = { may.both, node->cost.both };
	bool ok;

	if (t->rule.swap && rational_cmp(both, rate) < 0)
		rate = both;
	ok = tree_scale(t, node, rate);
	for (int i = 0; ok && i < 2; i++)
		if (node->below[i] != NULL)
			ok = tree_spend(t, node->below[i], tree_rest(t, node,
			    may, rate, i));
	return ok;
}

bool
quantile_plan(struct quantile_tree *t)
{
	t->root = tree_lay(t, (struct part){ 0, t->m, 0, t->denominator });
	return tree_spend(t, t->root, (struct quantile_loss){ TREE_PARTS,
	    TREE_PARTS });
}

struct question
quantile_question(const struct quantile_tree *t,
    const struct quantile_node *node, struct question q)
{
	bool last = node->below[0] == NULL && node->below[1] == NULL;

	q.p = node->p;
	q.r = node->r;
	q.t = node->t;
	q.parts = last ? 0 : t->rule.parts;
	q.powers = t->rule.powers;
	q.anchor = t->rule.swap ? q.r / 2 : FIXED_MOST(q.p, q.r - q.p);
	q.anchor *= quantile_tail(t, node);
	return q;
}

void
quantile_cut(const struct question *q, const struct cut *cut,
    struct question below[2])
{
	below[0] = below[1] = *q;
	below[0].to = below[1].from = cut->left;
	below[0].hi = below[1].lo = cut->value;
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
tree_ask(const struct asked *w, const struct quantile_node *node,
    struct question q)
{
	struct question below[2];
	struct cut cut;

	if (node == NULL)
		return;
	q = quantile_question(w->t, node, q);
	cut = candidates_ask(w->c, w->o, &q, w->t->rule.kind, w->rng);
	w->answer[node - w->t->node] = cut.value;
	quantile_cut(&q, &cut, below);
	tree_ask(w, node->below[0], below[0]);
	tree_ask(w, node->below[1], below[1]);
}

void
quantile_ask(const struct quantile_tree *t, struct candidates *c,
    const struct order *o, int64_t lo, int64_t hi, struct rng *r,
    int64_t *answer)
{
	const struct asked w = { t, c, o, r, answer };

	tree_ask(&w, t->root, (struct question){ .to = o->total, .lo = lo,
	    .hi = hi });
}
