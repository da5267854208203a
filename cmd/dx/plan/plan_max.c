/* plan_max: the least largest scale, and what it leaves to the others. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "plan_impl.h"

/*
 * The least max c_k is that of strategy 2: with all scales equal to it the
 * constraints are those of strategy 2.  Then every other scale is lowered as
 * far as the rest allows, in turn.
 */
enum plan_result
plan_max(struct plan *p, struct rational *c, double *gap)
{
	double *rate = calloc(p->k + 1, sizeof(*rate));
	double *dir = calloc(p->k + 1, sizeof(*dir)), t;
	enum plan_result r = PLAN_NO_MEMORY;
	struct pair at;
	size_t k;

	if (rate != NULL && dir != NULL)
		r = plan_equal(p, c);
	if (r == PLAN_OK)
		plan_rates(p, c, rate);
	for (k = 0; r == PLAN_OK && k < p->k; k++) {
		dir[k] = 1;
		t = plan_step(p, rate, dir, SLOPE_NONE, &at);
		dir[k] = 0;
		if (t < 0)
			r = PLAN_NO_MEMORY;
		else if (t > 1e-9 * p->most[k])
			rate[k] += t;
	}
	if (r == PLAN_OK)
		r = plan_finish(p, rate, c);
	free(rate);
	free(dir);
	*gap = 0;
	return r;
}
