/*
 * lap_box: K-norm noise for the totals of all columns, one draw for a group.
 *
 * knorm.c has the law and the proof.  A record that comes or goes is in one
 * group, and moves this group's totals within the box; groups are disjoint.
 * Where the count has a part of E, the box has the rest: E together.
 */
#include <math.h>
#include <stdlib.h>

#include "laplace/answer/cover.h"
#include "lap.h"
#include "number/sort.h"
#include "random/meter.h"
#include "tool/err.h"

#define LOOKS 16000		/* numbers drawn by public coins */
#define TRIES 100		/* attempts at a draw, on average */
#define TRIED 5000		/* numbers drawn for one, on average */

/* A side of no step would be a number that a record never moves. */
bool
lap_box_plan(struct lap *l, struct knorm body, u128 records, unsigned count)
{
	struct knorm *k = &l->plan.box;
	struct rational own = { count, LAP_COUNT }, eps = lap_epsilon(l);
	struct rational rest = { LAP_COUNT - (i128)count, LAP_COUNT };

	records *= l->opts.unit.records;
	for (size_t c = 0; c < body.d; c++)
		if (l->plan.side[c].up + l->plan.side[c].down == 0)
			l->plan.side[c] = (struct knorm_side){ 1, 1 };
	*k = body;
	k->side = l->plan.side;
	l->plan.count = (struct scale){ 0, 1 };
	if (!rational_mul(&own, own, eps) || !rational_mul(&rest, rest, eps) ||
	    !knorm_make(k, records, rest))
		return false;
	return count == 0 || scale_make(&l->plan.count, k->m * records, own);
}

/*
 * By the mean squares of noise with a large radius: with the count it has the
 * part (d + 2)(d + 3)/6 of the squared larger side, and as much of the squared
 * smaller one; without it 2 (d + 1)(d + 2)/6 of the larger.
 */
bool
lap_box_counted(struct lap *l)
{
	struct knorm_side *side = l->plan.side;
	double d = (double)l->plan.d, squares = 0;
	bool counted;

	for (size_t c = 0; c < l->plan.d; c++) {
		double up = (double)side[c].up, down = (double)side[c].down;
		double part = fmin(up, down) / fmax(fmax(up, down), 1);

		squares += 1 + part * part;
	}
	counted = squares / d * (d + 3) < 2 * (d + 1);
	for (size_t c = 0; !counted && c < l->plan.d; c++)
		side[c].down = side[c].up = FIXED_MOST(FIXED_MOST(side[c].up,
		    side[c].down), 1);
	return counted;
}

static bool
box_alike(const struct knorm_side *a, const struct knorm_side *b)
{
	return a->up == b->up && a->down == b->down;
}

/* From n draws x of every number, in steps: of all that are like number c. */
static int64_t
box_error95(const struct knorm *k, const int64_t *x, size_t n, size_t c)
{
	int64_t *y = err_alloc(NULL, k->d * n, sizeof(*y)), error;
	size_t many = 0;

	for (size_t i = 0; i < k->d * n; i++)
		if (box_alike(&k->side[i % k->d], &k->side[c]))
			y[many++] = x[i];
	sort_grid(y, many);
	error = y[many - 1 - many / 20];
	free(y);
	return error;
}

bool
lap_box_look(struct lap *l)
{
	const struct knorm *k = &l->plan.box;
	size_t most = LOOKS / k->d + LOOKS / 16, n = 0;
	size_t tries = FIXED_LEAST(TRIES, TRIED / k->d + 1);
	i128 *z = err_alloc(NULL, k->d + 1, sizeof(*z));
	int64_t *x = err_alloc(NULL, k->d * most, sizeof(*x));
	struct rng r;

	l->error95 = err_alloc(l->error95, k->d, sizeof(*l->error95));
	rng_seeded(&r, 1, "box");
	for (size_t i = 0; n < most && i < tries * (n + 8); i++) {
		if (!knorm_try(&r, k, z))
			continue;
		for (size_t c = 0; c < k->d; c++)
			x[n * k->d + c] = (int64_t)(FIXED_MOST(z[c], -z[c]) /
			    (i128)k->m);
		n++;
	}
	for (size_t c = 0; n == most && c < k->d; c++)
		if (c > 0 && box_alike(&k->side[c], &k->side[c - 1]))
			l->error95[c] = l->error95[c - 1];
		else
			l->error95[c] = box_error95(k, x, n, c);
	free(x);
	free(z);
	return n == most;
}

struct cover_noise
lap_box_cover(const struct lap *l)
{
	const struct scale *t = &l->plan.count;
	const struct knorm *k = &l->plan.box;
	double record = (double)k->m * (double)l->opts.unit.whole;
	const struct spread_part part = knorm_part(k, 0, 2 /
	    (double)l->opts.unit.whole);

	return (struct cover_noise){ .scale = (double)t->s / (double)t->r /
	    record, .step = 2 * KNORM_BLUR / record, .alpha = lap_alpha(l),
	    .times = 1, .pairs = 1, .shape = part.shape, .radius = part.a[0],
	    .counted = k->counted };
}

void
lap_box_draw(struct lap *l, size_t group, i128 *x)
{
	const struct knorm *k = &l->plan.box;
	const struct total *t = l->total + group * l->m;
	i128 *exact = err_alloc(NULL, 2 * (k->d + 1), sizeof(*exact));
	i128 *noise = l->opts.non_private ? NULL : exact + k->d + 1;
	i128 n = 0;

	for (size_t i = 0; i <= k->d; i++)
		exact[i] = total_value(&t[i]);
	if (noise != NULL)
		knorm_draw(&l->rng, k, noise);
	knorm_add(k, exact, noise, x);
	if (!k->counted)
		n = x[k->d] = exact[k->d] * (i128)k->m;
	if (!k->counted && noise != NULL && l->plan.count.s != 0)
		x[k->d] = METER_NOISY(fixed_add_sat(n, noise_laplace(&l->rng,
		    &l->plan.count)), n, &l->plan.count);
	free(exact);
}
