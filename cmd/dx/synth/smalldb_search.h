/*
 * smalldb_search: parts of all candidates, and the envelope that they form.
 */
#ifndef SMALLDB_SEARCH_H
#define SMALLDB_SEARCH_H

#include "smalldb_groups.h"
#include "smalldb_list.h"

#define SEARCH_TOP 120
#define SEARCH_NONE UINT32_MAX

struct part {
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
	struct part *part;
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
int64_t search_above(const struct search *a, const struct part *p);

/* The weight of a part that is not split, above the present base. */
struct wide search_weight(const struct search *a, const struct part *p);

/* Moves the base to the least level; all weights again. */
void search_rebase(struct search *a);

/* A part drawn by weight. */
uint32_t search_part(const struct search *a, struct rng *r);

/* The weight of a part is another now, and so are those it adds to. */
void search_change(struct search *a, uint32_t at, struct wide now);

#endif
