/*
 * lap_mean: the operation mean of laplace under swap.
 *
 * [DMNS06 Section 3.2] n is public: the noise goes on the sums, and the noisy
 * sums are divided by n.  A record moves the sum of a column by B - A at most;
 * under a metric it moves all of them by its distance times a factor, in l1
 * norm.
 */
#include <math.h>
#include <stdlib.h>

#include "cover.h"
#include "lap_run.h"
#include "lap_unity.h"
#include "tool/err.h"

/*
 * What all the noise of column c has to hide, and whether that is the metric's
 * word; else each column has its own share of epsilon.
 */
static bool
column_sens(const struct lap *l, size_t c, struct rational *s, bool *metric)
{
	const struct rational d = { (i128)l->plan.d, 1 };

	if (!lap_metric_sens(l, s))
		return false;
	*metric = rational_sign(*s) > 0;
	return *metric || (lap_width(l, c, s) && rational_mul(s, *s, d));
}

/* Decimals of the mean of column c, no more than those of its cells. */
static bool
mean_digits(struct lap *l, size_t c)
{
	struct lap_noise *n = &l->plan.noise[c];
	struct rational s;
	bool metric;

	if (!column_sens(l, c, &s, &metric) || !rational_div(&s, s,
	    (struct rational){ (i128)l->plan.divisor, 1 }))
		return false;
	n->digits = lap_scale_digits(l, s, c);
	if (l->opts.digits < 0 && (n->digits < 0 || n->digits > n->cell))
		n->digits = n->cell;
	return n->digits <= n->cell;
}

/* The sum of column c on the finest grid on which it fits. */
static bool
plan_column(struct lap *l, size_t c)
{
	struct lap_noise *n = &l->plan.noise[c];
	struct rational s;
	int64_t steps = 0;
	bool metric;
	int k, least;

	if (!column_sens(l, c, &s, &metric))
		return false;
	least = lap_scale_digits(l, s, c);
	for (k = lap_cell_digits(l, least); least >= 0 && k >= least; k--) {
		n->cell = n->digits = k;
		if (!lap_column(l, c, k, LAP_ZERO) ||
		    (metric && !rational_grid(s, k, FIXED_CEIL, &steps)))
			continue;
		if (metric ? lap_noise_fine(l, c, (u128)steps, 1) :
		    lap_noise_fine(l, c, sums_sens_sum(&l->plan.column[c], 1,
		    NEIGHBORS_SWAP), l->plan.d))
			return mean_digits(l, c);
	}
	return false;
}

/* With --size everything is known before the data are read. */
static bool
plan(struct lap *l)
{
	lap_room(l, l->plan.d);
	l->plan.divisor = l->args.size > 0 ? l->args.size : 1;
	for (size_t c = 0; c < l->plan.d; c++)
		if (!plan_column(l, c))
			return false;
	return true;
}

/*
 * Half the interval of a sum; with --population the noise and a normal error,
 * of the largest variance that the mean allows.
 */
static i128
reach_of(const struct lap *l, size_t c, double mean, u128 n)
{
	const struct lap_noise *noise = &l->plan.noise[c];
	const struct sums_column *col = &l->plan.column[c];
	const struct rational *p = &l->opts.interval;
	double b = (double)noise->t.s / (double)noise->t.r, one = 1, error;

	if (!l->args.population)
		return noise->reach;
	mean = fmin(fmax(mean, (double)col->lo), (double)col->hi);
	error = sqrt((mean - (double)col->lo) * ((double)col->hi - mean) *
	    (double)n * (double)opts_whole(&l->opts));
	return (i128)ceil(b * cover_spread(&one, 1, 1, error / b,
	    (double)(p->den - p->num) / (double)p->den)) + 1;
}

/* The mean of column c of n records from their noisy sum. */
static struct answer
mean_of(const struct lap *l, size_t c, i128 sum, u128 n)
{
	const struct lap_noise *noise = &l->plan.noise[c];
	const struct sums_column *col = &l->plan.column[c];
	i128 by = (i128)n * fixed_pow10(noise->cell - noise->digits), reach;

	if (n == 0)
		return answer_make(fixed_floor_div((i128)col->lo + col->hi, 2),
		    0, noise->cell, noise->digits);
	reach = reach_of(l, c, (double)sum / (double)n, n);
	return (struct answer){ fixed_div(sum, by, FIXED_NEAREST),
	    fixed_div(fixed_add_sat(sum, -reach), by, FIXED_FLOOR),
	    fixed_div(fixed_add_sat(sum, reach), by, FIXED_CEIL) };
}

/* In groups of several sizes the scales differ: then none is reported. */
static void
declare(struct lap *l, struct sums *s)
{
	u128 n = lap_all_records(l, s);

	l->plan.divisor = n / opts_whole(&l->opts);
	if (l->plan.divisor == 0)
		l->plan.divisor = 1;
	lap_begin(l);
	for (size_t c = 0; c < l->plan.d; c++) {
		if (!mean_digits(l, c))
			die(STATUS_INPUT, "the mean does not fit its grid");
		lap_describe(l, c);
		if (l->in.groups > 1)
			lap_hide(l);
		release_answer(&l->out, lap_name(l, c), "mean",
		    l->plan.noise[c].digits);
	}
	lap_header(l);
}

static void
write_means(struct lap *l, struct sums *s)
{
	size_t d = l->plan.d;
	struct answer *answer = err_alloc(NULL, d, sizeof(*answer));

	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < l->in.groups; g++) {
			for (size_t c = 0; c < d; c++)
				answer[c] = mean_of(l, c, fixed_add_sat(
				    sums_sum(&s[g], c), lap_draw(l,
				    &l->plan.noise[c].t)), s[g].count);
			lap_row(l, rel, g, answer);
		}
	free(answer);
	lap_free_sums(l, s);
}

static void
swap(struct lap *l)
{
	struct sums *s;
	char buf[FIXED_TEXT];

	if (l->args.metric != NULL)
		report_note(&l->report, "metric", "%s, on the grid of "
		    "the cells", l->args.metric);
	if (l->opts.has_within && l->args.size == 0)
		die(STATUS_USAGE, "--within needs --size under swap");
	lap_settle(l, plan);
	if (l->args.size == 0) {
		if (l->report.sens.num != 0)
			report_note(&l->report, "sensitivity_of_sum", "%s",
			    rational_text(buf, l->report.sens));
		report_note(&l->report, "mean", "the noisy sum divided by "
		    "the public number of records n");
		if (l->plan.d == 1)
			report_note(&l->report, "scale_formula",
			    "sensitivity_of_sum / (n E)");
		else
			report_note(&l->report, "scale_formula", "%zu times "
			    "the sensitivity / (n E), of each mean",
			    l->plan.d);
		lap_hide(l);
		l->report.digits = l->opts.digits;
	}
	lap_prepare(l);
	lap_open(l, plan);
	lap_metric_columns(l);
	s = lap_read_sums(l, SUMS_ALONE);
	declare(l, s);
	write_means(l, s);
	lap_end(l);
}

/* [DMNS06 Section 3.2] */
void
lap_mean(struct lap *l)
{
	if (l->opts.neighbors == NEIGHBORS_SWAP)
		swap(l);
	else
		lap_unity(l);
}
