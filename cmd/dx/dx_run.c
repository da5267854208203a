/* dx_run: noise, counts, answers, and the scales before them. */
#include "dx.h"

#include <math.h>
#include <stdlib.h>

#include "dx/plan/upward.h"
#include "dx/plan/workload.h"
#include "number/taint.h"
#include "random/meter.h"
#include "random/rng.h"
#include "release/plan/within.h"
#include "tool/err.h"
#include "tool/row.h"
#include "tool/text.h"

/* Half the interval's width for query k, in noise grid steps. */
static i128
reach(struct dx *d, size_t k)
{
	double bias = d->s.bias == NULL ? 0 : d->s.bias[k];

	if (d->opts.interval.den == 0)
		return 0;
	dx_describe(d, k);
	return fixed_add_sat(d->report.reach, (i128)fmin(0x1p120,
	    ceil(bias * (double)fixed_pow10(d->fine[k]))));
}

/* The exact answer to query k with noise, on the printed grid. */
static struct answer
noisy(struct dx *d, size_t k, i128 answer)
{
	const struct workload *w = &d->u.w;
	i128 x = fixed_round(answer, workload_digits(w, k), d->fine[k],
	    FIXED_NEAREST);

	if (d->t[k].s > 0 && !d->opts.non_private)
		x = METER_NOISY(fixed_add_sat(x, noise_laplace(&d->rng,
		    &d->t[k])), x, &d->t[k]);
	else if (!d->opts.non_private)	/* no neighbour changes it */
		taint_public(&x, sizeof(x));
	return answer_make(x, reach(d, k), d->fine[k], d->digits[k]);
}

/* The number with more decimals. */
static struct answer
longer(struct answer a, int from, int to)
{
	return (struct answer){
		fixed_round(a.value, from, to, FIXED_NEAREST),
		fixed_round(a.lower, from, to, FIXED_NEAREST),
		fixed_round(a.upper, from, to, FIXED_NEAREST),
	};
}

/* A JSON line, with this query's scale. */
static void
json_line(struct dx *d, uint64_t rel, size_t k, struct answer a)
{
	struct text *out = &d->out.text;
	struct row row = { out, FORMAT_JSON, true };
	struct label name = universe_name(&d->u, k);
	char *head, *tail;

	dx_describe(d, k);
	head = report_before(&d->report);
	tail = report_behind(&d->report);
	text_add(out, head);
	row_number(&row, "value", a.value, d->digits[k]);
	if (d->opts.interval.den > 0) {
		row_number(&row, "lower", a.lower, d->digits[k]);
		row_number(&row, "upper", a.upper, d->digits[k]);
	}
	text_add(out, tail);
	free(head);
	free(tail);
	if (d->opts.repeat > 1)
		row_number(&row, "release", (i128)rel, 0);
	row_text(&row, "query", name.text, name.len);
	text_add(out, "}\n");
}

/* The rows' decimals where each query is a row: the finest row's. */
static int
common_digits(const struct dx *d)
{
	int most = 0;
	size_t k;

	for (k = 0; k < d->u.w.k; k++)
		most = FIXED_MOST(d->digits[k], most);
	return most;
}

/*
 * Queries on columns are table columns; workload queries, maybe thousands, are
 * rows.
 */
void
dx_declare(void *arg)
{
	struct dx *d = arg;
	const char *name = "value";
	size_t k;

	d->rows = d->u.workload != NULL;
	if (d->u.query == NULL && d->u.queries == NULL)
		name = "count";
	if (d->rows) {
		release_key(&d->out, "query");
		release_answer(&d->out, name, NULL, common_digits(d));
	} else if (d->opts.format != FORMAT_JSON)
		for (k = 0; k < d->u.w.k; k++)
			release_answer(&d->out, universe_name(&d->u, k).text,
			    NULL, d->digits[k]);
}

bool
dx_rows(void *arg, uint64_t rel)
{
	struct dx *d = arg;
	bool alone = d->rows || d->opts.format == FORMAT_JSON;
	size_t n = alone ? 1 : d->u.w.k;	/* answers of a row */
	struct answer *answer = err_alloc(NULL, n + 1, sizeof(*answer));
	int digits = common_digits(d);
	i128 *prefix = NULL;
	struct label name;

	if (d->exact == NULL)
		prefix = dx_fitted_counts(d);
	for (size_t k = 0; k < d->u.w.k; k++) {
		struct answer *a = &answer[alone ? 0 : k];

		if (workload_outside(&d->u.w, k))
			continue;
		if (d->exact != NULL)
			*a = noisy(d, k, d->exact[k]);
		else
			*a = dx_fitted_answer(d, k, prefix);
		if (d->opts.format == FORMAT_JSON)
			json_line(d, rel, k, *a);
		else if (d->rows) {
			*a = longer(*a, d->digits[k], digits);
			name = universe_name(&d->u, k);
			release_row(&d->out, rel, &name, a);
		}
	}
	if (!alone)
		release_row(&d->out, rel, NULL, answer);
	free(answer);
	free(prefix);
	return true;
}

void
dx_count(void *arg)
{
	struct dx *d = arg;

	if (!d->counted)
		universe_count(&d->u);
}

void
dx_ask(void *arg)
{
	struct dx *d = arg;

	if (dx_is_fitted(dx_chosen(d)) && !d->opts.non_private)
		return;
	d->exact = err_alloc(NULL, d->u.w.k + 1, sizeof(*d->exact));
	workload_answer(&d->u.w, d->u.count, d->exact);
}

/* --- from a plan's scales to noise on grids ------------------------------ */

/*
 * The grids and noise for query k at eps; false where the noise does not
 * fit.
 */
static bool
settle_query(struct dx *d, size_t k, struct rational eps)
{
	int coarse = workload_digits(&d->u.w, k), asked = d->opts.digits;
	struct rational c;

	d->t[k] = (struct scale){ 0, 1 };
	d->fine[k] = coarse;
	d->digits[k] = asked >= 0 ? asked : coarse;
	if (d->opts.non_private || d->s.c[k].num == 0)
		return true;
	c = d->s.c[k];
	if (!upward_div(&c, c, eps))
		return false;
	if (asked < 0)
		d->digits[k] = dx_scale_digits(c);
	d->fine[k] = FIXED_MOST(coarse, dx_scale_digits(c));
	d->fine[k] = FIXED_MOST(d->fine[k], d->digits[k]);
	return plan_noise(c, d->fine[k], &d->t[k]);
}

static bool
settle_all(struct dx *d, struct rational eps)
{
	size_t k;

	dx_room(d, d->u.w.k);
	for (k = 0; k < d->u.w.k; k++)
		if (!settle_query(d, k, eps))
			return false;
	return true;
}

void
dx_describe(struct dx *d, size_t k)
{
	struct report *r = &d->report;
	bool drawn = !d->opts.non_private && !dx_is_fitted(dx_chosen(d));

	r->scale = (struct rational){ 0, drawn };
	r->error95 = (struct rational){ 0, drawn };
	r->half_width = (struct rational){ 0, 1 };
	r->reach = 0;
	if (drawn && d->t[k].s > 0)
		report_scale(r, &d->t[k], d->fine[k]);
	else if (d->reach != NULL && !rational_make(&r->half_width,
	    (i128)ceil(d->reach[k] * (double)fixed_pow10(d->fine[k])),
	    fixed_pow10(d->fine[k])))
		r->half_width = (struct rational){ 0, 0 };
	r->digits = d->digits[k];
}

/* The queries' largest 95 % error; of fitted answers by that for epsilon 1. */
static bool
largest_error95(void *arg, struct rational eps, struct rational *error95)
{
	struct dx *d = arg;
	size_t k;

	*error95 = (struct rational){ 0, 1 };
	if (dx_is_fitted(d->fitted))
		return d->error95 <= 0 || (upward_double(d->error95,
		    error95) && upward_div(error95, *error95, eps));
	if (!settle_all(d, eps))
		return false;
	for (k = 0; k < d->u.w.k; k++) {
		dx_describe(d, k);
		if (d->report.error95.den == 0)
			return false;
		if (rational_cmp(d->report.error95, *error95) > 0)
			*error95 = d->report.error95;
	}
	return true;
}

/*
 * Noise on the coefficients' grid may not fit 63 bits with many digits: then
 * the last digits are dropped, a public step.
 */
void
dx_fit(struct dx *d)
{
	enum dx_strategy which = dx_chosen(d);
	bool fitted = dx_is_fitted(which), fits;
	const struct opts *o = &d->opts;
	int64_t most = WORKLOAD_MOST;

	for (;; most /= 1000) {
		if (most < 1000000)
			err_die(STATUS_USAGE, "the scales do not fit 64 bits "
			    "on their grids; give fewer --digits");
		universe_queries(&d->u, most);
		dx_begin(d, which);
		if (!fitted)
			dx_strategy(d, which, &d->s);
		if (o->within.den > 0) {
			if (fitted)
				d->error95 = dx_fitted_error95(d);
			d->eps = within_epsilon(within_bound(o, 1),
			    largest_error95, d);
			d->report.eps = d->eps;
		}
		if (fitted && !o->non_private)
			fits = dx_fitted_settle(d);
		else
			fits = settle_all(d, d->eps);
		if (fits)
			return;
		dx_free_scales(&d->s);
		plan_close(&d->plan);
	}
}
