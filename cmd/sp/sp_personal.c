/*
 * sp_personal: records with an epsilon of their own.
 *
 * --epsilon-column samples records, so it works for any number of them.  With
 * --epsilon-level (two_class.h) each record has its own S_i instead, and none
 * is lost.  sp-exec has columns of epsilons and of sensitivities but
 * little of this code: there an epsilon becomes a sensitivity.
 */
#include "sp_personal.h"

#include "two_class.h"
#include "personal.h"
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
	if (sp->parts == 2 || (sp->size > 0 && o->nranges == 2))
		die(STATUS_USAGE, "--epsilon-level takes one column of "
		    "values");
}

static void
check_epsilon(const struct sp *sp)
{
	const struct opts *o = &sp->opts;

	if (sp->has_level)
		check_level(sp);
	if (sp->opts.own_column == NULL)
		return;
	if (!o->has_eps && !o->has_within && !o->explain && !o->check)
		die(STATUS_USAGE, "--epsilon-column needs -e E");
	if (o->neighbors == NEIGHBORS_SWAP)
		die(STATUS_USAGE, "--epsilon-column is for --neighbors "
		    "add-remove: a swap may bring in a record of another "
		    "epsilon");
	if (o->unit != NULL)
		die(STATUS_USAGE, "--epsilon-column and --unit exclude each "
		    "other");
	if (!sp->command && !sp->has_level && o->repeat > 1)
		die(STATUS_USAGE, "--epsilon-column makes one release of its "
		    "sample of the records: no -n with it");
}

/* error95 is that of the noise. */
static void
note_epsilon(struct sp *sp)
{
	struct report *r = &sp->report;
	char level[FIXED_TEXT];

	report_note(r, "epsilon_column", "each record has its own epsilon, at "
	    "most the one above");
	if (sp->has_level)
		report_note(r, "epsilon_level", "a record counts with E, with "
		    "%s or not at all", rational_text(level, sp->level_arg));
	else if (!sp->command)
		report_note(r, "sampling", "a record of epsilon e is kept "
		    "with probability (exp(e) - 1) / (exp(E) - 1); error95 "
		    "leaves this out");
}

void
sp_personal(struct sp *sp)
{
	struct report *r = &sp->report;

	check_epsilon(sp);
	if (sp->has_level)
		report_note(r, "records", "at most %d, a public promise",
		    SP_TWO);
	if (sp->sens_column != NULL)
		report_note(r, "sensitivity_column", "each record moves the "
		    "result by at most its own S");
	if (sp->opts.own_column != NULL)
		note_epsilon(sp);
}

void
sp_levels(const struct sp *sp)
{
	const struct report *r = &sp->report;

	if (!sp->has_level || !r->has_eps)
		return;
	if (rational_cmp(sp->level_arg, r->eps) >= 0)
		die(STATUS_USAGE, "--epsilon-level must be below -e E");
	if (personal_sens(sp->sens, sp->level_arg, r->eps) == 0)
		die(STATUS_USAGE, "--epsilon-level leaves a sensitivity below "
		    "the grid; give more --digits");
}

/* [JYC15] */
uint64_t
sp_keep(struct sp *sp, uint64_t w)
{
	struct rational eps = sp->in.own;
	size_t i = ((uint64_t)eps.num * 31 + (uint64_t)eps.den) *
	    UINT64_C(0x9e3779b97f4a7c15) >> 58;

	if (rational_cmp(eps, sp->report.eps) >= 0)
		return w;
	if (sp->known[i].eps.num != eps.num ||
	    sp->known[i].eps.den != eps.den) {
		sp->known[i].eps = eps;
		sp->known[i].keep = personal_keep(eps, sp->report.eps);
	}
	return personal_thin(&sp->rng, w, sp->known[i].keep);
}

/* The epsilon is rounded down to one of the two levels, or to none. */
void
sp_level_add(struct sp *sp, int64_t x)
{
	bool full = rational_cmp(sp->in.own, sp->report.eps) >= 0;

	if (!full && rational_cmp(sp->in.own, sp->level_arg) < 0)
		return;
	if (sp->two[0].n + sp->two[1].n == SP_TWO)
		die(STATUS_INPUT, "more than %d records: with --epsilon-level "
		    "the work is n^3, and n <= %d is a public promise",
		    SP_TWO, SP_TWO);
	column_add(&sp->two[full], x, 1, false);
}

/* [CD20 Proposition 7.3] with S_i = S E1 / E, or S */
int64_t
sp_level_ordered(const struct sp *sp, const struct ordered *f)
{
	struct record_class c[2];
	int64_t value;
	int less;

	for (int i = 0; i < 2; i++) {
		struct column sorted = sp->two[i];

		column_sort(&sorted, 1);
		c[i] = (struct record_class){ sorted.x, sorted.n, sp->sens };
	}
	c[0].sens = personal_sens(sp->sens, sp->level_arg, sp->report.eps);
	less = c[1].n < c[0].n;
	if (!two_class_value(f, &c[less], &c[!less], &value))
		die(STATUS_INPUT, "out of memory");
	return value;
}
