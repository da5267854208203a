/*
 * smalldb_list: all candidates of a small part, for smalldb_search.
 */
#ifndef SMALLDB_LIST_H
#define SMALLDB_LIST_H

#include "smalldb.h"
#include "smalldb_groups.h"

#define LIST_MOST 1024		/* candidates */
#define LIST_TOP 60		/* levels above the lowest that differ */

struct list {
	const struct smalldb *s;
	const struct groups *g;
	int64_t *left;		/* (m + 1) x k: target minus answers so far */
	int64_t *error;		/* of each candidate */
	size_t n;
	int64_t best;		/* the least error so far */
	int64_t cut;		/* beyond it all are alike */
	const struct held *held;
	size_t helds;
	uint32_t *y;
	size_t want;		/* stop at this candidate, y is it then */
};

bool list_open(struct list *l, const struct smalldb *s,
    const struct groups *g);
void list_close(struct list *l);

/*
 * Works out the errors; returns the sum of 2^(LIST_TOP - level) with levels
 * above *lowest, LIST_TOP at most.
 */
u128 list_make(struct list *l, const struct held *held, size_t helds,
    int64_t *lowest);

/* A candidate by these weights, to y; its level above lowest and error. */
int64_t list_draw(struct list *l, struct rng *r, int64_t lowest, u128 all,
    uint32_t *y, int64_t *error);

#endif
