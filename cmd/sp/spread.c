/*
 * spread: exact sensitivity preprocessing of the variance.
 *
 * [CD20 Lemma 6.4] g(D) = min(Var D, g(D - x_1) + S, g(D - x_n) + S) for
 * sorted data, g(empty) = 0.  Unrolled: g(D) = n S + min over windows of
 * consecutive values of Var(window) - k S, k the number of values in it.
 * Rounding is monotone, so floor(g + 1/2) is n S plus the smallest
 * floor(Var + 1/2) - k S, and windows are compared by this integer.
 *
 * Runs: among windows that take c of the w records of a run at their edge,
 * the other K >= 1 records fixed with mean at distance d from the run, the
 * payoff is h(K + c) of spread_bound.c with m = K and delta = d, with equality;
 * it is smallest at c = 0 or c = w.  Windows inside one run have Var = 0 and
 * the whole run is best.  Thus windows of whole runs suffice.
 *
 * The search is branch and bound over boxes of first and last runs, after a
 * few hundred windows of geometric lengths have given a good incumbent.
 */
#include "spread.h"

#include "spread_bound.h"

#define DEPTH 128	/* each side of a box halves at most 41 times */
#define STARTS 8	/* windows tried of each length */

/* Walks downhill from window [i, j] in steps that halve. */
static void
descend(struct spread_runs *s, size_t i, size_t j)
{
	static const int move[6][2] = {
		{ 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 }, { 1, 1 }, { -1, -1 }
	};
	size_t step, a, b;
	int d, round;

	for (step = s->n / 4 + 1; step > 0; step /= 2)
		for (round = 0, d = 0; d < 6 && round < 64; d++) {
			/* Out of range wraps to beyond n. */
			a = i + (size_t)move[d][0] * step;
			b = j + (size_t)move[d][1] * step;
			if (a > b || b >= s->n || !spread_settle(s, a, b))
				continue;
			i = a;
			j = b;
			round++;
			d = -1;
		}
}

/* Finds a good first incumbent. */
static void
scout(struct spread_runs *s)
{
	size_t len, start, i, j, t;

	s->best = 0;
	i = j = 0;
	for (len = s->n; len > 0; len -= len / 8 + 1)
		for (t = 0; t < STARTS; t++) {
			start = (s->n - len) / (STARTS - 1) * t;
			if (spread_settle(s, start, start + len - 1)) {
				i = start;
				j = start + len - 1;
			}
		}
	descend(s, i, j);
}

/* Splits the longer side of b; the second half goes to c. */
static void
split(struct spread_box *b, struct spread_box *c)
{
	*c = *b;
	if (b->i1 - b->i0 > b->j1 - b->j0) {
		b->i1 = b->i0 + (b->i1 - b->i0) / 2;
		c->i0 = b->i1 + 1;
	} else {
		b->j1 = b->j0 + (b->j1 - b->j0) / 2;
		c->j0 = b->j1 + 1;
	}
}

static void
search(struct spread_runs *s)
{
	struct spread_box stack[DEPTH], *b;
	size_t top = 1;

	stack[0] = (struct spread_box){ .i1 = s->n - 1, .j1 = s->n - 1,
	    .left = { .at = SIZE_MAX }, .right = { .at = SIZE_MAX } };
	while (top > 0) {
		b = &stack[top - 1];
		s->boxes++;
		/* Windows have i <= j. */
		if (b->j0 < b->i0)
			b->j0 = b->i0;
		if (b->i1 > b->j1)
			b->i1 = b->j1;
		if (b->i0 > b->i1 || b->j0 > b->j1 || spread_hopeless(s, b)) {
			top--;
		} else if (b->i0 == b->i1 && b->j0 == b->j1) {
			spread_settle(s, b->i0, b->j0);
			top--;
		} else {
			split(b, b + 1);
			top++;
		}
	}
}

bool
spread_weighted(const struct spread *f, const int64_t *x, const uint64_t *w,
    size_t m, int64_t *value)
{
	struct spread_runs s;
	i128 g;

	if (m == 0) {
		*value = 0;
		return true;
	}
	if (!spread_open(&s, f, x, w, m))
		return false;
	scout(&s);
	search(&s);
	g = (i128)spread_records(&s, 0, m - 1) * f->sens + s.best;
	*value = g > FIXED_MAX ? FIXED_MAX : (int64_t)g;
	spread_close(&s);
	return true;
}

bool
spread_value(const struct spread *f, const int64_t *x, size_t n,
    int64_t *value)
{
	return spread_weighted(f, x, NULL, n, value);
}
