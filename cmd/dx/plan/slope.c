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

#include "number/fixed.h"
#include "number/memory.h"
#include "slope_plane.h"
#include "slope_tree.h"

#define NEAR 0x1p-40

struct search {
	const struct slope *s;
	struct steep *a;
	double widest;		/* bound for numerators in the current leaves */
};

/* Loads up to this do not matter any more. */
static double
threshold(const struct steep *a)
{
	return a->load > a->floor ?
	    a->floor + a->keep * (a->load - a->floor) : a->floor;
}

/* A bound for the numerators between two nodes; 0 where `need` is equal. */
static double
wide(const struct search *x, size_t a, size_t b)
{
	const struct slope *s = x->s;
	double sum = 0;

	if (x->a->need != SLOPE_NONE &&
	    slope_span(s, a, b, x->a->need) <= 0)
		return 0;
	for (size_t u = 0; u < s->uses; u++)
		sum += x->a->rate[s->use[u]] *
		    (double)slope_span(s, a, b, s->use[u]);
	return sum;
}

static double
enter_search(void *arg, size_t a, size_t b)
{
	struct search *x = arg;
	double num = wide(x, a, b), bound;
	u128 v;

	if (num <= 0 || !slope_gap(x->s, a, b, &v))
		return 0;
	bound = v == 0 ? HUGE_VAL : num / slope_real(x->s, v);
	if (bound > threshold(x->a) && v > 0 && x->s->grad != NULL)
		bound = fmin(bound, slope_plane_bound(x->s, x->a->rate, a, b,
		    slope_real(x->s, v)));
	return bound > threshold(x->a) ? bound : 0;
}

/* The coefficients of an element. */
static const int64_t *
element(const struct slope *s, size_t i)
{
	return i == SLOPE_ABSENT ? s->zero : s->q + i * s->k;
}

static void
record(struct steep *a, struct pair p, double load)
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

/* Looks at the elements i, j with the distance d. */
static void
look(struct search *x, struct pair p, size_t i, size_t j, double d)
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
	load = d > 0 ? num / d : HUGE_VAL;
	if (load > threshold(x->a))
		record(x->a, p, load);
}

static void
visit_search(void *arg, size_t i, size_t j)
{
	struct search *x = arg;
	double d;
	u128 v;

	if (!metric_between(x->s->m, i, j, &v))
		return;
	d = slope_real(x->s, v);
	if (x->widest > threshold(x->a) * d)
		look(x, (struct pair){ i, j }, i, j, d);
}

static void
leaf_search(void *arg, size_t a, size_t b)
{
	struct search *x = arg;

	x->widest = wide(x, a, b);
	slope_pairs(x->s, a, b, visit_search, x);
}

void
slope_search(struct slope *s, struct steep *a)
{
	struct search x = { .s = s, .a = a };
	struct walk w = { s, enter_search, leaf_search, &x };
	const struct metric_edge *e = s->m->edge;
	size_t i;

	a->load = a->floor;
	a->count = 0;
	for (s->uses = i = 0; i < s->k; i++)
		if (a->rate[i] > 0)
			s->use[s->uses++] = i;
	if (s->m->kind == METRIC_EDGES) {
		for (i = 0; i < s->m->edges; i++)
			if (e[i].w != METRIC_INF)
				look(&x, (struct pair){ i, SLOPE_NONE },
				    e[i].i, e[i].j, (double)e[i].w);
	} else if (s->nodes > 0 && enter_search(&x, 0, 0) > 0)
		slope_walk(&w, 0, 0);
	for (i = 0; i < s->n && s->m->away > 0; i++)
		look(&x, (struct pair){ i, SLOPE_ABSENT }, i, SLOPE_ABSENT,
		    slope_real(s, s->m->away));
}

struct pair
slope_ends(const struct slope *s, struct pair p)
{
	if (s->m->kind != METRIC_EDGES || p.j == SLOPE_ABSENT)
		return p;
	return (struct pair){ s->m->edge[p.i].i, s->m->edge[p.i].j };
}

bool
slope_measure(const struct slope *s, struct pair p, u128 *v)
{
	if (p.j == SLOPE_ABSENT) {
		*v = s->m->away;
		return true;
	}
	if (s->m->kind != METRIC_EDGES)
		return metric_between(s->m, p.i, p.j, v);
	*v = (u128)s->m->edge[p.i].w;
	return s->m->edge[p.i].w != METRIC_INF;
}

bool
slope_row(const struct slope *s, struct pair p, double *row, double *d)
{
	struct pair e = slope_ends(s, p);
	const int64_t *a = element(s, e.i), *b = element(s, e.j);
	u128 v;

	for (size_t k = 0; k < s->k; k++)
		row[k] = fabs((double)(a[k] - b[k]));
	if (!slope_measure(s, p, &v))
		return false;
	*d = slope_real(s, v);
	return true;
}

struct exact {
	const struct slope *s;
	const int64_t *mult;
	const double *rate;	/* the same */
	struct ratio *best;
	double cut;		/* loads below cannot be the largest */
};

int
ratio_cmp(const struct ratio *a, const struct ratio *b, bool squared)
{
	if (a->num == 0 || b->num == 0)
		return (a->num > 0) - (b->num > 0);
	return squared ? wide_cmp(wide_mul(a->num * a->num, b->measure),
	    wide_mul(b->num * b->num, a->measure)) :
	    wide_cmp(wide_mul(a->num, b->measure),
	    wide_mul(b->num, a->measure));
}

static double
enter_exact(void *arg, size_t a, size_t b)
{
	struct exact *x = arg;
	struct ratio r = { 0, 0, { 0, 0 } };
	double bound;
	size_t k;

	for (size_t u = 0; u < x->s->uses; u++) {
		k = x->s->use[u];
		r.num += (u128)(x->mult[k] * (i128)slope_span(x->s, a, b, k));
	}
	if (r.num == 0 || !slope_gap(x->s, a, b, &r.measure))
		return 0;
	bound = r.measure == 0 ? HUGE_VAL :
	    (double)r.num / slope_real(x->s, r.measure);
	if (bound >= x->cut && r.measure > 0 && x->s->grad != NULL)
		bound = fmin(bound, slope_plane_bound(x->s, x->rate, a, b,
		    slope_real(x->s, r.measure)));
	if (bound < x->cut ||
	    ratio_cmp(&r, x->best, metric_squared(x->s->m)) <= 0)
		return 0;
	return bound;
}

static void
consider(struct exact *x, struct pair p)
{
	const struct slope *s = x->s;
	struct pair e = slope_ends(s, p);
	const int64_t *a = element(s, e.i), *b = element(s, e.j);
	struct ratio r = { 0, 0, p };
	size_t k;

	if (!slope_measure(s, p, &r.measure))
		return;
	for (size_t u = 0; u < s->uses; u++) {
		int64_t d;

		k = s->use[u];
		d = a[k] - b[k];
		r.num += (u128)((i128)x->mult[k] * (d < 0 ? -d : d));
	}
	if (ratio_cmp(&r, x->best, metric_squared(s->m)) > 0)
		*x->best = r;
}

static void
visit_exact(void *arg, size_t i, size_t j)
{
	consider(arg, (struct pair){ i, j });
}

static void
leaf_exact(void *arg, size_t a, size_t b)
{
	struct exact *x = arg;

	slope_pairs(x->s, a, b, visit_exact, x);
}

static u128
magnitude(int64_t x)
{
	return x < 0 ? -(u128)x : (u128)x;
}

/* The largest possible numerator: false if perhaps beyond 63 bits. */
static bool
fits(const struct slope *s, const int64_t *mult)
{
	u128 sum = 0;

	for (size_t k = 0; k < s->k && sum >> 63 == 0; k++)
		sum += (u128)mult[k] * (u128)slope_span(s, 0, 0, k);
	for (size_t i = 0; i < s->n && s->m->away > 0 && sum >> 63 == 0;
	    i++) {
		sum = 0;
		for (size_t k = 0; k < s->k && sum >> 63 == 0; k++)
			sum += (u128)mult[k] * magnitude(s->q[i * s->k + k]);
	}
	return sum >> 63 == 0;
}

enum slope_result
slope_exact(struct slope *s, const int64_t *mult, struct ratio *best)
{
	double *rate = err_alloc(NULL, s->k, sizeof(*rate));
	struct steep a = { .rate = rate, .need = SLOPE_NONE, .keep = 1 };
	struct exact x = { .s = s, .rate = rate, .mult = mult, .best = best };
	struct walk w = { s, enter_exact, leaf_exact, &x };

	for (size_t k = 0; k < s->k; k++)
		rate[k] = (double)mult[k];
	slope_search(s, &a);
	if (a.count == 0 || !fits(s, mult)) {
		free(rate);
		*best = (struct ratio){ 0, 0, a.pair[0] };
		return a.count == 0 ? SLOPE_FLAT : SLOPE_WIDE;
	}
	*best = (struct ratio){ 0, 0, a.pair[0] };
	consider(&x, a.pair[0]);
	x.cut = a.load * (1 - NEAR);
	if (s->m->kind == METRIC_EDGES)
		for (size_t i = 0; i < s->m->edges; i++)
			consider(&x, (struct pair){ i, SLOPE_NONE });
	else if (best->measure != 0 && enter_exact(&x, 0, 0) > 0)
		slope_walk(&w, 0, 0);
	for (size_t i = 0; i < s->n && s->m->away > 0; i++)
		consider(&x, (struct pair){ i, SLOPE_ABSENT });
	free(rate);
	return SLOPE_OK;
}

void
slope_open(struct slope *s, const struct metric *m, const int64_t *q,
    size_t k)
{
	*s = (struct slope){ .m = m, .q = q, .n = m->n, .k = k };
	s->error = (double)(k + m->dims + 8) * 0x1p-52;
	s->use = err_alloc(NULL, k, sizeof(*s->use));
	s->zero = err_alloc(NULL, k, sizeof(*s->zero));
	slope_build(s);
	slope_plane(s);
}

void
slope_close(struct slope *s)
{
	free(s->perm);
	free(s->node);
	free(s->box);
	free(s->span);
	free(s->least);
	free(s->grad);
	free(s->rest);
	free(s->use);
	free(s->zero);
	*s = (struct slope){ .m = NULL };
}
