/*
 * smalldb_search: exact draws without looking at every candidate.
 *
 * The candidates are kept in parts: so many records in each of some groups of
 * elements, which form a tree of groups (smalldb_groups).  A part knows the
 * number of its candidates and, from the least and largest answers of its
 * groups, a level that none of them falls below.  Together the parts bound
 * the weight of every candidate from above: an envelope.  A proposal draws a
 * part by count * 2^-level, thins by (2/e)^level, takes one of its candidates
 * uniformly and keeps it with probability exp(level - error / t).  What is
 * kept has the law of the mechanism whatever the envelope is.
 *
 * A proposal that was not kept splits its part by the number of records in
 * the two halves of one of its groups, as long as there is room.  The
 * envelope then depends on refused proposals only, and given these the next
 * one that is kept still has the law: with envelope h a proposal is kept and
 * is y with probability w(y)/sum h, so a kept one is y with w(y)/sum w.
 *
 * Weights.  Levels are taken above a base, which follows the least level of
 * all parts (now and then: that costs as much as it saves); those SEARCH_TOP
 * and more above it count as SEARCH_TOP above.  Counts are below 2^120 and
 * those of all parts add up to all candidates, so weights stay below 2^240;
 * the count of a listed part is below 2^71.
 */
#include <stdlib.h>
#include <string.h>

#include "number/fixed.h"
#include "smalldb.h"
#include "smalldb_groups.h"
#include "smalldb_list.h"

#define PARTS_EACH 64	/* parts for each candidate, and in any case */
#define PARTS_LEAST 1024
#define SEARCH_TOP 120
#define SEARCH_NONE UINT32_MAX

struct partition {
	uint32_t parent;
	uint32_t child;		/* the first; SEARCH_NONE: not split */
	uint32_t children;
	uint32_t group;		/* that was split to make this part... */
	uint32_t left;		/* ...with so many records in its left half */
	bool listed;		/* then count is that of smalldb_list */
	int64_t level;
	u128 count;
	struct wide weight;
};

struct search {
	const struct smalldb *s;
	struct groups g;
	struct list list;
	struct partition *part;
	size_t parts, room;
	int64_t base;
	size_t thinned;		/* proposals, since the base was set */
	/* groups and records of the part at hand */
	struct held *held;
	size_t helds;
	uint32_t *path;
	int64_t *lo, *hi;	/* k: least and largest answers */
};

/* Levels of a part above the base, as far as they count. */
static int64_t
search_above(const struct search *a, const struct partition *p)
{
	int64_t level = p->level - a->base;
	int64_t top = p->listed ? SEARCH_TOP - LIST_TOP : SEARCH_TOP;

	return level < top ? level : top;
}

/* The weight of a part that is not split, above the present base. */
static struct wide
search_weight(const struct search *a, const struct partition *p)
{
	int64_t top = p->listed ? SEARCH_TOP - LIST_TOP : SEARCH_TOP;

	return wide_mul(p->count, (u128)1 << (top - search_above(a, p)));
}

/* Moves the base to the least level; all weights again. */
static void
search_rebase(struct search *a)
{
	const struct wide none = { 0, 0 };
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < a->parts; i++)
		if (a->part[i].child == SEARCH_NONE && a->part[i].level < least)
			least = a->part[i].level;
	a->base = least;
	a->thinned = 0;
	for (size_t i = 0; i < a->parts; i++)
		a->part[i].weight = a->part[i].child == SEARCH_NONE ?
		    search_weight(a, &a->part[i]) : none;
	for (size_t i = a->parts; i-- > 1;) {
		struct partition *up = &a->part[a->part[i].parent];

		up->weight = wide_add(up->weight, a->part[i].weight);
	}
}

static struct wide
below(struct rng *r, struct wide n)
{
	struct wide x, mask = { 0, 0 };

	while (mask.hi < n.hi)
		mask.hi = mask.hi << 1 | 1;
	while (mask.lo < n.lo || (n.hi != 0 && mask.lo != ~(u128)0))
		mask.lo = mask.lo << 1 | 1;
	do {
		x = (struct wide){ 0, 0 };
		for (u128 m = mask.hi; m != 0; m >>= 8)
			x.hi = x.hi << 8 | rng_byte(r);
		for (u128 m = mask.lo; m != 0; m >>= 8)
			x.lo = x.lo << 8 | rng_byte(r);
		x.hi &= mask.hi;
		x.lo &= mask.lo;
	} while (wide_cmp(x, n) >= 0);
	return x;
}

/* A part drawn by weight. */
static uint32_t
search_part(const struct search *a, struct rng *r)
{
	struct wide x = below(r, a->part[0].weight);
	uint32_t at = 0;

	while (a->part[at].child != SEARCH_NONE)
		for (at = a->part[at].child;
		    wide_cmp(x, a->part[at].weight) >= 0; at++)
			x = wide_sub(x, a->part[at].weight);
	return at;
}

/* The weight of a part is another now, and so are those it adds to. */
static void
search_change(struct search *a, uint32_t at, struct wide now)
{
	struct wide old = a->part[at].weight;

	for (;; at = a->part[at].parent) {
		a->part[at].weight = wide_add(wide_sub(a->part[at].weight,
		    old), now);
		if (at == 0)
			break;
	}
}

/* The groups of a part, from the splits on its way down. */
static void
recall(struct search *a, uint32_t at)
{
	size_t depth = 0;

	for (; at != 0; at = a->part[at].parent)
		a->path[depth++] = at;
	a->helds = 1;
	a->held[0] = (struct held){ 0, (uint32_t)a->s->m };
	while (depth-- > 0) {
		const struct partition *p = &a->part[a->path[depth]];

		a->helds = groups_split(&a->g, a->held, a->helds, p->group,
		    p->left);
	}
}

/* One of the part's candidates, uniformly. */
static void
complete(const struct search *a, struct rng *r, uint32_t *y)
{
	size_t at = 0;

	for (size_t h = 0; h < a->helds; h++) {
		const struct cluster *g = &a->g.group[a->held[h].group];

		smalldb_uniform(r, g->first, g->n, a->held[h].records, y + at);
		for (size_t i = at; i < at + a->held[h].records; i++)
			y[i] = a->g.order[y[i]];
		at += a->held[h].records;
	}
}

/* Level of the part whose answers are between lo + l and hi + h. */
static int64_t
level_of(const struct search *a, const struct cluster *left,
    const struct cluster *right, int64_t l, int64_t r)
{
	const struct smalldb *s = a->s;
	int64_t worst = 0;

	for (size_t k = 0; k < s->k; k++) {
		int64_t lo = a->lo[k] + l * left->lo[k] + r * right->lo[k];
		int64_t hi = a->hi[k] + l * left->hi[k] + r * right->hi[k];
		int64_t off = s->target[k] < lo ? lo - s->target[k] :
		    s->target[k] > hi ? s->target[k] - hi : 0;

		worst = off > worst ? off : worst;
	}
	return smalldb_level(&s->t, worst);
}

/* Adds, or takes away, what the records of a group may answer. */
static void
hold(struct search *a, const struct held *h, int64_t sign)
{
	const struct cluster *g = &a->g.group[h->group];
	int64_t n = sign * (int64_t)h->records;

	for (size_t k = 0; k < a->s->k; k++) {
		a->lo[k] += n * g->lo[k];
		a->hi[k] += n * g->hi[k];
	}
}

static void
add_parts(struct search *a, uint32_t at, const struct held *h)
{
	const struct cluster *g = &a->g.group[h->group];
	const struct cluster *left = &a->g.group[g->left];
	const struct cluster *right = &a->g.group[g->left + 1];
	u128 others = a->part[at].count /
	    smalldb_candidates(g->n, h->records);

	a->part[at].child = (uint32_t)a->parts;
	a->part[at].children = h->records + 1;
	for (uint32_t l = 0; l <= h->records; l++) {
		struct partition *p = &a->part[a->parts++];

		*p = (struct partition){ .parent = at, .child = SEARCH_NONE,
		    .group = h->group, .left = l };
		p->count = others * smalldb_candidates(left->n, l) *
		    smalldb_candidates(right->n, h->records - l);
		p->level = level_of(a, left, right, (int64_t)l,
		    (int64_t)(h->records - l));
		if (p->level < a->part[at].level)
			p->level = a->part[at].level;
		p->weight = search_weight(a, p);
	}
}

/* A part whose groups are at hand becomes several, or is listed. */
static void
split(struct search *a, uint32_t at)
{
	struct wide now = { 0, 0 };
	size_t h = groups_widest(&a->g, a->held, a->helds);

	if (h == a->helds)
		return;		/* all its candidates have one error */
	if (a->part[at].count <= LIST_MOST) {
		a->part[at].count = list_make(&a->list, a->held, a->helds,
		    &a->part[at].level);
		a->part[at].listed = true;
		search_change(a, at, search_weight(a, &a->part[at]));
		return;
	}
	if (a->room - a->parts < a->held[h].records + 1)
		return;
	memset(a->lo, 0, a->s->k * sizeof(*a->lo));
	memset(a->hi, 0, a->s->k * sizeof(*a->hi));
	for (size_t i = 0; i < a->helds; i++)
		hold(a, &a->held[i], 1);
	hold(a, &a->held[h], -1);
	add_parts(a, at, &a->held[h]);
	for (uint32_t i = 0; i < a->part[at].children; i++)
		now = wide_add(now, a->part[a->part[at].child + i].weight);
	search_change(a, at, now);
}

/* A candidate of a part of which all are known. */
static bool
propose_listed(struct search *a, struct rng *r, uint32_t at, uint32_t *y)
{
	const struct partition *p = &a->part[at];
	int64_t level = search_above(a, p), error, lowest, more;
	u128 all = list_make(&a->list, a->held, a->helds, &lowest);

	more = list_draw(&a->list, r, lowest, all, y, &error);
	return smalldb_thin(r, more) && smalldb_keep(r, &a->s->t, error,
	    a->base + level + more);
}

/* Draws one proposal; true when it is kept. */
static bool
propose(struct search *a, struct rng *r, uint32_t *y)
{
	uint32_t at = search_part(a, r);
	int64_t level = search_above(a, &a->part[at]);

	if (!smalldb_thin(r, level)) {
		if (++a->thinned > a->parts)
			search_rebase(a);
		return false;
	}
	recall(a, at);
	if (a->part[at].listed)
		return propose_listed(a, r, at, y);
	complete(a, r, y);
	if (smalldb_keep(r, &a->s->t, smalldb_error(a->s, y),
	    a->base + level))
		return true;
	split(a, at);
	return false;
}

static bool
open_search(struct search *a, size_t nodes)
{
	const struct smalldb *s = a->s;
	u128 all = smalldb_candidates(s->n, s->m);

	/* few candidates need few parts: a draw of them is to be quick */
	a->room = nodes < SEARCH_NONE ? nodes : SEARCH_NONE - 1;
	if (all < a->room / PARTS_EACH)
		a->room = PARTS_LEAST + (size_t)all * PARTS_EACH;
	a->part = malloc(a->room * sizeof(*a->part));
	a->held = malloc((s->m + 2) * sizeof(*a->held));
	a->lo = malloc((2 * s->k + 2) * sizeof(*a->lo));
	if (a->part == NULL || a->held == NULL || a->lo == NULL ||
	    !groups_open(&a->g, s) || !list_open(&a->list, s, &a->g))
		return false;
	a->hi = a->lo + s->k + 1;
	/* every split on the way down is of another group */
	a->path = malloc((a->g.groups + 1) * sizeof(*a->path));
	if (a->path == NULL)
		return false;
	a->part[0] = (struct partition){ .child = SEARCH_NONE,
	    .count = all };
	a->parts = 1;
	search_rebase(a);
	return true;
}

static int
by_number(const void *a, const void *b)
{
	const uint32_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

enum smalldb_result
smalldb_search(const struct smalldb *s, struct rng *r, size_t nodes,
    uint32_t *y)
{
	struct search a = { .s = s };
	bool ok = open_search(&a, nodes);

	/* how far this is depends on the data: nothing is shown meanwhile */
	while (ok && !propose(&a, r, y))
		;
	if (ok)
		qsort(y, s->m, sizeof(*y), by_number);
	groups_close(&a.g);
	list_close(&a.list);
	free(a.part);
	free(a.held);
	free(a.lo);
	free(a.path);
	return ok ? SMALLDB_OK : SMALLDB_NO_MEMORY;
}
