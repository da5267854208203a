/*
 * select_least: the least payoff of a middle value, without sorting; see
 * ordered_select.c for what it is good for.
 *
 * Branch and bound.  One pass counts values in equal buckets; a bucket's
 * ranks are then known, so its edges bound the P of its values from below,
 * and that of its last value in question from above.  Only values of buckets
 * that may still hold the least one are gathered and sorted.  Where too many
 * are, the buckets are laid again from center to the median, which leaves
 * outliers out; where that does not help, the caller had better sort it all.
 * Sizes: |x| < 2^63, n < 2^41, S < 2^63, so |P| < 2^107.
 */
#include "ordered_select.h"

#include <stdlib.h>
#include <string.h>

#include "number/sort.h"

#define MANY(n) ((n) / 4 + 64)	/* sorting these is no gain */

static size_t
bucket_of(const struct select *s, int64_t x)
{
	uint64_t b = ((uint64_t)x - (uint64_t)s->floor) >> s->shift;

	return b < s->buckets ? b : s->buckets;
}

static void
fill(struct select *s, int bits)
{
	uint64_t size = (uint64_t)s->top - (uint64_t)s->floor;
	size_t i;

	for (s->shift = 0; size >> s->shift >> bits > 0; s->shift++)
		;
	s->buckets = (size_t)(size >> s->shift) + 1;
	memset(s->count, 0, (s->buckets + 1) * sizeof(*s->count));
	for (i = 0; i < s->n; i++)
		s->count[bucket_of(s, s->x[i])]++;
}

/* The payoff of value x at rank r. */
static i128
payoff(const struct select *s, i128 x, size_t r)
{
	return 2 * x + ((i128)s->n - 1 - 2 * (i128)r) * s->s;
}

/* A bucket that has ranks up to the middle, and what is known of it. */
struct bucket {
	size_t b;
	size_t rank;	/* of its first value */
	size_t last;	/* its last rank in question */
	i128 low, high;	/* its edges */
};

static bool
next_bucket(const struct select *s, struct bucket *k)
{
	size_t mid = (s->n - 1) / 2;

	if (k->b != SIZE_MAX)
		k->rank += s->count[k->b];
	do
		k->b++;
	while (k->b < s->buckets && s->count[k->b] == 0);
	if (k->b >= s->buckets || k->rank > mid)
		return false;
	k->last = k->rank + s->count[k->b] - 1;
	k->last = k->last < mid ? k->last : mid;
	k->low = (i128)s->floor + ((i128)k->b << s->shift);
	k->high = k->low + ((i128)1 << s->shift) - 1;
	return true;
}

#define BEFORE_FIRST(s) { .b = SIZE_MAX, .rank = (s)->r0 }

/* The least payoff that is certain already. */
static i128
certain(const struct select *s)
{
	struct bucket k = BEFORE_FIRST(s);
	i128 best = BEYOND, p;

	while (next_bucket(s, &k)) {
		p = payoff(s, k.high, k.last);
		best = p < best ? p : best;
	}
	return best;
}

/*
 * Marks the buckets whose values must be seen: those that may hold a payoff
 * below best, and those of the whole data's pair.  Returns how many values
 * they have; top becomes the upper edge of the last bucket that matters.
 */
static size_t
want(struct select *s, i128 best)
{
	struct bucket k = BEFORE_FIRST(s);
	size_t total = 0, b = 0, rank = s->r0, pair = s->n / 2;
	i128 edge;

	memset(s->wanted, 0, (s->buckets + 1) * sizeof(*s->wanted));
	while (next_bucket(s, &k))
		s->wanted[k.b] = payoff(s, k.low, k.last) < best;
	for (; rank <= pair; rank += s->count[b++])
		if (s->n % 2 == 0 && rank + s->count[b] >= pair)
			s->wanted[b] = s->count[b] > 0;
	edge = (i128)s->floor + ((i128)b << s->shift) - 1;
	s->top = edge < s->top ? (int64_t)edge : s->top;
	for (b = 0; b < s->buckets; b++)
		total += s->wanted[b] ? s->count[b] : 0;
	return total;
}

/* The wanted values, ascending; NULL without memory. */
static int64_t *
gather(const struct select *s, size_t total)
{
	int64_t *got = malloc((total + 1) * sizeof(*got));
	size_t i, n = 0;

	if (got == NULL)
		return NULL;
	for (i = 0; i < s->n; i++) {
		got[n] = s->x[i];
		n += s->wanted[bucket_of(s, s->x[i])];
	}
	if (sort_grid(got, n))
		return got;
	free(got);
	return NULL;
}

/* The least of best, the wanted values' payoffs and the data's own pair. */
static i128
settle(const struct select *s, const int64_t *got, i128 best)
{
	size_t b, i, r, rank = s->r0, pair = s->n / 2;
	i128 p, sum = 0;

	for (b = 0; b < s->buckets; rank += s->count[b++])
		for (i = 0; s->wanted[b] && i < s->count[b]; i++, got++) {
			r = rank + i;
			sum += r == pair || r + 1 == pair ? *got : 0;
			p = payoff(s, *got, r);
			if (r <= (s->n - 1) / 2 && p < best)
				best = p;
		}
	return s->n % 2 == 0 && sum < best ? sum : best;
}

static enum found
least(struct select *s, int bits, i128 *best)
{
	uint64_t size;
	size_t total;
	int64_t *got;

	do {
		size = (uint64_t)s->top - (uint64_t)s->floor;
		fill(s, bits);
		*best = certain(s);
		total = want(s, *best);
	} while (total > MANY(s->n) &&
	    ((uint64_t)s->top - (uint64_t)s->floor) < size / 4);
	if (total > MANY(s->n))
		return TOO_MANY;
	got = gather(s, total);
	if (got == NULL)
		return NO_MEMORY;
	*best = settle(s, got, *best);
	free(got);
	return FOUND;
}

enum found
select_least(struct select *s, int bits, i128 *best)
{
	size_t room = ((size_t)1 << bits) + 1;
	enum found found = NO_MEMORY;

	s->count = malloc(room * sizeof(*s->count));
	s->wanted = malloc(room * sizeof(*s->wanted));
	if (s->count != NULL && s->wanted != NULL)
		found = least(s, bits, best);
	free(s->count);
	free(s->wanted);
	return found;
}
