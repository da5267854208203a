/*
 * quantile_tree: several quantiles of one column for one epsilon.
 *
 * [KSS22 Algorithm 1] Kaplan, Schnapp, Stemmer: Differentially Private
 * Approximate Quantiles.  The tree asks the list's middle quantile on the whole
 * grid, and the answer cuts the records.  The tree asks lower quantiles of the
 * records left of the cut, on the grid up to the answer, and higher quantiles
 * of the records right of the cut, on the grid from the answer on.  Between the
 * cuts at q0 and q1 a quantile q is the quantile (q - q0) / (q1 - q0) of the
 * remaining records, so an error in earlier cuts is carried on in part only.
 *
 * A number tau, chosen with the value, cuts ties (candidates.c): a record more
 * or less, wherever the record stands, is one record more or less in exactly
 * one of the two parts.  So a record is in one question on each level of the
 * tree, and in no further question.
 *
 * Privacy.  Of a question's records let weight w go and weight w' come.  Then
 * b - q n moves by q w + (1 - q) w' at most and by (1 - q) w + q w' down,
 * a - (1 - q) n the other way round, and so L by at most
 *	s(w, w') = (w + w') / 2 + |w - w'| |q - 1/2|,
 * which is D w with D = max(q, 1 - q) where nothing comes, and w where as much
 * comes as goes.  With the scale t the question loses 2 s(w, w') / t at most,
 * given the answers above.
 *
 * A unit that goes is spread over the questions on a level with weights that
 * add up to 1 unit, and the parts go down the tree like the records; so does a
 * unit that comes.  In other words: fractions of the one go down paths P from
 * the root, fractions of the other down paths Q.  Pair the fractions in any
 * way.  s of a sum is at most the sum of s, so the loss is at most an average
 * over the pairs, of what a whole unit loses that goes along P while another
 * comes along Q; or, where nothing comes, along P alone, 2 D / t at each
 * question.
 *
 * Add-remove: t = 2 D / e.  The answer v of a question tells on which side of v
 * the unit is: L(v) moves by 1 - q, up or down, where it is to the left, and by
 * q where it is to the right; L of another value moves by D at most the other
 * way.
 * So the question loses (1 - q + D) / t on paths that go left, (q + D) / t on
 * those that go right, by the exponential mechanism and by permute-and-flip
 * [MS20]; and 2 D / t where the path ends.  Along every path these add up to E
 * at most.  Parts of a unit on both sides lose the average.
 *
 * Swap: where P and Q are together a question loses 2 / t, and where they have
 * parted two questions lose 2 D / t and 2 D' / t'.  With t = 4 D / e each of
 * the two loses e / 2, so the two paths from there on lose the sum of e along
 * one; and a question with both of P and Q loses e / 2 D <= e.  At the root P
 * and Q are together: there t = 2 / e.  So the loss is the sum of e along a
 * path at most: E.
 *
 * Two quantiles are a root with one child, where P and Q can be together or one
 * of them alone.  If one is alone, the root loses 2 / t = e, and the child 2 D
 * / t' at most.  If both are in the child, both are on one side of the cut: the
 * loss L of the root's answer stays, and as every other moves by 1 at most, the
 * root loses 1 / t = e / 2, and the child 2 / t' may be 3 e / 2.  So t' is the
 * larger of 2 D / e and 4 / 3 e.
 *
 * The epsilon of a question is the rest of E on the path, divided by the height
 * of the subtree: with nothing saved E / H on the longest paths, and more for
 * the last questions on shorter ones.
 */
#include "quantile_tree.h"

#include "mechanism.h"

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
quantile_middle(const struct quantile_part *a)
{
	return a->from + (a->to - a->from - 1) / 2;
}

struct quantile_part
quantile_low(const struct quantile_tree *t, const struct quantile_part *a)
{
	size_t i = quantile_middle(a);

	return (struct quantile_part){ a->from, i, a->lo, t->level[i] };
}

struct quantile_part
quantile_high(const struct quantile_tree *t, const struct quantile_part *a)
{
	size_t i = quantile_middle(a);

	return (struct quantile_part){ i + 1, a->to, t->level[i], a->hi };
}

/* The scale for a question with this epsilon, in units of r L. */
static bool
tree_scale(const struct quantile_tree *t, struct quantile_node *node, bool root)
{
	const struct quantile_rule *rule = &t->rule;
	uint32_t rest = node->r - node->p, most = node->p > rest ? node->p :
	    rest, thirds = node->r - node->r / 3;
	struct rational two = { 2, 1 }, eps = node->eps;

	if (rule->swap && root)
		most = node->r;
	else if (rule->swap && t->m == 2)
		most = most > thirds ? most : thirds;
	else if (rule->swap && !rational_div(&eps, eps, two))
		return false;
	return mechanism_scale(&node->t, (u128)most * rule->unit, eps) &&
	    node->t.s < SELECT_SCALE && node->t.r < SELECT_SCALE;
}

/* What a path to a side has left; numbers without room count the whole. */
static struct rational
tree_rest(const struct quantile_tree *t, const struct quantile_node *node,
    uint32_t side, struct rational left)
{
	i128 most = FIXED_MOST(node->p, node->r - node->p);
	struct rational loss, rest;

	if (t->rule.swap || !rational_make(&loss, side + most, 2 * most) ||
	    !rational_mul(&loss, loss, node->eps))
		loss = node->eps;
	if (rational_sub(&rest, left, loss) || rational_sub(&rest, left,
	    node->eps))
		return rest;
	return (struct rational){ 0, 1 };
}

/* Plans a part of the list with `left' epsilon on the path. */
static bool
tree_plan(struct quantile_tree *t, struct quantile_part a, struct rational left)
{
	struct quantile_node *node;
	const struct rational height = { quantile_height(a.to - a.from), 1 };

	if (a.from == a.to)
		return true;
	node = &t->node[quantile_middle(&a)];
	node->p = t->level[quantile_middle(&a)] - a.lo;
	node->r = a.hi - a.lo;
	node->inner = a.to - a.from > 1;
	return rational_div(&node->eps, left, height) &&
	    tree_scale(t, node, a.to - a.from == t->m) &&
	    tree_plan(t, quantile_low(t, &a), tree_rest(t, node,
		node->r - node->p, left)) &&
	    tree_plan(t, quantile_high(t, &a), tree_rest(t, node, node->p,
		left));
}

bool
quantile_plan(struct quantile_tree *t)
{
	return tree_plan(t, quantile_all(t), t->rule.eps);
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
	q = quantile_question(w->t, quantile_middle(&a), q);
	cut = candidates_ask(w->c, w->o, &q, w->t->rule.kind, w->rng);
	w->answer[quantile_middle(&a)] = cut.value;
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
