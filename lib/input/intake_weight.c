/* intake_weight: how often a record counts. */
#include "intake_weight.h"

#include "random/personal.h"
#include "shares.h"

/* A record with this parameter: its chance to be kept, or its weight. */
static uint64_t
weight_own_part(struct intake *in, struct rational eps)
{
	struct rational all = in->o->eps;
	size_t i = ((uint64_t)eps.num * 31 + (uint64_t)eps.den) *
	    UINT64_C(0x9e3779b97f4a7c15) >> 58;

	if (in->known[i].eps.num == eps.num && in->known[i].eps.den == eps.den)
		return in->known[i].keep;
	in->known[i].eps = eps;
	in->known[i].keep = in->o->op.own_weight ?
	    shares_own(eps, all, in->o->unit.whole) : personal_keep(eps, all);
	return in->known[i].keep;
}

/*
 * Each of w records counts with its part, or [JYC15] some of them are kept.  w
 * is 2^40 at most, under add-remove.
 */
bool
weight_own(struct intake *in, uint64_t *w)
{
	struct rational own;

	if (!intake_rational(&in->cells[in->at[CELL_OWN]], &own)) {
		intake_forgive(in);
		return false;
	}
	if (rational_sign(own) <= 0)
		return false;
	if (in->o->op.own_weight)
		*w *= weight_own_part(in, own);
	else if (!in->o->op.own_whole)
		*w = personal_thin(in->rng, *w, weight_own_part(in, own));
	return *w > 0;
}

/* In units, at most as many as --most has. */
bool
weight_sampled(struct intake *in, uint64_t *w)
{
	const struct sampling *s = &in->o->sampling;
	struct bounds b = { -1, s->units, 0, s->digits };
	int64_t x;

	if (!intake_number(&in->cells[in->at[CELL_SAMPLING]], &b, &x) ||
	    x < 0) {
		intake_forgive(in);
		return false;
	}
	if (in->people != NULL)
		in->x[in->k] = x;
	else
		*w = (uint64_t)x;
	return x > 0 || in->people != NULL;
}

bool
intake_weight(const struct opts *o, const struct cell *cell, uint64_t *w)
{
	int64_t x;

	if (cell->missing || !fixed_whole(cell->text, cell->len, &x) || x < 0)
		return false;
	*w = (uint64_t)(x < INTAKE_WEIGHT || (o->unit.column == NULL &&
	    o->neighbors == NEIGHBORS_SWAP) ? x : INTAKE_WEIGHT);
	return true;
}
