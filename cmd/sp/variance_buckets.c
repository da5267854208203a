/*
 * variance_buckets: the preprocessed variance without sorting.
 *
 * The search of variance.c goes over windows of whole buckets, whose counts and
 * sums are known: each is a window of the sorted data.  A window that begins in
 * bucket i and ends in bucket j holds all buckets between, and the values from
 * i and j lie below and above the buckets between: the bound of variance.c
 * holds for every such window.  Where the bound does not rule the windows out,
 * i and j are opened.
 */
#include "variance_buckets.h"

#include <stdlib.h>

#include "buckets.h"
#include "number/memory.h"
#include "variance_search.h"

#define SMALL 65536	/* sorted as fast */
#define ROUNDS 8

static int64_t
limited(i128 g)
{
	return g > FIXED_MAX ? FIXED_MAX : (int64_t)g;
}

/*
 * Where the n records span a range of length L with L^2 <= n S, g is the
 * variance itself: no window's payoff is below the whole data's.  A value more,
 * at distance d from the mean of j values, adds j d^2 / (j + 1) to the sum of
 * squared deviations, at most L^2; so for a window of k records
 *	n Var(D) <= k Var(window) + (n - k) L^2,
 *	Var(D) <= Var(window) + (n - k) S,
 * and n S + Var(window) - k S >= Var(D).  Var(D) < n S, so `best' = 0 is above
 * the wanted payoff.
 *
 * Sums of y = x - lo and of y^2 follow from the sums of x and x^2, mod 2^128.
 */
bool
variance_whole(const struct variance *f, const struct totals *all,
    int64_t *value)
{
	uint64_t k = (uint64_t)all->records, count[2] = { 0, k };
	u128 range = (u128)((i128)all->hi - all->lo), lo = (u128)all->lo;
	u128 sum = (u128)all->sum;
	struct variance_sums sums[2] = { { 0, 0, 0 }, { sum - k * lo,
	    all->squares - lo * (2 * sum - k * lo), 0 } };
	struct variance_runs s = { .f = f, .x = &all->lo, .hi = &all->hi,
	    .n = 1, .sums = sums, .count = count, .base = all->lo };

	if (!totals_narrow(all) || wide_cmp(wide_mul(range, range),
	    wide_mul((u128)k * (u128)f->sens, f->unit)) > 0 ||
	    !variance_settle(&s, 0, 0))
		return false;
	*value = limited(s.best + (i128)k * f->sens);
	return true;
}

/* The buckets as runs. */
static void
open_runs(struct variance_runs *s, const struct buckets *b)
{
	int64_t *x = err_alloc(NULL, 2 * b->n, sizeof(*x));

	s->n = b->n;
	s->sums = err_alloc(NULL, b->n + 1, sizeof(*s->sums));
	s->count = err_alloc(NULL, b->n + 1, sizeof(*s->count));
	s->x = x;
	s->hi = x + b->n;
	for (size_t i = 0; i < b->n; i++) {
		const struct bucket *k = &b->bucket[i];

		x[i] = k->lo;
		x[b->n + i] = k->hi;
		s->count[i + 1] = s->count[i] + k->records;
		s->sums[i + 1] = (struct variance_sums){ s->sums[i].p +
		    k->sum, s->sums[i].q + k->squares, 0 };
	}
}

static bool
search(void *arg, const struct buckets *b, bool *open)
{
	struct variance_runs *s = arg;

	open_runs(s, b);
	s->open = open;
	s->unknown = false;
	variance_search(s);
	free(s->sums);
	free(s->count);
	free((void *)s->x);
	return !s->unknown;
}

bool
variance_count(const struct variance *f, const struct values *v,
    const struct totals *all, int bits, size_t most, int64_t *value,
    int *rounds)
{
	struct variance_runs s = { .f = f, .base = all->lo, .narrow = true,
	    .unit = (double)f->unit };
	struct buckets b;
	bool known;

	*rounds = ROUNDS;
	if (!totals_narrow(all))
		return false;
	buckets_lay(&b, v, all, bits);
	b.most = most;
	known = buckets_search(&b, search, &s, rounds);
	*value = limited(s.best + (i128)all->records * f->sens);
	return known;
}

bool
variance_unsorted(const struct variance *f, const struct values *v,
    int64_t *value)
{
	struct totals all = values_totals(v);
	int rounds;

	return variance_whole(f, &all, value) ||
	    (v->n >= SMALL && variance_count(f, v, &all, BUCKETS_BITS,
	    v->n / 16, value, &rounds));
}
