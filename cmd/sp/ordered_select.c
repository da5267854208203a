/*
 * ordered_select: the preprocessed median without sorting.
 *
 * The pass of ordered.c [CD20 Lemmas 5.4, 5.5], in closed form.  Let med be
 * twice the median, c the doubled center, s = 2 S, and the median not below
 * center; else everything is done on the negated data, where "below" takes in
 * what equals center.  As the largest values go one by one, k of them gone,
 *	hi = min over k < T of med[0, n - k) + k s
 * until T, the first k at which the median falls below center.  A single
 * middle value x[r] has k = n - 1 - 2 r and the payoff
 *	P(r) = 2 x[r] + (n - 1 - 2 r) s,
 * and the payoff of a middle pair is the mean of the P of its two values.  So
 * hi is the least of P(r) for r from r0, the number of values below center,
 * to (n - 1) / 2, of the whole data's own pair, and of the pair astride
 * center where that pair's median is not below center yet.  What happens at
 * T needs that pair alone.  The least P(r) is found first.
 */
#include "ordered_select.h"

#include <stdlib.h>
#include <string.h>

#include "number/sort.h"
#include "ordered_walk.h"

#define BITS 16
#define SMALL 4096	/* sorted before as many buckets are cleared */

#define BEYOND ((i128)1 << 120)	/* more than any payoff */

/*
 * Data whose median is not below center, in any order: as they are, or
 * negated.
 */
struct select {
	int64_t *x;
	size_t n;
	i128 s;			/* 2 S */
	size_t r0;		/* values below center */
	i128 below, above;	/* the pair astride center, if 0 < r0 < n */
	bool stays;		/* and its median is not below center */
	int64_t floor;		/* least number that is not below center, */
	int64_t top;		/* greatest value to look at */
	/* buckets from floor to top, then one for all other values */
	int shift;
	size_t buckets;
	size_t *count;
	bool *wanted;
};

enum found { FOUND, TOO_MANY, NO_MEMORY };

/*
 * The least payoff of a middle value, without sorting.
 *
 * Branch and bound.  One pass counts values in equal buckets; a bucket's
 * ranks are then known, so its edges bound the P of its values from below,
 * and that of its last value in question from above.  Only values of buckets
 * that may still hold the least one are gathered and sorted.  Where too many
 * are, the buckets are laid again from center to the median, which leaves
 * outliers out; where that does not help, the caller had better sort it all.
 * Sizes: |x| < 2^63, n < 2^41, S < 2^63, so |P| < 2^107.
 */
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

	for (s->shift = 0; size >> s->shift >> bits > 0; s->shift++)
		;
	s->buckets = (size_t)(size >> s->shift) + 1;
	memset(s->count, 0, (s->buckets + 1) * sizeof(*s->count));
	for (size_t i = 0; i < s->n; i++)
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
	size_t n = 0;

	if (got == NULL)
		return NULL;
	for (size_t i = 0; i < s->n; i++) {
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
	size_t i, r, rank = s->r0, pair = s->n / 2;
	i128 p, sum = 0;

	for (size_t b = 0; b < s->buckets; rank += s->count[b++])
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

/*
 * The least payoff P(r) for r from r0 to (n - 1) / 2, and of the whole data's
 * middle pair; r0 <= (n - 1) / 2.  With 2^bits buckets, 1 <= bits <= 16.
 */
static enum found
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

/*
 * The data as seen from center.  False where the median is below it.  No
 * branches: nothing is known of the order.
 */
static bool
around(struct select *s, int64_t center)
{
	int64_t below = INT64_MIN, above = INT64_MAX, top = INT64_MIN, x;
	size_t i, n = 0, mid = (s->n - 1) / 2;

	for (i = 0; i < s->n; i++) {
		x = s->x[i];
		n += x < center;
		below = x < center && x > below ? x : below;
		above = x >= center && x < above ? x : above;
		top = x > top ? x : top;
	}
	s->r0 = n;
	s->below = below;
	s->above = above;
	s->floor = center;
	s->top = top;
	s->stays = n > 0 && n < s->n &&
	    (i128)below + above >= 2 * (i128)center;
	return mid >= n || (s->n % 2 == 0 && mid + 1 == n && s->stays);
}

/* Negates the values; their new maximum. */
static int64_t
turn_signs(struct select *s)
{
	int64_t top = INT64_MIN;

	for (size_t i = 0; i < s->n; i++) {
		s->x[i] = -s->x[i];
		top = s->x[i] > top ? s->x[i] : top;
	}
	return top;
}

/* The negated data, and center: what was not below now is. */
static void
negate(struct select *s)
{
	i128 below = s->below;

	s->top = turn_signs(s);
	s->r0 = s->n - s->r0;
	s->below = -s->above;
	s->above = -below;
	s->floor = 1 - s->floor;
	s->stays = s->r0 > 0 && s->r0 < s->n && !s->stays;
}

/* Twice the preprocessed median, hi being the least payoff of singles. */
static i128
turn(const struct select *s, i128 center2, i128 hi)
{
	i128 n = (i128)s->n, r0 = (i128)s->r0, pair = s->below + s->above;
	i128 t = n - 2 * r0, med = pair, shift;

	if (s->r0 == 0)
		return ordered_clamp(center2 + n * s->s, -BEYOND, hi);
	if (s->stays) {
		hi = pair + t * s->s < hi ? pair + t * s->s : hi;
		t++;
		med = 2 * s->below;
	}
	med += t * s->s;
	shift = (t - 1 + (n - t - 1) % 2) * s->s;
	return ordered_clamp(center2 + shift, med < hi ? med : hi, hi);
}

/* Twice the preprocessed median of data whose median is not below center. */
static enum found
median(struct select *s, i128 center2, int bits, i128 *value)
{
	enum found found = FOUND;
	i128 hi = BEYOND;

	if (s->r0 <= (s->n - 1) / 2)
		found = select_least(s, bits, &hi);
	*value = turn(s, center2, hi);
	return found;
}

static bool
by_sorting(const struct ordered *f, int64_t *x, size_t n, int64_t *value)
{
	if (!sort_grid(x, n))
		return false;
	*value = ordered_value(f, x, n);
	return true;
}

bool
ordered_select(const struct ordered *f, int64_t *x, size_t n, int bits,
    int64_t *value)
{
	struct select s = { .x = x, .n = n, .s = 2 * (i128)f->sens };
	i128 twice, c = f->center;
	enum found found;
	bool up;

	if (n == 0)
		return by_sorting(f, x, n, value);
	up = around(&s, f->center);
	if (!up)
		negate(&s);
	found = median(&s, up ? 2 * c : -2 * c, bits, &twice);
	if (!up)
		turn_signs(&s);
	if (found == TOO_MANY)
		return by_sorting(f, x, n, value);
	*value = (int64_t)fixed_floor_div((up ? twice : -twice) + 1, 2);
	return found == FOUND;
}

bool
ordered_median(const struct ordered *f, int64_t *x, size_t n, int64_t *value)
{
	if (n < SMALL)
		return by_sorting(f, x, n, value);
	return ordered_select(f, x, n, BITS, value);
}
