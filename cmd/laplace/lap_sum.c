/* lap_sum: the operations count and sum of laplace. */
#include <stdlib.h>

#include "lap_run.h"
#include "lap_universe.h"

static bool
plan_count(struct lap *l)
{
	lap_room(l, 1);
	return lap_count_noise(l, lap_sens(l, 1, 1));
}

static void
take_count(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct lap *l = arg;

	(void)x;
	l->value[group] += (i128)w;
}

/* [DMNS06 Example 1] One record more or less, or one that no longer counts. */
void
lap_count(struct lap *l)
{
	if (l->args.universe != NULL) {
		lap_universe(l);
		return;
	}
	if (l->opts.neighbors == NEIGHBORS_SWAP && l->opts.columns == NULL)
		report_note(&l->report, "swap", "every record counts, so the "
		    "count is public; it gets noise all the same");
	lap_settle(l, plan_count);
	lap_prepare(l);
	lap_open(l, plan_count);
	lap_values(l);
	intake_read(&l->in, take_count, l);
	lap_begin(l);
	release_answer(&l->out, NULL, "count", l->report.digits);
	lap_header(l);
	lap_write(l);
}

/* What a sum over a range moves, exactly; see lap_sens. */
static bool
range_sens(const struct lap *l, const struct range *r, struct rational *s)
{
	struct rational lo = r->lo, hi = r->hi;

	if (l->opts.neighbors == NEIGHBORS_SWAP && opts_public(&l->opts,
	    l->opts.group))
		return rational_sub(s, hi, lo);
	lo.num = rational_sign(lo) < 0 ? -lo.num : lo.num;
	hi.num = rational_sign(hi) < 0 ? -hi.num : hi.num;
	*s = rational_cmp(lo, hi) > 0 ? lo : hi;
	return l->opts.neighbors != NEIGHBORS_SWAP || rational_add(s, *s, *s);
}

/* Column c, whose noise costs one part in d of epsilon, on the finest grid. */
static bool
plan_column(struct lap *l, size_t c)
{
	const struct sums_column *col = &l->plan.column[c];
	struct lap_noise *n = &l->plan.noise[c];
	const struct range *r = opts_range(&l->opts, c);
	struct rational s, d = { (i128)l->plan.d, 1 };
	int k;

	if (!range_sens(l, r, &s) || !rational_mul(&s, s, d))
		return false;
	n->digits = lap_scale_digits(l, s, c);
	if (n->digits < 0)
		return false;
	k = lap_cell_digits(l, n->digits);
	for (; k >= n->digits; k--) {
		n->cell = k;
		if (lap_column(l, c, k, LAP_ZERO) && lap_noise(l, c,
		    lap_sens(l, sums_sens_sum(col, 1, NEIGHBORS_ADD_REMOVE),
		    sums_sens_sum(col, 1, NEIGHBORS_SWAP)), l->plan.d))
			return true;
	}
	return false;
}

static bool
plan_sum(struct lap *l)
{
	lap_room(l, l->plan.d);
	for (size_t c = 0; c < l->plan.d; c++)
		if (!plan_column(l, c))
			return false;
	return true;
}

/* [DMNS06 Section 3.2] */
void
lap_sum(struct lap *l)
{
	struct sums *s;
	size_t d;

	if (l->args.universe != NULL) {
		lap_universe(l);
		return;
	}
	lap_settle(l, plan_sum);
	lap_prepare(l);
	lap_open(l, plan_sum);
	l->m = d = l->plan.d;
	lap_values(l);
	s = lap_read_sums(l, SUMS_ALONE);
	if (l->opts.neighbors == NEIGHBORS_SWAP)
		lap_all_records(l, s);
	for (size_t i = 0; i < l->in.groups * d; i++)
		l->value[i] = sums_sum(&s[i / d], i % d);
	lap_free_sums(l, s);
	lap_begin(l);
	for (size_t c = 0; c < d; c++) {
		lap_describe(l, c);
		release_answer(&l->out, lap_name(l, c), "sum",
		    l->plan.noise[c].digits);
	}
	lap_header(l);
	lap_write(l);
}
