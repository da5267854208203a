/*
 * ordered_edges: the preprocessed median, or another quantile, without sorting.
 *
 * Lemma.  If x_i <= y_i for all i, both ascending, then g(x) <= g(y).  For F of
 * ordered.c does not fall where a value rises: the quantile of a window and the
 * mean of two do not.  G(l, r) is the median of F(l, r), G(l+1, r) and G(l,
 * r-1), and a median of three numbers does not fall where the numbers rise.
 * Induction over the windows gives G(0, n) = g.
 *
 * So g lies between g of the values' lower bucket edges and g of the upper
 * edges, and runs of equal values are walked over fast.  If the two agree, the
 * answer is found.  If not, the values of some buckets are looked at, where
 * each value is its lower and upper edge.  A guess chooses the buckets:
 * whatever is chosen, only a number from lower and upper edges alike is an
 * answer.
 *
 * The guess.  Let the largest values go one by one, k values gone: g is at most
 * the quantile of the rest plus k S, for as long as this quantile is at or
 * above center - (n - k) S, which holds up g of the rest.  So among buckets up
 * to the quantile a bucket matters if x + k S <= g is possible for a value x
 * that is the quantile of n - k; a value with r below is the quantile of at
 * most (r + 1) / alpha records.  For the smallest values every sign is turned.
 */
#include "ordered_unsorted.h"

#include <stdlib.h>

#include "buckets.h"
#include "number/memory.h"
#include "ordered_walk.h"

#define GATHERED(n) ((n) / 4 + 64)	/* sorting more is no gain */
#define ROUNDS 20

/* The values in buckets, and numbers between which g lies. */
struct sieve {
	const struct ordered *f;
	struct buckets b;
	i128 n;
	int64_t least, most;
};

/* g if every value were the lower edge of the bucket, or the upper. */
static int64_t
at_edges(const struct sieve *s, bool upper)
{
	int64_t *x = err_alloc(NULL, s->b.n, sizeof(*x)), value;
	uint64_t *w = err_alloc(NULL, s->b.n, sizeof(*w));

	for (size_t i = 0; i < s->b.n; i++) {
		x[i] = upper ? s->b.bucket[i].hi : s->b.bucket[i].lo;
		w[i] = s->b.bucket[i].records;
	}
	value = ordered_value(s->f, x, w, s->b.n);
	free(x);
	free(w);
	return value;
}

/* The most records whose quantile has r records below. */
static i128
company(const struct sieve *s, i128 r, i128 num)
{
	i128 most = num == 0 ? s->n : (r + 1) * s->f->alpha.den / num;

	return most < s->n ? most : s->n;
}

/* May a value of a bucket with records from..to - 1 decide g? */
static bool
matters(const struct sieve *s, const struct bucket *b, i128 from, i128 to)
{
	i128 sens = s->f->sens, n = s->n, rest;
	struct rational a = s->f->alpha;
	i128 middle = n * a.num / a.den;

	rest = company(s, to - 1, a.num) + 2;
	if (b->hi >= s->f->center - sens * rest && from <= middle &&
	    b->lo + sens * (n - rest) <= s->most)
		return true;
	rest = company(s, n - from, a.den - a.num) + 2;
	return b->lo <= s->f->center + sens * rest && to + 1 >= middle &&
	    b->hi - sens * (n - rest) >= s->least;
}

static bool
look(void *arg, const struct buckets *b, bool *open)
{
	struct sieve *s = arg;
	i128 from = 0;

	s->least = at_edges(s, false);
	s->most = at_edges(s, true);
	for (size_t i = 0; i < b->n; i++) {
		i128 to = from + b->bucket[i].records;

		open[i] = matters(s, &b->bucket[i], from, to);
		from = to;
	}
	return s->least == s->most;
}

bool
ordered_edges(const struct ordered *f, const struct values *v,
    const struct totals *all, int bits, int64_t *value)
{
	struct sieve s = { .f = f, .n = (i128)all->records };
	int rounds = ROUNDS;
	bool known;

	buckets_lay(&s.b, v, all, bits);
	s.b.most = GATHERED(v->n);
	known = buckets_search(&s.b, look, &s, &rounds);
	*value = s.least;
	return known;
}
