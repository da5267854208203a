/*
 * plan_exact: from slopes and rates to scales that keep every constraint.
 *
 * Every rounding here goes up for a scale and down for a budget.
 */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "plan_impl.h"

#define BITS 61		/* of each part after rounding: products fit 126 */

/* A fraction not below a, both parts of at most BITS bits; a > 0. */
static bool
shorten_up(struct rational *a)
{
	i128 num = a->num, den = a->den;
	const i128 limit = (i128)1 << BITS;

	while (num >= limit || den >= limit) {
		num = (num >> 1) + (num & 1);
		den >>= 1;
		if (den == 0)
			return false;
	}
	return rational_make(a, num, den);
}

bool
plan_mul_up(struct rational *r, struct rational a, struct rational b)
{
	return rational_mul(r, a, b) || (shorten_up(&a) && shorten_up(&b) &&
	    rational_mul(r, a, b));
}

/* a / b: up for a, down for b, that is 1/b up. */
bool
plan_div_up(struct rational *r, struct rational a, struct rational b)
{
	struct rational inverse = { b.den, b.num };

	return b.num > 0 && plan_mul_up(r, a, inverse);
}

bool
plan_scale_up(const struct plan *p, u128 num, int digits, struct rational d,
    struct rational *c)
{
	return num >> 126 == 0 &&
	    rational_make(c, (i128)num, fixed_pow10(digits)) &&
	    plan_div_up(c, *c, d) && plan_div_up(c, *c, p->eps);
}

bool
plan_noise(struct rational c, int digits, struct scale *t)
{
	struct rational steps;

	if (!rational_make(&steps, fixed_pow10(digits), 1) ||
	    !plan_mul_up(&c, c, steps) || !shorten_up(&c))
		return false;
	*t = (struct scale){ (uint64_t)c.num, (uint64_t)c.den };
	return true;
}

bool
plan_divide(struct rational *c, struct rational eps)
{
	return c->num == 0 || plan_div_up(c, *c, eps);
}

/* The exact value of a positive double of moderate size. */
static bool
from_double(double x, struct rational *r)
{
	int e;
	i128 m = (i128)ldexp(frexp(x, &e), 53);

	e -= 53;
	for (; m % 2 == 0 && m > 0; e++)
		m /= 2;
	if (!(x > 0) || e > 72 || e < -125)
		return false;
	return e >= 0 ? rational_make(r, m << e, 1) :
	    rational_make(r, m, (i128)1 << -e);
}

/* Rates as a private mechanism may use them; false: nothing binds. */
static bool
lower(struct plan *p, const double *rate, double *out)
{
	struct steep a = { .rate = rate, .need = SLOPE_NONE, .keep = 1 };
	size_t k;

	slope_search(&p->s, &a);
	for (k = 0; k < p->k; k++)
		out[k] = rate[k] / (a.load * (1 + 4 * p->s.error));
	return a.count > 0;
}

enum plan_result
plan_finish(struct plan *p, const double *rate, struct rational *c)
{
	double *r = malloc((p->k + 1) * sizeof(*r));
	enum plan_result result = PLAN_OK;
	struct rational x, one = { 1, 1 };
	size_t k;

	if (r == NULL)
		return PLAN_NO_MEMORY;
	for (k = 0; k < p->w->k; k++)
		c[k] = (struct rational){ 0, 1 };
	if (p->k > 0 && lower(p, rate, r))
		for (k = 0; k < p->k && result == PLAN_OK; k++)
			if (!from_double(r[k], &x) ||
			    !plan_mul_up(&x, (struct rational){ x.den,
			    x.num }, one) ||
			    !plan_div_up(&x, x, p->m->unit) ||
			    !plan_scale_up(p, 1, p->digits[k], one,
			    &c[p->query[k]]) ||
			    !plan_mul_up(&c[p->query[k]], x,
			    c[p->query[k]]))
				result = PLAN_RANGE;
	free(r);
	return result;
}

void
plan_rates(const struct plan *p, const struct rational *c, double *rate)
{
	double unit = (double)p->m->unit.num / (double)p->m->unit.den;
	double eps = (double)p->eps.num / (double)p->eps.den;
	size_t k;

	for (k = 0; k < p->k; k++) {
		const struct rational *r = &c[p->query[k]];

		rate[k] = (double)r->den / (double)r->num /
		    (double)fixed_pow10(p->digits[k]) / unit / eps;
	}
}

bool
plan_keep(struct plan *p, struct pair pair)
{
	struct pair *more;
	size_t i;

	for (i = p->pairs; i-- > 0;)
		if (p->pool[i].i == pair.i && p->pool[i].j == pair.j)
			return true;
	if (p->pairs == p->room) {
		more = realloc(p->pool, (2 * p->room + 64) * sizeof(*more));
		if (more == NULL)
			return false;
		p->pool = more;
		p->room = 2 * p->room + 64;
	}
	p->pool[p->pairs++] = pair;
	return true;
}

/* [KPAK20 Theorem 3, Theorem 10] */
enum plan_result
plan_one(const struct metric *m, const int64_t *u, int digits,
    struct rational eps, struct rational *c)
{
	struct workload w = WORKLOAD_INIT;
	enum plan_result r = PLAN_NO_MEMORY;
	struct plan p;

	w.n = m->n;
	if (workload_dense(&w, u, digits, "")) {
		r = plan_open(&p, m, &w, eps);
		if (r == PLAN_OK)
			r = plan_split(&p, c);
		plan_close(&p);
	}
	workload_free(&w);
	return r;
}
