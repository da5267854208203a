/*
 * smalldb_list: all candidates of a small part.
 *
 * A part of some hundred candidates is cheaper to look through than to split
 * further, and then its share of the envelope is known to within the last
 * level: the sum of 2^-level over its candidates, kept as one integer.
 */
#include "smalldb_list.h"

#include <stdlib.h>
#include <string.h>

bool
list_open(struct list *l, const struct smalldb *s, const struct groups *g)
{
	*l = (struct list){ .s = s, .g = g };
	l->left = malloc((s->m + 1) * (s->k + 1) * sizeof(*l->left));
	l->error = malloc(LIST_MOST * sizeof(*l->error));
	l->y = malloc((s->m + 1) * sizeof(*l->y));
	return l->left != NULL && l->error != NULL && l->y != NULL;
}

void
list_close(struct list *l)
{
	free(l->left);
	free(l->error);
	free(l->y);
}

/* An error this far above the best is LIST_TOP levels above the lowest. */
static int64_t
far(const struct list *l, int64_t best)
{
	u128 above = (u128)(LIST_TOP + 1) * l->s->t.s / l->s->t.r + 1;

	return above > (u128)(INT64_MAX - best) ? INT64_MAX :
	    best + (int64_t)above;
}

static void
candidate(struct list *l, const int64_t *left)
{
	int64_t worst = 0;

	for (size_t k = 0; k < l->s->k && worst <= l->cut; k++) {
		int64_t x = left[k] < 0 ? -left[k] : left[k];

		worst = x > worst ? x : worst;
	}
	if (worst < l->best) {
		l->best = worst;
		l->cut = far(l, worst);
	}
	l->error[l->n++] = worst;
}

/*
 * All ways to place record `at`, the used-th of group h, at its element
 * `first` or after; true when the wanted candidate is reached.
 */
static bool
place(struct list *l, size_t at, size_t h, size_t used, size_t first)
{
	const struct smalldb *s = l->s;
	const int64_t *left = l->left + at * s->k;
	int64_t *next = l->left + (at + 1) * s->k;
	const struct cluster *g;

	if (at == s->m) {
		candidate(l, left);
		return l->n == l->want;
	}
	if (used == l->held[h].records)
		return place(l, at, h + 1, 0,
		    l->g->group[l->held[h + 1].group].first);
	g = &l->g->group[l->held[h].group];
	for (size_t i = first; i < g->first + g->n; i++) {
		const int64_t *q = s->q + l->g->order[i] * s->k;

		l->y[at] = l->g->order[i];
		for (size_t k = 0; k < s->k; k++)
			next[k] = left[k] - q[k];
		if (place(l, at + 1, h, used + 1, i))
			return true;
	}
	return false;
}

static void
walk(struct list *l, size_t want)
{
	l->n = 0;
	l->want = want;
	l->best = l->cut = INT64_MAX;
	memcpy(l->left, l->s->target, l->s->k * sizeof(*l->left));
	(void)place(l, 0, 0, 0, l->g->group[l->held[0].group].first);
}

static int64_t
above(const struct list *l, size_t i, int64_t lowest)
{
	int64_t level = smalldb_level(&l->s->t, l->error[i]) - lowest;

	return level < LIST_TOP ? level : LIST_TOP;
}

u128
list_make(struct list *l, const struct held *held, size_t helds,
    int64_t *lowest)
{
	u128 all = 0;

	l->held = held;
	l->helds = helds;
	walk(l, SIZE_MAX);
	*lowest = smalldb_level(&l->s->t, l->best);
	for (size_t i = 0; i < l->n; i++)
		all += (u128)1 << (LIST_TOP - above(l, i, *lowest));
	return all;
}

int64_t
list_draw(struct list *l, struct rng *r, int64_t lowest, u128 all,
    uint32_t *y, int64_t *error)
{
	u128 x = smalldb_below(r, all), one;
	int64_t level;
	size_t i;

	for (i = 0;; i++) {
		level = above(l, i, lowest);
		one = (u128)1 << (LIST_TOP - level);
		if (x < one)
			break;
		x -= one;
	}
	walk(l, i + 1);
	memcpy(y, l->y, l->s->m * sizeof(*y));
	*error = smalldb_error(l->s, y);
	return level;
}
