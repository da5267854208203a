/* slope_exact: the steepest pair among near ties, in integers. */
#include "slope.h"

#include <math.h>
#include <stdlib.h>

#include "slope_impl.h"

#define NEAR 0x1p-40

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
	size_t u, k;

	for (u = 0; u < x->s->uses; u++) {
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
	struct ratio r = { 0, 0, p };
	size_t u, k;

	if (!slope_measure(s, p, &r.measure))
		return;
	for (u = 0; u < s->uses; u++) {
		int64_t d;

		k = s->use[u];
		d = s->q[e.i * s->k + k] - s->q[e.j * s->k + k];

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

/* Largest numerator there can be: false when it might leave 63 bits. */
static bool
fits(const struct slope *s, const int64_t *mult)
{
	u128 sum = 0;
	size_t k;

	for (k = 0; k < s->k && sum >> 63 == 0; k++)
		sum += (u128)mult[k] * (u128)slope_span(s, 0, 0, k);
	return sum >> 63 == 0;
}

enum slope_result
slope_exact(struct slope *s, const int64_t *mult, struct ratio *best)
{
	double *rate = malloc((s->k + 1) * sizeof(*rate));
	struct steep a = { .rate = rate, .need = SLOPE_NONE, .keep = 1 };
	struct exact x = { .s = s, .rate = rate, .mult = mult, .best = best };
	struct walk w = { s, enter_exact, leaf_exact, &x };
	size_t k, i;

	if (rate == NULL)
		return SLOPE_MEMORY;
	for (k = 0; k < s->k; k++)
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
		for (i = 0; i < s->m->edges; i++)
			consider(&x, (struct pair){ i, SLOPE_NONE });
	else if (best->measure != 0 && enter_exact(&x, 0, 0) > 0)
		slope_walk(&w, 0, 0);
	free(rate);
	return SLOPE_OK;
}
