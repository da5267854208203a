/*
 * lap_mean: the operation mean of laplace under swap.
 *
 * [DMNS06 Section 3.2] n is public: the noise goes on the sums, whose l1
 * sensitivity is sum (B - A), and the noisy sums are divided by n.
 */
#include "lap_ops.h"

#include <stdlib.h>

#include "tool/err.h"

i128
lap_nearest(i128 x, i128 n)
{
	i128 low = fixed_floor_div(x, n), rest = x - low * n;

	return low + (rest >= n - rest);
}

/* Makes the report of the sums one of means of n records. */
static bool
per_record(struct lap *l, u128 n)
{
	struct report *r = &l->report;
	struct rational size, limit;

	if (!rational_make(&size, (i128)(n > 0 ? n : 1), 1) ||
	    !rational_div(&r->sens, r->sens, size) ||
	    (r->has_scale && !rational_div(&r->scale, r->scale, size)) ||
	    (r->has_error && !rational_div(&r->error95, r->error95, size)))
		return false;
	if (l->opts.digits >= 0)
		return l->opts.digits <= l->cell_digits;
	limit = l->opts.non_private || !r->has_scale ? r->sens : r->scale;
	r->digits = lap_digits(l, limit, true);
	if (r->digits < 0 || r->digits > l->cell_digits)
		r->digits = l->cell_digits;
	return true;
}

/* With --size everything is known before the data are read. */
static bool
plan_swap(struct lap *l, bool has_eps, struct rational eps)
{
	return lap_metric_sens(l) && lap_plan(l, has_eps, eps) &&
	    (l->size == 0 || per_record(l, l->size));
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct sums *s = arg;

	sums_add(&s[group], x, w);
}

struct sums *
lap_read_sums(struct lap *l, bool products)
{
	size_t groups = intake_groups(&l->in);
	struct sums *s = err_alloc(NULL, groups, sizeof(*s));

	for (size_t g = 0; g < groups; g++)
		if (!sums_init(&s[g], l->column, l->d, products))
			die(STATUS_INPUT, "out of memory");
	intake_read(&l->in, take, s);
	return s;
}

void
lap_free_sums(struct lap *l, struct sums *s)
{
	for (size_t g = 0; g < intake_groups(&l->in); g++)
		sums_free(&s[g]);
	free(s);
}

u128
lap_everybody(const struct lap *l, const struct sums *s)
{
	u128 n = 0;

	for (size_t g = 0; g < intake_groups(&l->in); g++)
		n += s[g].count;
	if (l->size > 0 && n != l->size)
		die(STATUS_INPUT, "the data do not have the promised --size");
	if (n > SUMS_COUNT)
		die(STATUS_INPUT, "more than 2^62 records");
	return n;
}

i128
lap_mean_of(const struct lap *l, size_t a, i128 sum, u128 n)
{
	const struct sums_column *c = &l->column[a];
	int digits = l->report.digits;

	if (n == 0)
		return lap_round(fixed_floor_div((i128)c->lo + c->hi, 2),
		    l->cell_digits, digits);
	return lap_nearest(sum, (i128)n *
	    fixed_pow10(l->cell_digits - digits));
}

/* The sums' plan for the report of a group of n records. */
static void
replan(struct lap *l, u128 n, int digits)
{
	if (!lap_plan(l, l->opts.has_eps, l->opts.eps) || !per_record(l, n))
		die(STATUS_INPUT, "the mean does not fit its grid");
	if (digits >= 0)
		l->report.digits = digits;
}

static void
write_swap(struct lap *l, struct sums *s)
{
	size_t groups = intake_groups(&l->in), draw = 0;
	int digits;

	replan(l, lap_everybody(l, s), -1);
	digits = l->report.digits;
	lap_begin(l);
	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < groups; g++) {
			if (l->opts.format == FORMAT_JSON) {
				replan(l, s[g].count, digits);
				lap_retail(l);
			}
			for (size_t a = 0; a < l->d; a++)
				lap_number(l, rel, g, a, lap_mean_of(l, a,
				    fixed_add_sat(sums_sum(&s[g], a),
				    l->noise[draw++]), s[g].count), digits);
		}
	lap_free_sums(l, s);
	lap_end(l);
}

static void
swap(struct lap *l)
{
	l->fine = true;
	if (l->metric != NULL)
		report_note(&l->report, "metric", "%s, on the grid of "
		    "the cells", l->metric);
	if (l->opts.has_within && l->size == 0)
		die(STATUS_USAGE, "--within needs --size under swap");
	lap_settle(l, plan_swap);
	if (l->size == 0) {
		char buf[FIXED_TEXT];

		report_note(&l->report, "sensitivity_of_sum", "%s",
		    rational_text(buf, l->report.sens));
		report_note(&l->report, "mean", "the noisy sum divided by "
		    "the public number of records n");
		lap_hide(l);
		l->report.digits = l->opts.digits;
	}
	lap_prepare(l);
	lap_open(l, plan_swap);
	lap_metric_columns(l);
	l->m = l->d;
	lap_name_columns(l);
	lap_values(l);
	write_swap(l, lap_read_sums(l, false));
}

/* [DMNS06 Section 3.2] */
void
lap_mean(struct lap *l)
{
	if (l->opts.neighbors == NEIGHBORS_SWAP)
		swap(l);
	else
		lap_mean_split(l);
}
