/*
 * smalldb_envelope: the weights of all parts.
 *
 * Levels are taken above a base, which follows the least level of all parts
 * (now and then: that costs as much as it saves); those SEARCH_TOP and more
 * above it count as SEARCH_TOP above.  Counts are below 2^120 and those of
 * all parts add up to all candidates, so weights stay below 2^240; the count
 * of a listed part is below 2^71.
 */
#include "number/wide.h"
#include "smalldb_search.h"

int64_t
search_above(const struct search *a, const struct part *p)
{
	int64_t level = p->level - a->base;
	int64_t top = p->listed ? SEARCH_TOP - LIST_TOP : SEARCH_TOP;

	return level < top ? level : top;
}

struct wide
search_weight(const struct search *a, const struct part *p)
{
	int64_t top = p->listed ? SEARCH_TOP - LIST_TOP : SEARCH_TOP;

	return wide_mul(p->count, (u128)1 << (top - search_above(a, p)));
}

void
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
		struct part *up = &a->part[a->part[i].parent];

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

uint32_t
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

void
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
