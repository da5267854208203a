/*
 * smalldb_enum: all candidates, with answers that follow from step to step.
 *
 * Pass 1 finds the least error and so the lowest level L, pass 2 counts the
 * candidates of levels L, L + 1, ..., L + TOP (the last takes all beyond).
 * Proposals (a level, a place among its candidates) are drawn from the
 * counts; pass 3 finds BATCH of them at once, and the first that its coin
 * keeps is the result.  All of them fail with a probability below 1e-6; then
 * there is another batch.
 */
#include <stdlib.h>
#include <string.h>

#include "smalldb.h"
#include "smalldb_impl.h"

#define TOP 62		/* levels that are told apart: counts << TOP fit */
#define BATCH 32

struct proposal {
	int64_t level;		/* above the lowest, TOP at most */
	uint64_t place;		/* among its candidates, in order */
	uint32_t *y;
	int64_t error;
};

struct walk {
	const struct smalldb *s;
	int64_t *left;		/* (m + 1) x k: target minus answers so far */
	uint32_t *y;
	int64_t lowest;		/* level */
	int64_t cut;		/* errors above it are level TOP */
	uint64_t count[TOP + 1];
	int64_t best;
	struct proposal *want;	/* pass 3 */
	uint64_t soon[TOP + 1];	/* the next place wanted of each level */
	uint64_t seen;
	double all, next;
	unsigned pass;
};

/* The error of the residues less q, or the first found above cut. */
static int64_t
error_below(const int64_t *left, const int64_t *q, size_t k, int64_t cut)
{
	int64_t worst = 0;

	for (size_t j = 0; j < k; j++) {
		int64_t x = left[j] - q[j];

		x = x < 0 ? -x : x;
		if (x > worst) {
			worst = x;
			if (x > cut)
				break;
		}
	}
	return worst;
}

static int64_t
class_of(const struct walk *w, int64_t error)
{
	int64_t level = smalldb_level(&w->s->t, error) - w->lowest;

	return level < TOP ? level : TOP;
}

/* The first place of a level that is wanted, from `from` on. */
static uint64_t
next_wanted(const struct walk *w, int64_t level, uint64_t from)
{
	uint64_t soon = UINT64_MAX;

	for (size_t b = 0; b < BATCH; b++)
		if (w->want[b].level == level && w->want[b].place >= from &&
		    w->want[b].place < soon)
			soon = w->want[b].place;
	return soon;
}

/* Pass 3: is this candidate one of those wanted? */
static void
look(struct walk *w, int64_t level, const int64_t *left, const int64_t *q)
{
	uint64_t place = w->count[level]++;

	if (place != w->soon[level])
		return;
	w->soon[level] = next_wanted(w, level, place + 1);
	for (size_t b = 0; b < BATCH; b++) {
		struct proposal *p = &w->want[b];

		if (p->level != level || p->place != place)
			continue;
		memcpy(p->y, w->y, w->s->m * sizeof(*p->y));
		p->error = error_below(left, q, w->s->k, INT64_MAX);
	}
}

static void
candidate(struct walk *w, const int64_t *left, const int64_t *q)
{
	int64_t e = error_below(left, q, w->s->k, w->pass == 1 ? w->best :
	    w->cut), level;

	if (w->pass == 1) {
		w->best = e < w->best ? e : w->best;
		return;
	}
	level = e > w->cut ? TOP : class_of(w, e);
	if (w->pass == 2)
		w->count[level]++;
	else
		look(w, level, left, q);
}

static void
tell(struct walk *w)
{
	w->seen++;
	if (w->s->tick == NULL || (double)w->seen < w->next)
		return;
	w->s->tick(w->s->arg, ((double)w->seen / w->all + w->pass - 1) / 3);
	w->next += w->all / 200 + 1000;
}

/* All ways to go on with elements from `first` after `at` of m are chosen. */
static void
walk(struct walk *w, size_t at, size_t first)
{
	const struct smalldb *s = w->s;
	const int64_t *left = w->left + at * s->k;
	int64_t *next = w->left + (at + 1) * s->k;

	for (size_t i = first; i < s->n; i++) {
		const int64_t *q = s->q + i * s->k;

		w->y[at] = (uint32_t)i;
		if (at + 1 == s->m) {
			candidate(w, left, q);
			tell(w);
			continue;
		}
		for (size_t j = 0; j < s->k; j++)
			next[j] = left[j] - q[j];
		walk(w, at + 1, i);
	}
}

static void
pass(struct walk *w, unsigned number)
{
	w->pass = number;
	w->seen = 0;
	w->next = 0;
	memset(w->count, 0, sizeof(w->count));
	walk(w, 0, 0);
}

/* A level by count * 2^-level, thinned to count * e^-level. */
static int64_t
draw_level(struct rng *r, const uint64_t *count)
{
	u128 all = 0, x;
	int64_t level;

	for (level = 0; level <= TOP; level++)
		all += (u128)count[level] << (TOP - level);
	do {
		x = smalldb_below(r, all);
		for (level = 0; x >= (u128)count[level] << (TOP - level);
		    level++)
			x -= (u128)count[level] << (TOP - level);
	} while (!smalldb_thin(r, level));
	return level;
}

static bool
batch(struct walk *w, struct rng *r, uint32_t *y)
{
	uint64_t count[TOP + 1];

	memcpy(count, w->count, sizeof(count));
	for (size_t b = 0; b < BATCH; b++) {
		w->want[b].level = draw_level(r, count);
		w->want[b].place = rng_below(r, count[w->want[b].level]);
	}
	for (int64_t level = 0; level <= TOP; level++)
		w->soon[level] = next_wanted(w, level, 0);
	pass(w, 3);
	for (size_t b = 0; b < BATCH; b++)
		if (smalldb_keep(r, &w->s->t, w->want[b].error,
		    w->lowest + w->want[b].level)) {
			memcpy(y, w->want[b].y, w->s->m * sizeof(*y));
			return true;
		}
	return false;
}

/* The largest error of a level below lowest + TOP. */
static int64_t
last_error(const struct smalldb *s, int64_t lowest)
{
	u128 above = (u128)(uint64_t)(lowest + TOP) * s->t.s;

	above = (above + s->t.r - 1) / s->t.r;
	return above > (u128)FIXED_MAX ? FIXED_MAX : (int64_t)above - 1;
}

enum smalldb_result
smalldb_enumerate(const struct smalldb *s, struct rng *r, uint32_t *y)
{
	struct walk w = { .s = s, .best = INT64_MAX };
	struct proposal want[BATCH];
	uint32_t *at = malloc((BATCH + 1) * s->m * sizeof(*at));

	w.left = malloc((s->m + 1) * (s->k + 1) * sizeof(*w.left));
	if (at == NULL || w.left == NULL) {
		free(at);
		free(w.left);
		return SMALLDB_NO_MEMORY;
	}
	memcpy(w.left, s->target, s->k * sizeof(*w.left));
	w.y = at;
	w.want = want;
	for (size_t b = 0; b < BATCH; b++)
		w.want[b].y = at + (b + 1) * s->m;
	w.all = (double)smalldb_candidates(s->n, s->m);
	pass(&w, 1);
	w.lowest = smalldb_level(&s->t, w.best);
	w.cut = last_error(s, w.lowest);
	pass(&w, 2);
	while (!batch(&w, r, y))
		;
	free(at);
	free(w.left);
	return SMALLDB_OK;
}
