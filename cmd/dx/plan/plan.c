/*
 * plan: scales of Laplace noise for linear queries under a metric.
 *
 * Exactness.  Distances enter as rationals at most as large as they are
 * (metric_below), scales leave as rationals at least as large as they need
 * to be.  Strategies 1 and 2 take the exact maximum over pairs of an integer
 * over an integer measure.  Rates r found in doubles are divided by their
 * largest load L as computed, raised by twice the error bound of a load, so
 * that sum_k r_k |q_ki - q_kj| <= d(i,j) holds for the doubles r as exact
 * numbers; c_k = 1/r_k is then taken exactly, or rounded up.
 */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "plan_impl.h"

static void
no_noise(const struct plan *p, struct rational *c)
{
	size_t k;

	for (k = 0; k < p->w->k; k++)
		c[k] = (struct rational){ 0, 1 };
}

/* [KPAK20 section 4.2] Strategy 1; for one query c = max |q_i-q_j|/d(i,j). */
enum plan_result
plan_split(struct plan *p, struct rational *c)
{
	struct rational d, parts;
	size_t k;

	no_noise(p, c);
	if (!rational_make(&parts, (i128)p->k + (p->k == 0), 1))
		return PLAN_RANGE;
	for (k = 0; k < p->k; k++) {
		struct rational *to = &c[p->query[k]];
		const struct ratio *a = &p->single[k];

		if (!metric_below(p->m, a->measure, &d) ||
		    !plan_scale_up(p, a->num, p->digits[k], d, to) ||
		    !plan_mul_up(to, *to, parts))
			return PLAN_RANGE;
	}
	return PLAN_OK;
}

/* Multipliers that bring all queries to the finest grid of any. */
static bool
common_grid(const struct plan *p, int64_t *mult, int *digits)
{
	size_t k;

	*digits = 0;
	for (k = 0; k < p->k; k++)
		if (p->digits[k] > *digits)
			*digits = p->digits[k];
	for (k = 0; k < p->k; k++)
		mult[k] = fixed_pow10(*digits - p->digits[k]);
	return true;
}

static enum plan_result
equal_in_doubles(struct plan *p, const int64_t *mult, struct rational *c)
{
	double *rate = malloc((p->k + 1) * sizeof(*rate));
	enum plan_result r;
	size_t k;

	if (rate == NULL)
		return PLAN_NO_MEMORY;
	for (k = 0; k < p->k; k++)
		rate[k] = (double)mult[k];
	r = plan_finish(p, rate, c);
	free(rate);
	return r;
}

/* [KPAK20 section 4.2] Strategy 2. */
enum plan_result
plan_equal(struct plan *p, struct rational *c)
{
	int64_t *mult = calloc(p->k + 1, sizeof(*mult));
	struct ratio best = { 0, 0, { 0, 0 } };
	struct rational d, one = { 0, 1 };
	enum plan_result r = PLAN_OK;
	enum slope_result found;
	int digits;
	size_t k;

	no_noise(p, c);
	if (mult == NULL)
		return PLAN_NO_MEMORY;
	common_grid(p, mult, &digits);
	found = p->k == 0 ? SLOPE_FLAT : slope_exact(&p->s, mult, &best);
	if (found == SLOPE_MEMORY)
		r = PLAN_NO_MEMORY;
	else if (found == SLOPE_WIDE)
		r = equal_in_doubles(p, mult, c);
	else if (found == SLOPE_OK) {
		if (!plan_keep(p, best.pair))
			r = PLAN_NO_MEMORY;
		else if (!metric_below(p->m, best.measure, &d) ||
		    !plan_scale_up(p, best.num, digits, d, &one))
			r = PLAN_RANGE;
		for (k = 0; k < p->k; k++)
			c[p->query[k]] = one;
	}
	free(mult);
	return r;
}

/* [KPAK20 Algorithm 3] Strategy 3. */
enum plan_result
plan_share(struct plan *p, struct rational *c)
{
	double *rate = malloc((p->k + 1) * sizeof(*rate));
	enum plan_result r = PLAN_NO_MEMORY;

	if (rate != NULL && plan_psa(p, rate))
		r = plan_finish(p, rate, c);
	free(rate);
	return r;
}

double
plan_value(const struct plan *p, enum plan_loss loss,
    const struct rational *c)
{
	double v, sum = 0, most = 0, logs = 0;
	size_t k;

	for (k = 0; k < p->k; k++) {
		const struct rational *r = &c[p->query[k]];

		v = (double)r->num / (double)r->den;
		sum += loss == PLAN_SQUARED ? v * v : v;
		logs += log(v);
		most = v > most ? v : most;
	}
	switch (loss) {
	case PLAN_MAX: return most;
	case PLAN_L1: return sum;
	case PLAN_SQUARED: return sqrt(sum);
	case PLAN_RELATIVE: break;
	}
	return p->k == 0 ? 0 : exp(logs / (double)p->k);
}
