/*
 * box: K-norm noise for the totals of all columns, one draw for a group.
 *
 * knorm.c has the law and the proof.  A record that comes or goes is in one
 * group, and moves this group's totals within the box; groups are disjoint.
 * Where the count has a part of E, the box has the rest: E together.
 */
#include <math.h>

#include "plan.h"

/* A side of no step would be a number that a record never moves. */
bool
lap_box_plan(struct lap_plan *p, struct knorm body, u128 records,
    unsigned count)
{
	struct knorm *k = &p->box;
	struct rational own = { count, LAP_COUNT }, eps = lap_epsilon(p);
	struct rational rest = { LAP_COUNT - (i128)count, LAP_COUNT };

	records *= p->opts->unit.records;
	for (size_t c = 0; c < body.d; c++)
		if (p->side[c].up + p->side[c].down == 0)
			p->side[c] = (struct knorm_side){ 1, 1 };
	*k = body;
	k->side = p->side;
	p->counted = true;
	p->count = (struct scale){ 0, 1 };
	if (!rational_mul(&own, own, eps) || !rational_mul(&rest, rest, eps) ||
	    !knorm_make(k, records, rest))
		return false;
	return count == 0 || scale_make(&p->count, k->m * records, own);
}

/*
 * By the mean squares of noise with a large radius: with the count it has the
 * part (d + 2)(d + 3)/6 of the squared larger side, and as much of the squared
 * smaller one; without it 2 (d + 1)(d + 2)/6 of the larger.
 */
bool
lap_box_counted(struct lap_plan *p)
{
	struct knorm_side *side = p->side;
	double d = (double)p->d, squares = 0;
	bool counted;

	for (size_t c = 0; c < p->d; c++) {
		double up = (double)side[c].up, down = (double)side[c].down;
		double part = fmin(up, down) / fmax(fmax(up, down), 1);

		squares += 1 + part * part;
	}
	counted = squares / d * (d + 3) < 2 * (d + 1);
	for (size_t c = 0; !counted && c < p->d; c++)
		side[c].down = side[c].up = FIXED_MOST(FIXED_MOST(side[c].up,
		    side[c].down), 1);
	return counted;
}
