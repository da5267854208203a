/*
 * tree: strategy tree, for prefixes and ranges of an ordered universe.
 *
 * Privacy.  A record that moves from element i to j changes a node's count by 1
 * if the node holds exactly one of i and j, and by 0 if not.
 *
 * Nodes of a tree: on each level every element is in exactly one node, so a
 * level changes by 0 (i and j in one node) or by 2.  With the scale c_l = 2 W /
 * (w_l D) on level l, W the sum of w_l and D at most the smallest distance, the
 * sum of |change| / c over the nodes is at most
 *
 *	sum_l 2 w_l D / (2 W) = D <= d(i,j)	[KPAK20 Theorem 1].
 *
 * The root is not measured: the number of records is public.
 *
 * Open trees, where n is hidden: a record that comes or goes changes one node
 * in a level by one, in the root's too, so with the scale W / (w_l A) the sum
 * is at most A for such a record and 2 A for a move: A = min(R, D / 2) is
 * private, and the root may be measured.  Prefixes are n then, the last counts
 * every record, and a record at i changes p_i = P_n - P_i: 0 for the absent
 * element, whose distance plan knows.
 *
 * Prefixes: prefixes that end between i and j change by one.  With whole
 * numbers P_0 <= P_1 <= ... and the scale c / (P_k - P_(k-1)) for the prefix of
 * k elements the sum is |P_i - P_j| / c, so that c is the scale for a query
 * with the coefficients P: max |P_i - P_j| / d(i,j), which plan works out
 * exactly under any metric.  Where distances add up along the order (step), P =
 * x gives every prefix the least possible noise alone.
 *
 * The choice of shape, branching and parts is made in doubles from the number
 * of elements and the metric; privacy does not depend on the choice.
 */
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/memory.h"

#define PARTS 65536		/* of the budget */
#define LEAST_PART 64		/* a level with less is not measured */
#define BRANCHING 64		/* tried from 2 up, and a single level */
#define FINE 1e-3		/* relative change of a part: the search ends */

size_t
tree_depth(size_t n, size_t branching)
{
	size_t h = 0;

	/* NOLINTNEXTLINE(clang-analyzer-*): branching is at least 2 */
	for (; n > 1; n = (n - 1) / branching + 1)
		h++;
	return h;
}

bool
tree_scale(const struct tree *t, const struct tree_node *v, struct rational *c)
{
	struct rational factor;

	*c = (struct rational){ 0, 1 };
	if (t->own != NULL)
		*c = t->own[v - t->node];
	return t->own != NULL || t->unit.num == 0 || v->part == 0 ||
	    (rational_make(&factor, (i128)t->whole, (i128)v->part) &&
	    upward_mul(c, t->unit, factor));
}

/* Another node. */
static struct tree_node *
add_node(struct tree *t, size_t *room)
{
	t->node = err_grow(t->node, t->nodes, room, sizeof(*t->node));
	return &t->node[t->nodes++];
}

/*
 * A node with s elements has min(s, branching) children whose sizes differ by
 * one at most, the larger first; an element alone is its own child, so that
 * each element is on every level.
 */
static void
grow_nodes(struct tree *t)
{
	size_t room = 0, parts, size, lo, i;
	struct tree_node *v = add_node(t, &room), up;

	*v = (struct tree_node){ .hi = t->n, .part = t->part[0] };
	for (size_t at = 0; at < t->nodes; at++) {
		up = t->node[at];
		if (up.level == t->levels)
			continue;
		size = up.hi - up.lo;
		parts = FIXED_LEAST(size, t->branching);
		t->node[at].child = t->nodes;
		t->node[at].children = parts;
		for (i = 0, lo = up.lo; i < parts; i++) {
			v = add_node(t, &room);
			*v = (struct tree_node){ .lo = lo,
			    .hi = lo + size / parts + (i < size % parts),
			    .level = up.level + 1,
			    .part = t->part[up.level + 1] };
			lo = v->hi;
		}
	}
}

enum plan_result
tree_make(struct tree *t, const uint64_t *part, struct rational least)
{
	struct rational two = { 2, 1 };

	t->levels = tree_depth(t->n, t->branching);
	for (size_t l = !t->open; l <= t->levels; l++) {
		t->part[l] = part[l];
		t->whole += part[l];
	}
	if (!upward_div(&t->unit, two, least))
		return PLAN_RANGE;
	grow_nodes(t);
	return PLAN_OK;
}

/*
 * The expectation for nodes with one size on one level.  Let X be the node's
 * count and G_t the count of the first t elements, of s.  Given X, the least
 * squares value of G_t has the mean a_t X and a variance e_t.
 */
struct outlook {
	double v;		/* variance of X by the subtree and the node
				   itself */
	double a, aa;		/* sums over t of a_t and of a_t^2 */
	double e;		/* sum of e_t */
	double m;		/* variance of the sum of G_t over t, given X */
};

/* Joins the outlooks of a node's children, from the first to the last. */
struct join {
	double all;		/* variance of the children's sum */
	double before;		/* of the children so far */
	double size, rest;	/* elements in this child, in later children */
	double kkv, kv;
	struct outlook o;
};

/*
 * Given X the children's counts have the covariance diag(v) - v v' / V, with V
 * the sum of v, and the means (v / V) X.  A prefix that ends in a child is the
 * sum of the children before and the child's G_t; the sum of the prefixes has
 * the coefficient k = (later elements) + a for this child.
 */
static void
join_child(struct join *j, const struct outlook *c)
{
	double b = j->before, all = j->all, v = c->v, share = v / all, k;
	double start = b / all;

	j->o.e += j->size * b + v * c->aa + c->e -
	    (j->size * b * b + 2 * b * v * c->a + v * v * c->aa) / all;
	j->o.aa += j->size * start * start + 2 * start * share * c->a +
	    share * share * c->aa;
	j->o.a += j->size * start + share * c->a;
	j->o.m += c->m;
	j->rest -= j->size;
	k = j->rest + c->a;
	j->kkv += k * k * v;
	j->kv += k * v;
	j->before += v;
}

/*
 * The outlook for a node with `size` elements; below: for sizes small,
 * small+1.
 */
static struct outlook
look_down(size_t size, size_t branching, double own, size_t small,
    const struct outlook *below)
{
	size_t parts = FIXED_LEAST(size, branching);
	size_t least = size / parts, big = size % parts;
	struct join j = { .rest = (double)size };

	j.all = (double)(parts - big) * below[least - small].v;
	if (big > 0)
		j.all += (double)big * below[least + 1 - small].v;
	for (size_t i = 0; i < parts; i++) {
		j.size = (double)(least + (i < big));
		join_child(&j, &below[least + (i < big) - small]);
	}
	j.o.m += j.kkv - j.kv * j.kv / j.all;
	j.o.v = 1 / (1 / own + 1 / j.all);
	return j.o;
}

/*
 * The mean squared error over prefixes, or over ranges, where a node on level l
 * has noise with this variance (infinite: not measured).  The sizes on a level
 * are n / b^l, rounded down, and 1 more.  Sum and square of the prefixes
 * F_0..F_n give the ranges: the ranges' squares add up to (n+1) sum F^2 - (sum
 * F)^2.  The root's variance is 0 with a public count; without, the variance
 * enters each prefix with a_t^2.
 */
static double
expected(size_t n, size_t branching, size_t levels, const double *variance,
    enum tree_aim aim, bool open)
{
	struct outlook now[2] = { { 0 } }, below[2];
	size_t small[TREE_LEVELS + 1], l, i;
	double d = (double)n;

	for (small[0] = n, l = 1; l <= levels; l++)
		small[l] = small[l - 1] / branching;
	for (i = 0; i < 2; i++)
		below[i] = (struct outlook){ variance[levels], 1, 1, 0, 0 };
	for (l = levels; l-- > 0;) {
		for (i = 0; i < 2; i++)
			if (small[l] + i > 0 && (l > 0 || i == 0))
				now[i] = look_down(small[l] + i, branching,
				    variance[l], small[l + 1], below);
		memcpy(below, now, sizeof(now));
	}
	if (open) {
		below[0].e += below[0].aa * below[0].v;
		below[0].m += below[0].a * below[0].a * below[0].v;
	}
	if (aim == TREE_PREFIXES)
		return below[0].e / d;
	return ((d + 1) * below[0].e - below[0].m) / (d * (d + 1) / 2);
}

/* Tries a part larger and smaller; true after an improvement. */
static bool
vary(const struct tree_search *s, double *w, size_t l, double step,
    double *error)
{
	double old = w[l], e;
	const double tries[] = { old * (1 + step), old / (1 + step) };

	for (size_t i = 0; i < 2; i++) {
		w[l] = tries[i];
		e = s->error(s->arg, w);
		if (e < *error * (1 - s->gain)) {
			*error = e;
			return true;
		}
	}
	w[l] = old;
	return false;
}

double
tree_search(const struct tree_search *s, double *w)
{
	double whole = 0, error;
	bool better;
	size_t l;

	for (l = s->first; l <= s->last; l++)
		w[l] = 1;
	error = s->error(s->arg, w);
	for (double step = 0.7; s->last > s->first && step > s->fine &&
	    error < s->hopeless; step /= 2)
		do
			for (better = false, l = s->first; l <= s->last; l++)
				better = vary(s, w, l, step, &error) || better;
		while (better);
	for (l = s->first; l <= s->last; l++)
		whole += w[l];
	for (l = s->first; l <= s->last; l++) {
		w[l] = floor(w[l] / whole * PARTS + 0.5);
		if (w[l] < s->least)
			w[l] = 0;
	}
	return s->error(s->arg, w);
}

/* A candidate. */
struct candidate {
	size_t n, branching, levels;
	enum tree_aim aim;
	bool open;
	double w[TREE_LEVELS + 1];
	double error;		/* mean squared, in units of the unit */
};

static double
candidate_error(const void *arg, const double *w)
{
	const struct candidate *c = arg;
	double variance[TREE_LEVELS + 1], whole = 0;

	for (size_t l = !c->open; l <= c->levels; l++)
		whole += w[l];
	variance[0] = HUGE_VAL;
	for (size_t l = !c->open; l <= c->levels; l++) {
		variance[l] = HUGE_VAL;
		if (w[l] > 0)
			variance[l] = 2 * whole / w[l] * whole / w[l];
	}
	return expected(c->n, c->branching, c->levels, variance, c->aim,
	    c->open);
}

/* The best tree for elements at least this far apart. */
static enum plan_result
best_tree(struct tree *t, size_t n, enum tree_aim aim, bool open,
    struct rational least)
{
	struct candidate best = { .error = HUGE_VAL }, c;
	struct tree_search s = { .first = !open, .fine = FINE, .gain = 1e-12,
	    .hopeless = HUGE_VAL, .least = LEAST_PART, .error = candidate_error,
	    .arg = &c };
	uint64_t part[TREE_LEVELS + 1] = { 0 };
	enum plan_result r;

	for (size_t b = 2; b <= BRANCHING + 1; b++) {
		c = (struct candidate){ .n = n, .aim = aim, .open = open,
		    .branching = n };
		if (b <= BRANCHING && b < n)
			c.branching = b;
		s.last = c.levels = tree_depth(n, c.branching);
		c.error = tree_search(&s, c.w);
		if (c.error < best.error)
			best = c;
		if (c.branching == n)
			break;
	}
	for (size_t l = !open; l <= best.levels; l++)
		part[l] = (uint64_t)best.w[l];
	*t = (struct tree){ .n = n, .open = open, .branching = best.branching };
	r = tree_make(t, part, least);
	if (r == PLAN_OK)
		t->rms = sqrt(best.error) * (double)t->unit.num /
		    (double)t->unit.den;
	return r;
}

/* The scale for a query with the coefficients P. */
static enum plan_result
slope_of(const struct metric *m, const int64_t *p, struct rational *c,
    struct pair *worst)
{
	struct workload w = { .n = m->n };
	enum plan_result r;

	workload_dense(&w, p, 0);
	r = plan_alone(m, &w, c, worst);
	workload_free(&w);
	return r;
}

/*
 * The prefixes with scales from P, a number for each element, used up; P_n is a
 * mean step beyond the last.
 */
static enum plan_result
separate_prefixes(struct tree *t, const struct metric *m, int64_t *p,
    enum tree_aim aim)
{
	bool open = m->away > 0;
	double d = (double)m->n, sum = 0, c;
	struct tree_node *v;
	enum plan_result r;
	size_t room = 0;
	int64_t end;

	*t = (struct tree){ .n = m->n, .whole = 1, .open = open };
	end = p[t->n - 1] + 1 + p[t->n - 1] / (int64_t)t->n;
	p[t->n] = end;
	for (size_t i = 0; open && i <= t->n; i++)
		p[i] = end - p[i];
	r = slope_of(m, p, &t->unit, &t->worst);
	if (r != PLAN_OK)
		return r;
	c = rational_real(t->unit);
	for (size_t k = 1; k < t->n + open; k++) {
		v = add_node(t, &room);
		*v = (struct tree_node){ .hi = k,
		    /* NOLINTNEXTLINE(clang-analyzer-*): there are n */
		    .part = (uint64_t)llabs(p[k] - p[k - 1]) };
		if (t->unit.num > 0)
			sum += 2 * (c / (double)v->part) *
			    (c / (double)v->part);
	}
	if (aim == TREE_PREFIXES)
		t->rms = sqrt(sum / d);
	else
		t->rms = sqrt(2 * sum / (d + 1));
	return PLAN_OK;
}

/* Takes the other tree over if the expected error is smaller. */
static void
prefer(struct tree *t, struct tree *other, enum plan_result r)
{
	struct tree old = *t;

	if (r == PLAN_OK && other->rms < t->rms) {
		*t = *other;
		*other = old;
	}
	tree_free(other);
}

/*
 * The elements' single coordinate if the elements stand in order, or the
 * elements' places.
 */
static bool
coordinates(const struct metric *m, int64_t *p)
{
	bool up = true, down = true;

	if (!metric_has_points(m->kind) || m->dims != 1)
		return false;
	for (size_t i = 1; i < m->n; i++) {
		up = up && m->x[i] > m->x[i - 1];
		down = down && m->x[i] < m->x[i - 1];
	}
	for (size_t i = 0; i < m->n; i++)
		p[i] = up ? m->x[i] - m->x[0] : m->x[0] - m->x[i];
	return (up || down) && m->n > 0 && p[m->n - 1] < WORKLOAD_MOST / 2;
}

/* metric_nearest twice: each end of a move may change the cost of a level. */
enum plan_result
tree_choose(struct tree *t, const struct metric *m, enum tree_aim aim)
{
	int64_t *p = err_alloc(NULL, m->n + 1, sizeof(*p));
	struct rational least;
	enum plan_result r;
	struct tree other;

	*t = (struct tree){ .n = m->n };
	for (size_t i = 0; i < m->n; i++)
		p[i] = (int64_t)i;
	r = separate_prefixes(t, m, p, aim);
	if (r == PLAN_OK && coordinates(m, p))
		prefer(t, &other, separate_prefixes(&other, m, p, aim));
	if (r == PLAN_OK && t->rms > 0 && metric_nearest(m, 2, &least))
		prefer(t, &other, best_tree(&other, m->n, aim,
		    m->away > 0, least));
	free(p);
	return r;
}

void
tree_free(struct tree *t)
{
	/* NOLINTNEXTLINE(clang-analyzer-*): freed pointers are NULL */
	free(t->node);
	free(t->own);
	t->node = NULL;
	t->own = NULL;
}
