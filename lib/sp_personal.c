/*
 * sp_personal: records with an epsilon or a sensitivity of their own.
 *
 * --epsilon-column samples records, so it works for any number of them;
 * --sensitivity-column goes over all subsets.  sp-exec has columns of the same
 * names but not this code: there an epsilon becomes a sensitivity.
 */
#include "sp.h"

#include "err.h"
#include "personal.h"

static void
check_epsilon(const struct sp *sp)
{
	const struct opts *o = &sp->opts;

	if (!o->has_eps && !o->has_within && !o->explain && !o->check)
		die(STATUS_USAGE, "--epsilon-column needs -e E");
	if (o->neighbors == NEIGHBORS_SWAP)
		die(STATUS_USAGE, "--epsilon-column is for --neighbors "
		    "add-remove: a swap may bring in a record of another "
		    "epsilon");
	if (sp->command)
		return;
	if (sp->sens_column != NULL)
		die(STATUS_USAGE, "--epsilon-column and --sensitivity-column "
		    "exclude each other (sp-exec takes both)");
	if (o->repeat > 1)
		die(STATUS_USAGE, "--epsilon-column makes one release of its "
		    "sample of the records: no -n with it");
}

static void
check_sensitivity(const struct sp *sp)
{
	const struct opts *o = &sp->opts;

	if (sp->command)
		return;
	if (o->weight != NULL || o->group != NULL)
		die(STATUS_USAGE, "--sensitivity-column is for at most %d "
		    "records: no --%s with it", SUBSETS_MAX,
		    o->weight != NULL ? "weight" : "group");
	if (sp->parts == 2 || (sp->size > 0 && o->nranges == 2))
		die(STATUS_USAGE, "--sensitivity-column takes one column "
		    "(sp-exec takes two)");
}

void
sp_personal(struct sp *sp)
{
	struct report *r = &sp->report;

	if (sp->eps_column != NULL)
		check_epsilon(sp);
	if (sp->sens_column != NULL)
		check_sensitivity(sp);
	if (sp->sens_column != NULL && !sp->command)
		report_note(r, "records", "at most %d, a public promise",
		    SUBSETS_MAX);
	if (sp->sens_column != NULL)
		report_note(r, "sensitivity_column", "each record moves the "
		    "result by at most its own S");
	if (sp->eps_column != NULL)
		report_note(r, "epsilon_column", "each record has its own "
		    "epsilon, at most the one above");
	if (sp->eps_column != NULL && !sp->command)
		report_note(r, "sampling", "a record of epsilon e is kept "
		    "with probability (exp(e) - 1) / (exp(E) - 1); error95 "
		    "leaves this out");
}

/* [JYC15] */
uint64_t
sp_keep(struct sp *sp, uint64_t w)
{
	struct rational eps = sp->in.own;
	size_t i = ((uint64_t)eps.num * 31 + (uint64_t)eps.den) *
	    UINT64_C(0x9e3779b97f4a7c15) >> 58;

	if (rational_cmp(eps, sp->opts.eps) >= 0)
		return w;
	if (sp->level[i].eps.num != eps.num ||
	    sp->level[i].eps.den != eps.den) {
		sp->level[i].eps = eps;
		sp->level[i].keep = personal_keep(eps, sp->opts.eps);
	}
	return personal_thin(&sp->rng, w, sp->level[i].keep);
}

/* The smaller of the record's S, rounded down, and the public one. */
void
sp_few(struct sp *sp, int64_t x)
{
	struct few *few = &sp->few;
	int64_t s = sp->sens, own;

	if (rational_grid(sp->in.own, sp->report.digits, FIXED_FLOOR, &own) &&
	    own < s)
		s = own;
	if (s == 0)
		return;
	if (few->n == SUBSETS_MAX)
		die(STATUS_INPUT, "more than %d records: with "
		    "--sensitivity-column the work is 2^n, and n <= %d is a "
		    "public promise", SUBSETS_MAX, SUBSETS_MAX);
	few->x[few->n] = x;
	few->sens[few->n++] = s;
}
