/*
 * ordered_untouched: trimmed means that sensitivity preprocessing leaves alone,
 * without sorting.
 *
 * A path as in ordered_buckets.c proves g >= f(D).  Start at the empty window
 * at record c, the last with center + (n - 2 c) S >= f(D), and grow left to [0,
 * c), which is free.  Then grow right: each window [0, k) with c < k < n must
 * have f(0, k) + (n - k) S >= f(D).  With every sign turned g <= f(D).
 *
 * Let k = n - j, let C = k - 2 floor(alpha k) be the number of untrimmed values
 * of [0, k), and p = floor(alpha n).  Where j values go at the upper end, j
 * values in all enter the untrimmed part from below or leave the part above, as
 * floor(alpha n) - floor(alpha k) <= j.  Those that leave are at most x_{n - p
 * - 1}.  Those that enter are at least x_r with r = floor(alpha (c + 1)), as k
 * > c.  Both these numbers enclose f(D), so with their distance W
 *	C f(0, k) >= C f(D) - j W.
 * So W <= S C is enough.  C falls by 1 at most in a step and not in two, as 2
 * alpha < 1: C >= c - 2 r.
 */
#include "ordered_unsorted.h"

#include <limits.h>

#include "buckets.h"
#include "ordered_walk.h"

/* `rank' of n records go at each end, and `count' with this sum stay. */
struct trimmed {
	const struct ordered *f;
	i128 n, rank, count, sum;
	bool holds;		/* g = f(D) */
};

/*
 * The bucket that holds a record, whose number becomes that in the bucket, and
 * the sum of the buckets below.  The number n is behind the last record.
 */
static const struct bucket *
bucket_with(const struct buckets *b, i128 *record, i128 *below)
{
	const struct bucket *at = b->bucket, *last = at + b->n - 1;

	for (*below = 0; at < last && *record >= at->records; at++) {
		*below += (i128)at->sum;
		*record -= at->records;
	}
	return at;
}

/* The sum of the smallest records; false where a bucket must be opened. */
static bool
untouched_sum(const struct buckets *b, i128 records, i128 *sum, bool *open)
{
	const struct bucket *at = bucket_with(b, &records, sum);

	*sum += records * ((i128)at->lo - b->base);
	open[at - b->bucket] = true;
	return bucket_is_single(at);
}

/* Is g >= f(D), or with every sign turned? */
static bool
untouched_holds(const struct trimmed *s, const struct buckets *b, bool turned)
{
	i128 sens = s->f->sens, c, r, above, from, to;

	above = turned ? fixed_floor_div(s->sum, s->count) - s->f->center :
	    s->f->center - fixed_ceil_div(s->sum, s->count);
	c = fixed_floor_div(above + s->n * sens, 2 * sens);
	if (c < 0 || c >= s->n - 1)
		return c >= 0;
	r = ordered_rank(s->f, (uint64_t)c + 1);
	from = turned ? s->rank : r;
	to = s->n - 1 - (turned ? r : s->rank);
	return (i128)bucket_with(b, &to, &above)->hi -
	    bucket_with(b, &from, &above)->lo <= sens * (c - 2 * r);
}

/* The sum of the untrimmed values, between the ranks. */
static bool
untouched_add(void *arg, const struct buckets *b, bool *open)
{
	struct trimmed *s = arg;
	i128 below;
	bool known = untouched_sum(b, s->rank, &below, open);

	known = untouched_sum(b, s->n - s->rank, &s->sum, open) && known;
	s->sum += s->count * b->base - below;
	s->holds = known && untouched_holds(s, b, false) &&
	    untouched_holds(s, b, true);
	return known;
}

bool
ordered_untouched(const struct ordered *f, const struct values *v,
    const struct totals *all, int bits, int64_t *value)
{
	struct trimmed s = { .f = f, .n = (i128)all->records,
	    .rank = ordered_rank(f, (uint64_t)all->records) };
	struct buckets b;
	int rounds = INT_MAX;

	s.count = s.n - 2 * s.rank;
	buckets_lay(&b, v, all, bits);
	buckets_search(&b, untouched_add, &s, &rounds);
	*value = (int64_t)fixed_floor_div(2 * s.sum + s.count, 2 * s.count);
	return s.holds;
}
