/*
 * tree_fit: least squares over a tree's noisy counts, and the errors.
 *
 * In one pass up and one down (Hay, Rastogi, Miklau, Suciu 2010, here for
 * levels with unequal noise).  On the way up a node with the noise variance s^2
 * whose children's estimates z have the variances v, V together, becomes
 *
 *	z = (y / s^2 + (sum z) / V) / (1 / s^2 + 1 / V),
 *	v = 1 / (1 / s^2 + 1 / V),
 *
 * the best estimate from the subtree.  On the way down the root is the public
 * total (in an open tree the estimate), and a parent's surplus over the
 * children is shared out in proportion to the variances: x = z + (x_parent -
 * sum z) v / V.  These steps solve the normal equations along the tree, so the
 * result is the least squares solution among counts that add up.
 *
 * Given the parent's count X the children's counts have the covariance diag(v)
 * - v v' / V, and beyond X subtrees are independent.  A query is (coefficient
 * times X) + (a part independent of X) in each subtree: the two parts are put
 * together from the leaves up.
 *
 * Prefixes with separate noise are independent: nothing is to be fitted.
 */
#include "dx/plan/tree.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"

/* The variance of a node's noise. */
static double
node_variance(const struct tree *t, const struct tree_node *v)
{
	double c;

	if (v->part == 0)
		return HUGE_VAL;
	if (t->own != NULL)
		c = rational_real(t->own[v - t->node]);
	else
		c = rational_real(t->unit) * (double)t->whole / (double)v->part;
	return 2 * c * c;
}

/* The sum over a node's children. */
static double
children(const struct tree_node *v, const double *x)
{
	double sum = 0;

	for (size_t i = 0; i < v->children; i++)
		sum += x[v->child + i];
	return sum;
}

double *
tree_variances(const struct tree *t)
{
	double *v = err_alloc(NULL, t->nodes, sizeof(*v));

	for (size_t i = t->nodes; i-- > 0;) {
		v[i] = node_variance(t, &t->node[i]);
		if (t->node[i].children > 0)
			v[i] = 1 / (1 / v[i] + 1 / children(&t->node[i], v));
	}
	return v;
}

/* From the leaves to the root; z comes in as the noisy counts. */
static void
up(const struct tree *t, const double *variance, double *z)
{
	const struct tree_node *v;
	double own, all;

	for (size_t i = t->nodes; i-- > 0;) {
		v = &t->node[i];
		if (v->children == 0)
			continue;
		own = node_variance(t, v);
		all = children(v, variance);
		if (all > 0)
			z[i] = (z[i] / own + children(v, z) / all) *
			    variance[i];
		else
			z[i] = children(v, z);
	}
}

/* From the root, whose count is known, to the leaves. */
static void
down(const struct tree *t, const double *variance, double *z)
{
	const struct tree_node *v;
	double more, all;

	for (size_t i = 0; i < t->nodes; i++) {
		v = &t->node[i];
		more = z[i] - children(v, z);
		all = children(v, variance);
		if (!(all > 0))
			continue;
		for (size_t k = v->child; k < v->child + v->children; k++)
			z[k] += more * (variance[k] / all);
	}
}

void
tree_fit(const struct tree *t, const double *noisy, double total,
    double *prefix)
{
	double *z = err_alloc(NULL, t->nodes, sizeof(*z)), *variance = NULL;

	prefix[0] = 0;
	for (size_t i = 0; i < t->nodes; i++)
		if (t->node[i].part > 0)
			z[i] = noisy[i];
	if (t->branching > 0) {
		variance = tree_variances(t);
		up(t, variance, z);
		if (!t->open)
			z[0] = total;
		down(t, variance, z);
		for (size_t i = 0; i < t->n; i++)
			prefix[i + 1] = prefix[i] + z[t->nodes - t->n + i];
	} else
		for (size_t i = 0; i < t->nodes; i++)
			prefix[i + 1] = z[i];
	if (!t->open)
		prefix[t->n] = total;
	free(variance);
	free(z);
}

/* A query within a node: the part along the node's count, and the rest. */
struct response {
	double along;
	double variance;
};

/* A query on its way through the tree. */
struct visit {
	const struct tree *t;
	const double *variance;
	const struct tree_query *q;
};

static struct response
respond(const struct visit *x, size_t at)
{
	const struct tree_node *v = &x->t->node[at];
	const struct tree_query *q = x->q;
	double all = 0, kv = 0, kkv = 0, w;
	struct response r = { 0, 0 }, c;

	if (q->q == NULL && (v->hi <= q->first || v->lo > q->last))
		return r;
	if (q->q == NULL && v->lo >= q->first && v->hi <= q->last + 1)
		return (struct response){ 1, 0 };
	if (v->children == 0)
		/* NOLINTNEXTLINE(clang-analyzer-*): no part of a range */
		return (struct response){ q->q[v->lo], 0 };
	for (size_t i = v->child; i < v->child + v->children; i++) {
		c = respond(x, i);
		w = x->variance[i];
		all += w;
		kv += c.along * w;
		kkv += c.along * c.along * w;
		r.variance += c.variance;
	}
	if (all > 0) {
		r.along = kv / all;
		r.variance += fmax(kkv - kv * kv / all, 0);
	}
	return r;
}

/* An element's coefficient. */
static double
query_at(const struct tree_query *q, size_t i)
{
	return q->q != NULL ? q->q[i] : i >= q->first && i <= q->last;
}

/* An element's coefficient minus that of the next. */
static double
query_step(const struct tree *t, const struct tree_query *q, size_t i)
{
	if (i + 1 < t->n)
		return query_at(q, i) - query_at(q, i + 1);
	return query_at(q, i);
}

/* Over independent prefixes F_k: sum q_i (F_(i+1) - F_i), by prefixes. */
static double
over_row(const struct tree *t, const struct tree_query *q)
{
	double sum = 0, d;

	if (q->q == NULL && q->first > 0)
		sum += node_variance(t, &t->node[q->first - 1]);
	if (q->q == NULL && q->last < t->nodes)
		sum += node_variance(t, &t->node[q->last]);
	if (q->q == NULL)
		return sum;
	for (size_t k = 1; k <= t->nodes; k++) {
		d = query_step(t, q, k - 1);
		if (d != 0)
			sum += d * d * node_variance(t, &t->node[k - 1]);
	}
	return sum;
}

double
tree_variance(const struct tree *t, const double *variance,
    const struct tree_query *q)
{
	const struct visit x = { t, variance, q };
	struct response r;

	if (t->unit.num == 0 || (t->n < 2 && !t->open))
		return 0;
	if (t->branching == 0)
		return over_row(t, q);
	r = respond(&x, 0);
	if (t->open)
		r.variance += r.along * r.along * variance[0];
	return r.variance;
}

/*
 * Least squares are linear, so the weights come from the two passes in reverse:
 * from the leaves up a node's debt to the parent's surplus, then from the root
 * down the debt to the node's noise.
 */
void
tree_weights(const struct tree *t, const double *variance,
    const struct tree_query *q, double *weight)
{
	const struct tree_node *v;
	double all, sum;
	size_t end;

	if (t->branching == 0) {
		for (size_t i = 0; i < t->nodes; i++)
			weight[i] = query_step(t, q, i);
		return;
	}
	for (size_t i = t->nodes; i-- > 0;) {
		v = &t->node[i];
		all = children(v, variance);
		weight[i] = v->children == 0 ? query_at(q, v->lo) : 0;
		end = v->child;
		if (all > 0)
			end += v->children;
		for (size_t k = v->child; k < end; k++)
			weight[i] += weight[k] * (variance[k] / all);
		for (size_t k = v->child; k < v->child + v->children; k++)
			weight[k] -= weight[i];
	}
	if (!t->open)
		weight[0] = 0;	/* the total is known */
	for (size_t i = 0; i < t->nodes; i++) {
		v = &t->node[i];
		all = children(v, variance);
		if (!(all > 0))
			continue;
		sum = weight[i] * variance[i];
		for (size_t k = v->child; k < v->child + v->children; k++)
			weight[k] += sum / all;
		weight[i] = sum / node_variance(t, v);
	}
}
