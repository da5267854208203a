/* dx_common: what all strategies share: grids, room, and words of failure. */
#include "dx.h"
#include "dx/plan/plan.h"
#include "dx/plan/slope.h"
#include "number/fixed.h"
#include "number/memory.h"
#include "tool/err.h"


#define ERROR_PARTS 1000	/* grid steps in a scale */

enum dx_strategy
dx_chosen(const struct dx *d)
{
	int s = 0;

	while (!d->strategy[s])
		s++;
	return (enum dx_strategy)s;
}

void
dx_failed(const struct dx *d, enum plan_result r)
{
	const struct pair *at = &d->plan.worst;

	if (dx_is_fitted(d->fitted))
		at = &d->tree.worst;
	if (r == PLAN_INFINITE && at->i == at->j)
		err_die(STATUS_INPUT, "two records of the universe have "
		    "distance 0: no finite noise on the count of each is "
		    "private");
	if (r == PLAN_INFINITE)
		err_die(STATUS_INPUT, "records %zu and %zu of the universe "
		    "have distance 0 but unequal coefficients: no finite noise "
		    "is private", FIXED_LEAST(at->i, at->j) + 1,
		    FIXED_MOST(at->i, at->j) + 1);
	if (r == PLAN_RANGE)
		err_die(STATUS_INPUT, "a scale is out of range");
}

int
dx_scale_digits(struct rational c)
{
	int digits = 0;

	grid_limit(&digits, c, ERROR_PARTS);
	return digits < 0 ? FIXED_DIGITS : digits;
}

void
dx_room(struct dx *d, size_t noises)
{
	d->digits = err_alloc(d->digits, d->u.w.k, sizeof(*d->digits));
	d->fine = err_alloc(d->fine, d->u.w.k, sizeof(*d->fine));
	d->t = err_alloc(d->t, noises, sizeof(*d->t));
}
