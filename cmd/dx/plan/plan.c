/*
 * plan: Laplace noise scales for linear queries under a metric.
 *
 * Exactness.  Distances enter as rationals at or below the distance
 * (metric_below), scales leave as rationals at or above the needed scale.
 * Strategies 1 and 2 take the exact maximum over pairs of an integer over an
 * integer measure.  Rates r found in doubles are divided by the computed
 * largest load L, raised by twice a load's error bound, so that sum_k r_k |q_ki
 * - q_kj| <= d(i,j) holds for the doubles r as exact numbers; c_k = 1/r_k is
 * then taken exactly, or rounded up.
 */
#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "plan_rates.h"

/* Queries with public answers are left out. */
static void
choose_queries(struct plan *p)
{
	const struct workload *w = p->w;

	p->query = err_alloc(NULL, w->k, sizeof(*p->query));
	p->row = err_alloc(NULL, w->k, sizeof(*p->row));
	for (size_t k = 0; k < w->k; k++)
		if (!plan_public(p->m, w, k))
			p->query[p->k++] = (struct planned){ .number = k,
			    .digits = workload_digits(w, k) };
	p->q = err_alloc(NULL, w->n, p->k * sizeof(*p->q));
}

/* Prepares searches for the queries that are left. */
static void
open_search(struct plan *p)
{
	for (size_t k = 0; k < p->k; k++)
		workload_row(p->w, p->query[k].number, p->q + k, p->k);
	slope_open(&p->s, p->m, p->q, p->k);
}

/* Each query's exact slope alone, and the allowed rate. */
static enum plan_result
singles(struct plan *p)
{
	int64_t *mult = err_alloc(NULL, p->k, sizeof(*mult));
	enum plan_result found = PLAN_OK;

	for (size_t k = 0; k < p->k && found == PLAN_OK; k++) {
		struct ratio *a = &p->query[k].alone;

		mult[k] = 1;
		if (slope_exact(&p->s, mult, a) == SLOPE_OK &&
		    a->measure == 0) {
			p->worst = slope_ends(&p->s, a->pair);
			found = PLAN_INFINITE;
		}
		mult[k] = 0;
		if (a->num == 0)
			continue;
		p->query[k].most = metric_real(p->m, a->measure) /
		    (double)a->num;
		rates_keep(p, a->pair);
	}
	free(mult);
	return found;
}

/* Queries that only differ over infinite distances need no noise either. */
static void
drop_free(struct plan *p)
{
	size_t all = p->k;

	p->k = 0;
	for (size_t k = 0; k < all; k++)
		if (p->query[k].alone.num > 0)
			p->query[p->k++] = p->query[k];
	if (p->k == all)
		return;
	slope_close(&p->s);
	open_search(p);
}

enum plan_result
plan_open(struct plan *p, const struct metric *m, const struct workload *w)
{
	enum plan_result r;

	*p = (struct plan){ .m = m, .w = w };
	choose_queries(p);
	open_search(p);
	r = singles(p);
	if (r == PLAN_OK)
		drop_free(p);
	return r;
}

void
plan_close(struct plan *p)
{
	free(p->query);
	free(p->q);
	free(p->pool);
	free(p->row);
	slope_close(&p->s);
	*p = (struct plan){ .m = NULL };
}

/* Smallest c for a numerator in steps of 10^-digits over a budget d. */
static bool
scale_up(u128 num, int digits, struct rational d, struct rational *c)
{
	return num >> 126 == 0 &&
	    rational_make(c, (i128)num, fixed_pow10(digits)) &&
	    upward_div(c, *c, d);
}

static void
no_noise(const struct plan *p, struct rational *c)
{
	for (size_t k = 0; k < p->w->k; k++)
		c[k] = (struct rational){ 0, 1 };
}

/* [KPAK20 section 4.2] Strategy 1; for one query c = max |q_i-q_j|/d(i,j). */
enum plan_result
plan_split(struct plan *p, struct rational *c)
{
	const struct rational parts = { (i128)p->k, 1 };
	struct rational d;

	no_noise(p, c);
	for (size_t k = 0; k < p->k; k++) {
		const struct planned *q = &p->query[k];
		struct rational *to = &c[q->number];

		if (!metric_below(p->m, q->alone.measure, &d) ||
		    !scale_up(q->alone.num, q->digits, d, to) ||
		    !upward_mul(to, *to, parts))
			return PLAN_RANGE;
	}
	return PLAN_OK;
}

/* Multipliers that bring the queries to the finest grid among them. */
static void
common_grid(const struct plan *p, int64_t *mult, int *digits)
{
	*digits = 0;
	for (size_t k = 0; k < p->k; k++)
		if (p->query[k].digits > *digits)
			*digits = p->query[k].digits;
	for (size_t k = 0; k < p->k; k++)
		mult[k] = fixed_pow10(*digits - p->query[k].digits);
}

/* [KPAK20 section 4.2] Strategy 2. */
enum plan_result
plan_equal(struct plan *p, struct rational *c)
{
	int64_t *mult = err_alloc(NULL, p->k, sizeof(*mult));
	struct ratio best;
	struct rational d, one = { 0, 1 };
	enum plan_result r = PLAN_OK;
	enum slope_result found = SLOPE_FLAT;
	int digits;

	no_noise(p, c);
	common_grid(p, mult, &digits);
	if (p->k > 0)
		found = slope_exact(&p->s, mult, &best);
	if (found == SLOPE_WIDE) {
		for (size_t k = 0; k < p->k; k++)
			p->row[k] = (double)mult[k];
		r = rates_finish(p, p->row, c);
	} else if (found == SLOPE_OK) {
		rates_keep(p, best.pair);
		if (!metric_below(p->m, best.measure, &d) ||
		    !scale_up(best.num, digits, d, &one))
			r = PLAN_RANGE;
		for (size_t k = 0; k < p->k; k++)
			c[p->query[k].number] = one;
	}
	free(mult);
	return r;
}

bool
plan_alike(const struct plan *p, size_t k)
{
	size_t one, last;

	if (!p->w->even || k == 0 || workload_outside(p->w,
	    p->query[k].number))
		return false;
	one = p->query[k].number;
	last = p->query[k - 1].number;
	return workload_find(p->w, &one) == workload_find(p->w, &last);
}

enum plan_result
plan_alone(const struct metric *m, const struct workload *w,
    struct rational *c, struct pair *worst)
{
	struct plan p;
	enum plan_result r = plan_open(&p, m, w);

	*worst = p.worst;
	if (r == PLAN_OK)
		r = plan_split(&p, c);
	plan_close(&p);
	return r;
}

double
plan_value(const struct plan *p, enum plan_loss loss, const struct rational *c)
{
	double v, sum = 0, most = 0, logs = 0;

	for (size_t k = 0; k < p->k; k++) {
		v = rational_real(c[p->query[k].number]);
		sum += loss == PLAN_SQUARED ? v * v : v;
		logs += log(v);
		most = FIXED_MOST(v, most);
	}
	switch (loss) {
	case PLAN_MAX: return most;
	case PLAN_L1: return sum;
	case PLAN_SQUARED: return sqrt(sum);
	case PLAN_RELATIVE: break;
	}
	return p->k == 0 ? 0 : exp(logs / (double)p->k);
}

bool
plan_noise(struct rational c, int digits, struct scale *t)
{
	const struct rational steps = { fixed_pow10(digits), 1 };

	if (!upward_mul(&c, c, steps) || !upward_shorten(&c))
		return false;
	*t = (struct scale){ (uint64_t)c.num, (uint64_t)c.den };
	return true;
}
