/*
 * lap_mean_split: the operation mean of laplace under add-remove.
 *
 * [DMNS06 Section 3.2] n is private.  Half of the budget goes to the sums
 * about the middles M of the ranges, whose l1 sensitivity is sum max(B - M,
 * M - A), half to the count, which moves by 1.  M plus their quotient,
 * clamped to the range, is post-processing.
 */
#include "lap_ops.h"

#include <stdlib.h>

#include "tool/err.h"

static const struct rational two = { 2, 1 };

/* The plan with half of the budget; what is printed goes by the range. */
static bool
plan_split(struct lap *l, bool has_eps, struct rational eps)
{
	struct report *r = &l->report;
	struct rational half = eps;
	int digits;

	if ((has_eps && !rational_div(&half, eps, two)) ||
	    !lap_plan(l, has_eps, half))
		return false;
	r->eps = eps;
	digits = lap_wide_digits(l, false);
	r->digits = l->opts.digits >= 0 ? l->opts.digits :
	    digits < 0 || digits > l->cell_digits ? l->cell_digits : digits;
	return r->digits <= l->cell_digits;
}

static void
note_split(struct lap *l)
{
	struct report *r = &l->report;
	struct rational scale;
	char sens[FIXED_TEXT], text[FIXED_TEXT];

	report_note(r, "split", "E/2 for the sum about the middle of the "
	    "range, E/2 for the count");
	report_note(r, "sensitivity_of_sum", "%s", rational_text(sens,
	    r->sens));
	report_note(r, "sensitivity_of_count", "1");
	if (r->has_scale && rational_div(&scale, two, r->eps)) {
		report_note(r, "scale_of_sum", "%s", rational_text(text,
		    r->scale));
		report_note(r, "scale_of_count", "%s", rational_text(text,
		    scale));
	}
	lap_hide(l);
}

/* The mean without noise. */
static i128
exact(const struct lap *l, size_t a, const struct sums *s)
{
	return lap_mean_of(l, a, fixed_add_sat(sums_sum(s, a),
	    (i128)s->count * l->column[a].center), s->count);
}

/* M + sum / max(1, n), clamped to the range; post-processing. */
static i128
quotient(const struct lap *l, size_t a, i128 sum, i128 n)
{
	const struct sums_column *c = &l->column[a];
	i128 x = c->center + lap_nearest(sum, n < 1 ? 1 : n);

	x = x < c->lo ? c->lo : x > c->hi ? c->hi : x;
	return lap_round(x, l->cell_digits, l->report.digits);
}

static void
write_split(struct lap *l, struct sums *s, const i128 *count)
{
	size_t groups = intake_groups(&l->in), draw = 0, drawn = 0;

	lap_begin(l);
	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < groups; g++) {
			i128 n = (i128)s[g].count + count[drawn++];

			for (size_t a = 0; a < l->d; a++)
				lap_number(l, rel, g, a, l->opts.non_private ?
				    exact(l, a, &s[g]) : quotient(l, a,
				    fixed_add_sat(sums_sum(&s[g], a),
				    l->noise[draw++]), n), l->report.digits);
		}
	lap_free_sums(l, s);
	lap_end(l);
}

/* [DMNS06 Section 3.2] */
void
lap_mean_split(struct lap *l)
{
	struct rational half;
	struct scale t = { 1, 1 };
	i128 *count;

	l->fine = l->centred = true;
	if (l->opts.has_within)
		die(STATUS_USAGE, "a mean under add-remove is a quotient: "
		    "--within is for additive noise");
	lap_settle(l, plan_split);
	note_split(l);
	lap_prepare(l);
	lap_open(l, plan_split);
	lap_hide(l);
	l->m = l->d;
	lap_name_columns(l);
	lap_values(l);
	if (l->opts.has_eps && (!rational_div(&half, l->opts.eps, two) ||
	    !scale_make(&t, 1, half)))
		die(STATUS_USAGE, "epsilon is too small");
	count = lap_draw(l, intake_groups(&l->in) * l->opts.repeat, &t);
	write_split(l, lap_read_sums(l, false), count);
	free(count);
}
