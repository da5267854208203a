/* plan_open: which queries need noise, and the slope of each alone. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "plan_impl.h"

static enum plan_result
allocate(struct plan *p)
{
	size_t k = p->w->k + 1;

	p->query = calloc(k, sizeof(*p->query));
	p->digits = calloc(k, sizeof(*p->digits));
	p->single = calloc(k, sizeof(*p->single));
	p->most = calloc(k, sizeof(*p->most));
	return p->query == NULL || p->digits == NULL || p->single == NULL ||
	    p->most == NULL ? PLAN_NO_MEMORY : PLAN_OK;
}

/* Constant queries are left out: their answers are public. */
static enum plan_result
choose(struct plan *p)
{
	const struct workload *w = p->w;
	size_t k, i;

	for (k = 0; k < w->k; k++)
		if (!workload_constant(w, k)) {
			p->digits[p->k] = workload_digits(w, k);
			p->query[p->k++] = k;
		}
	if (p->k > 0 && w->n > SIZE_MAX / sizeof(*p->q) / p->k)
		return PLAN_NO_MEMORY;
	p->q = malloc((w->n * p->k + 1) * sizeof(*p->q));
	if (p->q == NULL)
		return PLAN_NO_MEMORY;
	for (k = 0; k < p->k; k++)
		for (i = 0; i < w->n; i++)
			p->q[i * p->k + k] = workload_at(w, p->query[k], i);
	return PLAN_OK;
}

/* The exact slope of each query alone, and the rate it allows. */
static enum plan_result
singles(struct plan *p)
{
	int64_t *mult = calloc(p->k + 1, sizeof(*mult));
	enum slope_result r = SLOPE_OK;
	size_t k;
	double v;

	if (mult == NULL)
		return PLAN_NO_MEMORY;
	for (k = 0; k < p->k && r != SLOPE_MEMORY; k++) {
		struct ratio *a = &p->single[k];

		mult[k] = 1;
		*a = (struct ratio){ 0, 1, { 0, 0 } };
		r = slope_exact(&p->s, mult, a);
		mult[k] = 0;
		if (r == SLOPE_OK && a->measure == 0) {
			p->worst = slope_ends(&p->s, a->pair);
			free(mult);
			return PLAN_INFINITE;
		}
		v = (double)a->measure;
		p->most[k] = a->num == 0 ? HUGE_VAL :
		    (metric_squared(p->m) ? sqrt(v) : v) / (double)a->num;
		if (a->num > 0 && !plan_keep(p, a->pair))
			r = SLOPE_MEMORY;
	}
	free(mult);
	return r == SLOPE_MEMORY ? PLAN_NO_MEMORY : PLAN_OK;
}

/* Queries that only differ over infinite distances need no noise either. */
static void
drop_free(struct plan *p)
{
	size_t k, i, to = 0, old = p->k;

	for (k = 0; k < old; k++) {
		if (p->single[k].num == 0)
			continue;
		p->single[to] = p->single[k];
		p->most[to] = p->most[k];
		p->query[to] = p->query[k];
		p->digits[to++] = p->digits[k];
	}
	if (to == old)
		return;
	p->k = to;
	for (k = 0; k < to; k++)
		for (i = 0; i < p->w->n; i++)
			p->q[i * to + k] = workload_at(p->w, p->query[k], i);
}

enum plan_result
plan_open(struct plan *p, const struct metric *m, const struct workload *w,
    struct rational eps)
{
	enum plan_result r;
	size_t all;

	*p = (struct plan){ .m = m, .w = w, .eps = eps };
	r = allocate(p);
	if (r == PLAN_OK)
		r = choose(p);
	all = p->k;
	if (r == PLAN_OK && !slope_open(&p->s, m, p->q, p->k))
		r = PLAN_NO_MEMORY;
	if (r == PLAN_OK)
		r = singles(p);
	if (r == PLAN_OK)
		drop_free(p);
	if (r == PLAN_OK && p->k < all) {
		slope_close(&p->s);
		if (!slope_open(&p->s, m, p->q, p->k))
			r = PLAN_NO_MEMORY;
	}
	if (r != PLAN_OK) {
		struct pair worst = p->worst;

		plan_close(p);
		p->worst = worst;
	}
	return r;
}

void
plan_close(struct plan *p)
{
	free(p->query);
	free(p->q);
	free(p->digits);
	free(p->single);
	free(p->most);
	free(p->pool);
	slope_close(&p->s);
	*p = (struct plan){ .m = NULL };
}
