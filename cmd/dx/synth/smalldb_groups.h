/*
 * smalldb_groups: a tree of groups of elements, for smalldb_search.
 */
#ifndef SMALLDB_GROUPS_H
#define SMALLDB_GROUPS_H

#include "smalldb.h"

struct cluster {
	size_t first;		/* in order */
	size_t n;
	uint32_t left;		/* its left half, the right one follows; 0:
				   all elements answer alike */
	int64_t width;		/* the widest query */
	int64_t *lo, *hi;	/* least and largest coefficients */
};

struct groups {
	struct cluster *group;
	size_t groups;
	uint32_t *order;	/* of the elements */
	int64_t *bounds;
};

/* So many records in a group. */
struct held {
	uint32_t group;
	uint32_t records;
};

bool groups_open(struct groups *g, const struct smalldb *s);
void groups_close(struct groups *g);

/*
 * Replaces one of n groups by its halves, the left with so many records;
 * empty ones are dropped.  Returns how many are left.
 */
size_t groups_split(const struct groups *g, struct held *held, size_t n,
    uint32_t group, uint32_t left);

/* Which group leaves its answers most open; n where none does. */
size_t groups_widest(const struct groups *g, const struct held *held,
    size_t n);

#endif
