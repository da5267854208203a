/*
 * look: what the error of a box cut by --norm is, from draws by public coins.
 *
 * A seed that everybody knows makes a public table, which says nothing of data.
 */
#include <stdlib.h>

#include "laplace/plan/plan.h"
#include "number/sort.h"
#include "tool/err.h"

#define LOOKS 16000		/* numbers drawn by public coins */
#define TRIES 100		/* attempts at a draw, on average */
#define TRIED 5000		/* numbers drawn for one, on average */

static bool
look_alike(const struct knorm_side *a, const struct knorm_side *b)
{
	return a->up == b->up && a->down == b->down;
}

/* From n draws x of every number, in steps: of all that are like number c. */
static int64_t
look_error95(const struct knorm *k, const int64_t *x, size_t n, size_t c)
{
	int64_t *y = err_alloc(NULL, k->d * n, sizeof(*y)), error;
	size_t many = 0;

	for (size_t i = 0; i < k->d * n; i++)
		if (look_alike(&k->side[i % k->d], &k->side[c]))
			y[many++] = x[i];
	sort_grid(y, many);
	error = y[many - 1 - many / 20];
	free(y);
	return error;
}

bool
lap_box_look(struct lap_plan *p)
{
	const struct knorm *k = &p->box;
	size_t most = LOOKS / k->d + LOOKS / 16, n = 0;
	size_t tries = FIXED_LEAST(TRIES, TRIED / k->d + 1);
	i128 *z = err_alloc(NULL, k->d + 1, sizeof(*z));
	int64_t *x = err_alloc(NULL, k->d * most, sizeof(*x));
	struct rng r;

	p->error95 = err_alloc(p->error95, k->d, sizeof(*p->error95));
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
		if (c > 0 && look_alike(&k->side[c], &k->side[c - 1]))
			p->error95[c] = p->error95[c - 1];
		else
			p->error95[c] = look_error95(k, x, n, c);
	free(x);
	free(z);
	return n == most;
}
