/* intake_weight: how often a record counts. */
#include "intake_weight.h"

#include "random/personal.h"
#include "shares.h"

/* A record with this parameter: its chance to be kept, or its weight. */
static uint64_t
weight_own_part(struct intake *in)
{
	struct rational eps = in->own, all = in->o->eps;
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
 * What w records with this parameter weigh: each its part, or [JYC15] those
 * that are kept.  w is 2^40 at most, under add-remove.
 */
static uint64_t
weight_of_own(struct intake *in, uint64_t w)
{
	if (in->o->op.own_whole)
		return w;
	if (in->o->op.own_weight)
		return w * weight_own_part(in);
	return personal_thin(in->rng, w, weight_own_part(in));
}

bool
weight_own(struct intake *in, uint64_t *w)
{
	if (!intake_rational(&in->cells[in->at[CELL_OWN]], &in->own)) {
		intake_forgive(in);
		return false;
	}
	if (rational_sign(in->own) <= 0)
		return false;
	*w = weight_of_own(in, *w);
	return *w > 0;
}

/* The weight in units, at most as many as --most has. */
static bool
weight_units(const struct opts *o, const struct cell *cell, uint64_t *units)
{
	const struct sampling *s = &o->sampling;
	struct bounds b = { -1, s->units, 0, s->digits };
	int64_t x;

	if (!intake_number(cell, &b, &x) || x < 0)
		return false;
	*units = (uint64_t)x;
	return true;
}

bool
weight_sampled(struct intake *in, uint64_t *w)
{
	uint64_t units;

	if (!weight_units(in->o, &in->cells[in->at[CELL_SAMPLING]], &units)) {
		intake_forgive(in);
		return false;
	}
	if (in->people == NULL)
		*w = units;
	else
		in->x[in->k] = (int64_t)units;
	return units > 0 || in->people != NULL;
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
