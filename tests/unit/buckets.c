/*
 * Buckets that are opened at random: each record stays in one bucket, and
 * buckets count what a loop over the values counts.
 */
#include <criterion/criterion.h>

#include "random/rng.h"
#include "sp/buckets.h"

#define LINES 1500

static int64_t x[LINES];
static uint64_t w[LINES];
static bool deep;	/* the least values are opened again and again */

/* Clumps beside clumps, clumps within clumps. */
static int64_t
draw(struct rng *r)
{
	int64_t v = (int64_t)rng_below(r, 64);

	if (deep)
		return (int64_t)1 << rng_below(r, 60);
	for (int bit = 58; bit >= 10 && rng_below(r, 8) != 0; bit -= 6)
		if (rng_below(r, 3) == 0)
			v += (int64_t)1 << bit;
	return rng_below(r, 8) == 0 ? -v : v;
}

static void
count(const struct buckets *b, const struct bucket *k)
{
	struct bucket is = { .lo = k->lo };

	for (size_t i = 0; i < LINES; i++) {
		uint64_t y = (uint64_t)x[i] - (uint64_t)b->base;
		uint64_t weight = b->v->w == NULL ? 1 : w[i];

		if (x[i] < k->lo || x[i] > k->hi)
			continue;
		is.lines++;
		is.records += weight;
		is.sum += (u128)y * weight;
	}
	cr_assert(k->records == is.records && k->sum == is.sum &&
	    k->records > 0);
	if (b->v->w == NULL)
		cr_assert(k->lines == is.lines);
}

/* A bucket, by its values: one with many more often. */
static size_t
heavy(struct rng *r, const struct buckets *b)
{
	size_t at, i;

	do {
		at = rng_below(r, LINES);
		for (i = 0; x[at] > b->bucket[i].hi; i++)
			;
	} while (bucket_is_single(&b->bucket[i]) && rng_below(r, 64) != 0);
	return i;
}

/* Opens a bucket or two in a row. */
static bool
look(void *arg, const struct buckets *b, bool *open)
{
	struct rng *r = arg;
	size_t first = heavy(r, b);
	size_t some = 1 + rng_below(r, deep ? 1 : 2);
	uint64_t all = 0, records = 0;

	for (size_t i = 0; i < LINES; i++)
		all += b->v->w == NULL ? 1 : w[i];
	for (size_t i = 0; i < b->n; i++) {
		count(b, &b->bucket[i]);
		records += b->bucket[i].records;
		cr_assert(b->bucket[i].lo <= b->bucket[i].hi);
		cr_assert(i == 0 || b->bucket[i - 1].hi < b->bucket[i].lo);
		open[i] = i - first < some;
	}
	cr_assert_eq(records, all);
	cr_assert_leq(b->levels, BUCKETS_LEVELS);
	return false;
}

/* How often buckets were opened. */
static int
search(struct rng *r, bool weighted)
{
	struct values v = { x, weighted ? w : NULL, LINES, 2 };
	struct totals all;
	struct buckets b;
	int rounds = 40;

	deep = rng_below(r, 8) == 0;
	for (size_t i = 0; i < LINES; i++) {
		x[i] = draw(r);
		w[i] = 1 + rng_below(r, 5);
	}
	all = values_totals(&v);
	buckets_lay(&b, &v, &all, 1 + (int)rng_below(r, 4));
	buckets_search(&b, look, r, &rounds);
	return rounds;
}

Test(buckets, hold_each_record_once_however_they_are_opened)
{
	struct rng r;
	int opened = 0;

	rng_seeded(&r, 1, "buckets");
	for (int i = 0; i < 1200; i++)
		opened += search(&r, i % 2 == 1);
	cr_assert_gt(opened, 3000);
}
