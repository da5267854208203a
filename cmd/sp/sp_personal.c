/*
 * sp_personal: records with private epsilons.
 *
 * --epsilon-column samples records, for any number of records.  With
 * --epsilon-level (two_class.h) each record has a private S_i instead, and no
 * record is lost.  sp-exec has columns for epsilons and sensitivities but
 * little of this code: sp-exec turns an epsilon into a sensitivity.
 */
#include "sp_personal.h"

#include "two_class.h"
#include "own_sens.h"
#include "tool/err.h"

/* Individual S_i: for single values. */
static void
check_level(const struct sp *sp)
{
	const struct opts *o = &sp->opts;

	if (sp->opts.own_column == NULL)
		die(STATUS_USAGE, "--epsilon-level needs --epsilon-column");
	if (o->weight != NULL || o->group != NULL)
		die(STATUS_USAGE, "--epsilon-level is for at most %d records: "
		    "no --%s with it", SP_TWO, o->weight != NULL ? "weight" :
		    "group");
	if (sp->sens_given > 1 || sp->centers_given > 1 || o->ranges.n > 1)
		die(STATUS_USAGE, "--epsilon-level takes one column of "
		    "values");
}

void
sp_personal(struct sp *sp)
{
	struct report *r = &sp->report;
	char level[FIXED_TEXT];

	if (sp->sens_column != NULL)
		report_note(r, "sensitivity_column", "each record moves the "
		    "result by at most its own S");
	if (sp->level_arg.den == 0)
		return;
	check_level(sp);
	report_note(r, "records", "at most %d, a public promise", SP_TWO);
	report_note(r, "epsilon_level", "a record counts with E, with %s or "
	    "not at all", rational_text(level, sp->level_arg));
}

void
sp_levels(const struct sp *sp)
{
	const struct report *r = &sp->report;

	if (sp->level_arg.den == 0 || r->eps.den == 0)
		return;
	OPTS_REFUSE(
		{ rational_cmp(sp->level_arg, r->eps) >= 0, "--epsilon-level "
		    "must be below -e E" },
		{ own_sens(sp->sens[0], sp->level_arg, r->eps) == 0,
		    "--epsilon-level leaves a sensitivity below the grid; give "
		    "more --digits" });
}

/* The epsilon is rounded down to one of two levels, or to none. */
void
sp_level_add(struct sp *sp, int64_t x)
{
	bool full = rational_cmp(sp->in.own, sp->report.eps) >= 0;

	if (!full && rational_cmp(sp->in.own, sp->level_arg) < 0)
		return;
	if (sp->two[0].n + sp->two[1].n == SP_TWO)
		die(STATUS_INPUT, "more than %d records, which "
		    "--epsilon-level promised not to have: without it "
		    "--epsilon-column samples any number", SP_TWO);
	column_add(&sp->two[full], x, 1, false);
}

/* [CD20 Proposition 7.3] with S_i = S E1 / E, or S */
int64_t
sp_level_ordered(const struct sp *sp, const struct ordered *f)
{
	struct record_class c[2];
	int less;

	for (int i = 0; i < 2; i++) {
		struct column sorted = sp->two[i];

		column_sort(&sorted);
		c[i] = (struct record_class){ sorted.x, sorted.n,
		    sp->sens[0] };
	}
	c[0].sens = own_sens(sp->sens[0], sp->level_arg, sp->report.eps);
	less = c[1].n < c[0].n;
	return two_class_value(f, &c[less], &c[!less]);
}
