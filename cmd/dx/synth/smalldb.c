/*
 * smalldb: the candidates, their errors, and exact coins.
 *
 * Privacy [KPAK20 Theorem 5].  A record moved from i to j moves q_k(x) by |q_ki
 * - q_kj| <= c eps d(i,j), so no error by more than m times this bound, and the
 * weights exp(-error / 2cm) change by a factor of at most exp(eps d(i,j) / 2),
 * and so does their sum.  The factor n/m that brings m records to the scale of
 * n is missing in the paper.
 *
 * Levels.  Let level(y) = floor(error(y) / t): the weight of y is at most
 * e^-level and at least e^-level / e.  The candidates are looked at once and
 * counted by levels above the lowest; SMALLDB_LEVELS above or more count as
 * SMALLDB_LEVELS.  A draw takes a level by the integers count * 2^-level,
 * scaled, and a uniform candidate on the level, thins by (2/e)^level, which
 * leaves e^-level for each candidate, and keeps the candidate with probability
 * exp(level - error / t), 1/e at least but on the last level.  So a draw takes
 * about two looks, whatever the data.  No weight is ever a real number.
 *
 * The coin of 2/e: start at k = 3, go on to k + 1 with probability 1/k; stop
 * at odd k for heads.  Stopping at k has probability 2/(k-1)! - 2/k!, so
 * heads have 2/2! - 2/3! + 2/4! - ... = 2/e.
 */
#include "smalldb.h"

#include <stdlib.h>
#include <string.h>

#include "number/fixed.h"
#include "random/meter.h"
#include "tool/err.h"

uint64_t
smalldb_candidates(size_t n, size_t m)
{
	size_t small = n > 0 ? FIXED_LEAST(m, n - 1) : m;
	u128 all = n + m - 1, c = 1;

	/* C(all, i) = C(all, i - 1) (all - i + 1) / i, exact in this order */
	for (size_t i = 1; i <= small && c < SMALLDB_MANY; i++)
		c = c * (all - i + 1) / i;
	return (uint64_t)FIXED_LEAST(c, SMALLDB_MANY);
}

size_t
smalldb_fits(size_t n, uint64_t most)
{
	size_t lo = 0, hi = (size_t)1 << 40, mid;

	if (n <= 1)
		return most >= 1 ? hi : 0;
	while (lo < hi) {
		mid = hi - (hi - lo) / 2;
		if (smalldb_candidates(n, mid) <= most)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

void
smalldb_first(struct smalldb *s)
{
	memset(s->y, 0, s->n * sizeof(*s->y));
	s->y[0] = (uint32_t)s->m;
	s->moved = s->m;
	s->at = 0;
	for (size_t k = 0; k < s->k; k++)
		s->left[k] = s->target[k] - (int64_t)s->m * s->q[k];
}

/*
 * The t records of the first element with records go back to element 0, but one
 * record goes a step on [Nijenhuis, Wilf 1978, NEXCOM].
 */
bool
smalldb_next(struct smalldb *s)
{
	const int64_t *from, *to;
	int64_t t;

	if (s->y[s->n - 1] == s->m)
		return false;
	s->at++;
	if (s->moved > 1)
		s->at = 1;
	s->moved = s->y[s->at - 1];
	s->y[s->at - 1] = 0;
	s->y[0] = (uint32_t)s->moved - 1;
	s->y[s->at]++;
	t = (int64_t)s->moved;
	from = s->q + (s->at - 1) * s->k;
	to = s->q + s->at * s->k;
	for (size_t k = 0; k < s->k; k++)
		s->left[k] += from[k] - to[k];
	if (t > 1 && s->at > 1)
		for (size_t k = 0; k < s->k; k++)
			s->left[k] += (t - 1) * (from[k] - s->q[k]);
	return true;
}

int64_t
smalldb_error(const struct smalldb *s)
{
	int64_t worst = 0;

	for (size_t k = 0; k < s->k; k++) {
		worst = FIXED_MOST(worst, s->left[k]);
		worst = FIXED_MOST(worst, -s->left[k]);
	}
	return worst;
}

/* floor(error / t), cut at 2^62. */
static int64_t
level_of(const struct smalldb *s, int64_t error)
{
	u128 level = (u128)(uint64_t)error * s->t.r / s->t.s;

	return (int64_t)FIXED_LEAST(level, (u128)FIXED_MAX);
}

/* Levels above the lowest, as far as they count. */
static size_t
above(const struct smalldb *s, int64_t level)
{
	return (size_t)FIXED_LEAST(level - s->low, SMALLDB_LEVELS);
}

/* A lower level is the lowest now. */
static void
lower_level(struct smalldb *s, int64_t level)
{
	uint64_t old[SMALLDB_LEVELS + 1];
	int64_t low = s->low;

	memcpy(old, s->count, sizeof(old));
	memset(s->count, 0, sizeof(s->count));
	s->low = level;
	for (size_t j = 0; j <= SMALLDB_LEVELS; j++)
		if (old[j] > 0)
			s->count[above(s, low + (int64_t)j)] += old[j];
}

void
smalldb_open(struct smalldb *s)
{
	int64_t level;

	s->y = err_alloc(NULL, s->n, sizeof(*s->y));
	s->left = err_alloc(NULL, s->k, sizeof(*s->left));
	s->low = FIXED_MAX;
	memset(s->count, 0, sizeof(s->count));
	smalldb_first(s);
	do {
		level = level_of(s, smalldb_error(s));
		if (level < s->low)
			lower_level(s, level);
		s->count[above(s, level)]++;
	} while (smalldb_next(s));
}

void
smalldb_close(struct smalldb *s)
{
	free(s->y);
	free(s->left);
}

/* A level that is not thinned away, and a candidate on the level by number. */
static size_t
propose(const struct smalldb *s, struct rng *r, uint64_t *which)
{
	u128 all = 0, x;
	size_t j, left;

	for (j = 0; j <= SMALLDB_LEVELS; j++)
		all += (u128)s->count[j] << (SMALLDB_LEVELS - j);
	do {
		x = rng_below_wide(r, all);
		for (j = 0; x >= (u128)s->count[j] << (SMALLDB_LEVELS - j); j++)
			x -= (u128)s->count[j] << (SMALLDB_LEVELS - j);
		for (left = j; left > 0 && noise_series(r, 3, 1, 1); left--)
			;
	} while (left > 0);
	*which = (uint64_t)(x >> (SMALLDB_LEVELS - j));
	return j;
}

void
smalldb_draw(struct smalldb *s, struct rng *r)
{
	size_t level;
	uint64_t which;
	int64_t error;
	u128 over;

	do {
		level = propose(s, r, &which);
		smalldb_first(s);
		for (;; smalldb_next(s)) {
			error = smalldb_error(s);
			if (above(s, level_of(s, error)) == level &&
			    which-- == 0)
				break;
		}
		over = (u128)(uint64_t)error * s->t.r -
		    (u128)(uint64_t)(s->low + (int64_t)level) * s->t.s;
	} while (!noise_bern_exp(r, over, s->t.s));
	METER_CHOOSE(s);
}
