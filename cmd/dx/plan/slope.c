/*
 * slope: the pair of elements where queries are steepest.
 *
 * Method.  Two boxes bound the pairs between by every query's widest difference
 * over the smallest distance; boxes that cannot beat the best pair so far are
 * not opened.  Near pairs are looked at first, as close boxes have the larger
 * bound.
 *
 * Guarantee.  Doubles decide, on exact integer differences: every load is
 * computed within a relative error of (k + dims + 8) 2^-53, so that no load
 * truly exceeds the found load by more than s->error (twice this error).
 * slope_exact decides among the pairs within 2^-40 of the best in integers, and
 * leaves out a box only if the box's bound, in integers, is not better.
 */
#include "slope.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "slope_tree.h"

#define NEAR 0x1p-40

/* A walk over pairs of nodes; with `best' loads are fractions, too. */
struct search {
	const struct slope *s;
	struct steep *a;
	double widest;		/* bound for numerators in the current leaves */
	const int64_t *mult;	/* the rates */
	struct ratio *best;	/* or NULL */
};

/* Loads up to this do not matter any more. */
static double
threshold(const struct steep *a)
{
	if (a->load <= a->floor)
		return a->floor;
	return a->floor + a->keep * (a->load - a->floor);
}

/* A bound for the numerators between two nodes; 0 where `need` is equal. */
static double
wide(const struct search *x, size_t a, size_t b)
{
	const struct slope *s = x->s;
	double sum = 0;

	if (x->a->need != SLOPE_NONE && slope_span(s, a, b, x->a->need) <= 0)
		return 0;
	for (size_t u = 0; u < s->uses; u++)
		sum += x->a->rate[s->use[u]] *
		    (double)slope_span(s, a, b, s->use[u]);
	return sum;
}

/* A bound for the loads between two nodes; 0 where none of them matters. */
static double
enter(const struct search *x, size_t a, size_t b)
{
	double num = wide(x, a, b), bound;
	struct ratio r = { 0, 0, { 0, 0 } };
	size_t k;

	if (num <= 0 || !slope_gap(x->s, a, b, &r.measure))
		return 0;
	bound = num / metric_real(x->s->m, r.measure);	/* of 0: infinite */
	if (!(bound > threshold(x->a)))
		return 0;
	if (x->best == NULL)
		return bound;
	for (size_t u = 0; u < x->s->uses; u++) {
		k = x->s->use[u];
		r.num += (u128)(x->mult[k] * (i128)slope_span(x->s, a, b, k));
	}
	if (ratio_cmp(&r, x->best, metric_squared(x->s->m)) <= 0)
		return 0;
	return bound;
}

/* The coefficients of an element. */
static const int64_t *
element(const struct slope *s, size_t i)
{
	return i == SLOPE_ABSENT ? s->zero : s->q + i * s->k;
}

static void
record_pair(struct steep *a, struct pair p, double load)
{
	size_t at = a->count, i;

	if (a->count < SLOPE_TOP)
		a->count++;
	else
		for (at = SLOPE_TOP - 1, i = 1; i < SLOPE_TOP; i++)
			if (a->value[i] < a->value[at])
				at = i;
	a->pair[at] = p;
	a->value[at] = load;
	if (load > a->load || at == 0) {
		a->pair[at] = a->pair[0];
		a->value[at] = a->value[0];
		a->pair[0] = p;
		a->value[0] = a->load = load;
	}
}

/* Takes a pair with this numerator over if its fraction is larger. */
static void
consider(const struct search *x, const int64_t *u, const int64_t *v,
    struct ratio r)
{
	size_t k;

	for (size_t c = 0; c < x->s->uses; c++) {
		k = x->s->use[c];
		r.num += (u128)((i128)x->mult[k] * llabs(u[k] - v[k]));
	}
	if (ratio_cmp(&r, x->best, metric_squared(x->s->m)) > 0)
		*x->best = r;
}

/* Looks at the elements i, j with this measure. */
static void
look_at_pair(const struct search *x, struct pair p, size_t i, size_t j,
    u128 measure)
{
	const struct slope *s = x->s;
	const int64_t *u = element(s, i), *v = element(s, j);
	double num = 0, load;
	size_t k;

	if (x->a->need != SLOPE_NONE && u[x->a->need] == v[x->a->need])
		return;
	for (size_t c = 0; c < s->uses; c++) {
		k = s->use[c];
		num += x->a->rate[k] * fabs((double)(u[k] - v[k]));
	}
	if (num <= 0)
		return;
	load = num / metric_real(s->m, measure);
	if (!(load > threshold(x->a)))
		return;
	if (x->best != NULL)
		consider(x, u, v, (struct ratio){ 0, measure, p });
	record_pair(x->a, p, load);
}

/* Every pair of elements in two leaves. */
static void
leaves(struct search *x, size_t a, size_t b)
{
	const struct slope *s = x->s;
	const struct node *p = &s->node[a], *r = &s->node[b];
	size_t u, v, first;
	u128 measure;

	x->widest = wide(x, a, b);
	for (size_t i = p->lo; i < p->hi; i++) {
		first = a == b ? i + 1 : r->lo;
		for (size_t j = first; j < r->hi; j++) {
			u = s->perm[i];
			v = s->perm[j];
			if (metric_between(s->m, u, v, &measure) &&
			    x->widest > threshold(x->a) *
			    metric_real(s->m, measure))
				look_at_pair(x, (struct pair){ u, v }, u, v,
				    measure);
		}
	}
}

/* A pair of nodes to enter, with the bound. */
struct step {
	size_t a, b;
	double bound;
};

/* Steps from a pair of nodes; returns how many. */
static size_t
children(const struct slope *s, size_t a, size_t b, struct step *to)
{
	const struct node *p = &s->node[a], *r = &s->node[b];
	size_t n = 0;

	if (a == b) {
		to[n++] = (struct step){ p->left, p->left, 0 };
		to[n++] = (struct step){ p->right, p->right, 0 };
		to[n++] = (struct step){ p->left, p->right, 0 };
	} else if (r->left == SLOPE_NONE ||
	    (p->left != SLOPE_NONE && p->hi - p->lo >= r->hi - r->lo)) {
		to[n++] = (struct step){ p->left, b, 0 };
		to[n++] = (struct step){ p->right, b, 0 };
	} else {
		to[n++] = (struct step){ a, r->left, 0 };
		to[n++] = (struct step){ a, r->right, 0 };
	}
	return n;
}

/* Depth is at most twice the tree's: the recursion is shallow. */
static void
walk(struct search *x, size_t a, size_t b)
{
	const struct node *node = x->s->node;
	struct step next[3], to[3];
	size_t n, i, j;

	if (node[a].left == SLOPE_NONE && node[b].left == SLOPE_NONE) {
		leaves(x, a, b);
		return;
	}
	n = children(x->s, a, b, next);
	for (i = 0; i < n; i++) {	/* the largest bound first */
		next[i].bound = enter(x, next[i].a, next[i].b);
		for (j = i; j > 0 && to[j - 1].bound < next[i].bound; j--)
			to[j] = to[j - 1];
		to[j] = next[i];
	}
	for (i = 0; i < n; i++)		/* more may have been settled since */
		if (to[i].bound > 0 && (i == 0 ||
		    enter(x, to[i].a, to[i].b) > 0))
			walk(x, to[i].a, to[i].b);
}

/* The edges, or the pairs of elements, and the absent element's. */
static void
search_nodes(struct slope *s, struct search *x)
{
	const struct metric_edge *e = s->m->edge;
	const double *rate = x->a->rate;
	size_t i;

	x->a->load = x->a->floor;
	x->a->count = 0;
	for (s->uses = i = 0; i < s->k; i++)
		if (rate[i] > 0)
			s->use[s->uses++] = i;
	if (s->m->kind == METRIC_EDGES) {
		for (i = 0; i < s->m->edges; i++)
			if (e[i].w != METRIC_INF)
				look_at_pair(x, (struct pair){ i, SLOPE_NONE },
				    e[i].i, e[i].j, (u128)e[i].w);
	} else if (s->nodes > 0 && enter(x, 0, 0) > 0)
		walk(x, 0, 0);
	if (s->m->away > 0)
		for (i = 0; i < s->n; i++)
			look_at_pair(x, (struct pair){ i, SLOPE_ABSENT }, i,
			    SLOPE_ABSENT, s->m->away);
}

void
slope_search(struct slope *s, struct steep *a)
{
	struct search x = { .s = s, .a = a };

	search_nodes(s, &x);
}

struct pair
slope_ends(const struct slope *s, struct pair p)
{
	if (s->m->kind != METRIC_EDGES || p.j == SLOPE_ABSENT)
		return p;
	return (struct pair){ s->m->edge[p.i].i, s->m->edge[p.i].j };
}

void
slope_row(const struct slope *s, struct pair p, double *row, double *d)
{
	struct pair e = slope_ends(s, p);
	const int64_t *a = element(s, e.i), *b = element(s, e.j);
	u128 v = s->m->away;

	for (size_t k = 0; k < s->k; k++)
		row[k] = fabs((double)(a[k] - b[k]));
	if (p.j == SLOPE_NONE)
		v = (u128)s->m->edge[p.i].w;
	else if (p.j != SLOPE_ABSENT)
		metric_between(s->m, p.i, p.j, &v);
	*d = metric_real(s->m, v);
}

int
ratio_cmp(const struct ratio *a, const struct ratio *b, bool squared)
{
	if (a->num == 0 || b->num == 0)
		return (a->num > 0) - (b->num > 0);
	if (squared)
		return wide_cmp(wide_mul(a->num * a->num, b->measure),
		    wide_mul(b->num * b->num, a->measure));
	return wide_cmp(wide_mul(a->num, b->measure),
	    wide_mul(b->num, a->measure));
}

/* The largest possible numerator: false if perhaps beyond 63 bits. */
static bool
numerators_fit(const struct slope *s, const int64_t *mult)
{
	u128 sum = 0;

	for (size_t k = 0; k < s->k && sum >> 63 == 0; k++)
		sum += (u128)mult[k] * (u128)slope_span(s, 0, 0, k);
	for (size_t i = 0; i < s->n && s->m->away > 0 && sum >> 63 == 0; i++) {
		sum = 0;
		for (size_t k = 0; k < s->k && sum >> 63 == 0; k++)
			sum += (u128)mult[k] * (u128)llabs(s->q[i * s->k + k]);
	}
	return sum >> 63 == 0;
}

enum slope_result
slope_exact(struct slope *s, const int64_t *mult, struct ratio *best)
{
	double *rate = err_alloc(NULL, s->k, sizeof(*rate));
	struct steep a = { .rate = rate, .need = SLOPE_NONE, .keep = 1 - NEAR };
	bool exact = numerators_fit(s, mult);
	struct search x = { .s = s, .a = &a, .mult = mult };

	for (size_t k = 0; k < s->k; k++)
		rate[k] = (double)mult[k];
	*best = (struct ratio){ 0, 0, { 0, 0 } };
	if (exact)
		x.best = best;
	search_nodes(s, &x);
	free(rate);
	if (!exact)
		best->pair = a.pair[0];
	if (a.count == 0)
		return SLOPE_FLAT;
	return exact ? SLOPE_OK : SLOPE_WIDE;
}

void
slope_open(struct slope *s, const struct metric *m, const int64_t *q, size_t k)
{
	*s = (struct slope){ .m = m, .q = q, .n = m->n, .k = k };
	s->error = (double)(k + m->dims + 8) * 0x1p-52;
	s->use = err_alloc(NULL, k, sizeof(*s->use));
	s->zero = err_alloc(NULL, k, sizeof(*s->zero));
	slope_build(s);
}

void
slope_close(struct slope *s)
{
	free(s->perm);
	free(s->node);
	free(s->box);
	free(s->span);
	free(s->least);
	free(s->use);
	free(s->zero);
	*s = (struct slope){ .m = NULL };
}
