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
#include <stdlib.h>
#include <string.h>

#include "number/memory.h"
#include "number/sort.h"
#include "ordered_walk.h"

#define MOST(n) ((n) / 4 + 64)	/* sorting more is no gain */

/*
 * Values in equal buckets from lo to hi, and a bucket for the rest on either
 * side.
 */
struct sieve {
	const struct ordered *f;
	const int64_t *x;
	size_t n;
	int64_t min, max;	/* of x */
	int64_t lo, hi;
	int shift;
	size_t buckets;
	uint64_t *count;
	bool *open;		/* values are looked at: */
	int64_t *got;		/* these, ascending */
	size_t ngot;
	int64_t least, most;	/* g lies between */
};

static inline size_t
bucket_of(const struct sieve *s, int64_t x)
{
	uint64_t b = ((uint64_t)x - (uint64_t)s->lo) >> s->shift;

	return x < s->lo ? 0 : b < s->buckets - 2 ? b + 1 : s->buckets - 1;
}

static int64_t
low_edge(const struct sieve *s, size_t b)
{
	if (b == 0)
		return s->min;
	return b == s->buckets - 1 ? s->hi + 1 : (int64_t)((uint64_t)s->lo +
	    ((uint64_t)(b - 1) << s->shift));
}

static int64_t
high_edge(const struct sieve *s, size_t b)
{
	if (b == s->buckets - 1)
		return s->max;
	return b == s->buckets - 2 ? s->hi : low_edge(s, b + 1) - 1;
}

static void
span(struct sieve *s)
{
	int64_t min = s->x[0], max = min;

	for (size_t i = 0; i < s->n; i++) {
		min = s->x[i] < min ? s->x[i] : min;
		max = s->x[i] > max ? s->x[i] : max;
	}
	s->min = s->lo = min;
	s->max = s->hi = max;
}

static void
fill(struct sieve *s, int bits)
{
	uint64_t size = (uint64_t)s->hi - (uint64_t)s->lo;

	for (s->shift = 0; size >> s->shift >> bits > 0; s->shift++)
		;
	s->buckets = (size_t)(size >> s->shift) + 3;
	memset(s->count, 0, s->buckets * sizeof(*s->count));
	memset(s->open, 0, s->buckets * sizeof(*s->open));
	for (size_t i = 0; i < s->n; i++)
		s->count[bucket_of(s, s->x[i])]++;
}

/* The given edges as runs; an open bucket's edges are values. */
static size_t
runs(const struct sieve *s, int64_t (*edge)(const struct sieve *, size_t),
    int64_t *x, uint64_t *w)
{
	const int64_t *got = s->got;
	size_t n = 0;

	for (size_t b = 0; b < s->buckets; b++)
		if (!s->open[b] && s->count[b] > 0) {
			x[n] = edge(s, b);
			w[n++] = s->count[b];
		} else
			for (uint64_t i = 0; i < s->count[b]; i++) {
				x[n] = *got++;
				w[n++] = 1;
			}
	return n;
}

/* g from lower and upper edges; are both one number? */
static bool
bound(struct sieve *s)
{
	size_t room = s->buckets + s->ngot;
	int64_t *x = err_alloc(NULL, room, sizeof(*x));
	uint64_t *w = err_alloc(NULL, room, sizeof(*w));

	s->least = ordered_value(s->f, x, w, runs(s, low_edge, x, w));
	s->most = ordered_value(s->f, x, w, runs(s, high_edge, x, w));
	free(x);
	free(w);
	return s->least == s->most;
}

/* The most records whose quantile has r records below. */
static i128
company(const struct sieve *s, i128 r, i128 num)
{
	i128 most = num == 0 ? (i128)s->n : (r + 1) * s->f->alpha.den / num;

	return most < (i128)s->n ? most : (i128)s->n;
}

/* May a value of a bucket with records from..to - 1 decide g? */
static bool
matters(const struct sieve *s, size_t b, uint64_t from, uint64_t to)
{
	int64_t low = low_edge(s, b), high = high_edge(s, b);
	i128 sens = s->f->sens, n = (i128)s->n;
	struct rational a = s->f->alpha;
	uint64_t middle = (uint64_t)(n * a.num / a.den);
	i128 rest = company(s, (i128)to - 1, a.num) + 2;

	if (high >= s->f->center - sens * rest && from <= middle &&
	    low + sens * (n - rest) <= s->most)
		return true;
	rest = company(s, n - (i128)from, a.den - a.num) + 2;
	return low <= s->f->center + sens * rest && to + 1 >= middle &&
	    high - sens * (n - rest) >= s->least;
}

/*
 * Opens buckets between lo and hi, first to last; returns how many values the
 * open buckets have.
 */
static uint64_t
choose(struct sieve *s, size_t *first, size_t *last)
{
	uint64_t total = 0, from = 0;

	*first = s->buckets;
	for (size_t b = 0; b < s->buckets - 1; from += s->count[b++]) {
		s->open[b] = b > 0 && s->count[b] > 0 &&
		    matters(s, b, from, from + s->count[b]);
		if (!s->open[b])
			continue;
		total += s->count[b];
		*first = *first < b ? *first : b;
		*last = b;
	}
	return total;
}

/* Looks at the values in open buckets: do they decide? */
static bool
look(struct sieve *s, uint64_t total)
{
	s->got = err_alloc(NULL, total + 1, sizeof(*s->got));
	for (size_t i = 0; i < s->n; i++) {
		s->got[s->ngot] = s->x[i];
		s->ngot += s->open[bucket_of(s, s->x[i])];
	}
	sort_grid(s->got, s->ngot);
	return bound(s);
}

/* Buckets within the open buckets; false where not worth the while. */
static bool
zoom(struct sieve *s, size_t first, size_t last)
{
	uint64_t size = (uint64_t)s->hi - (uint64_t)s->lo;

	if (first > last)
		return false;
	s->hi = high_edge(s, last);
	s->lo = low_edge(s, first);
	return (uint64_t)s->hi - (uint64_t)s->lo < size / 4;
}

static bool
search(struct sieve *s, int bits)
{
	size_t first = 0, last = 0;
	uint64_t total;

	span(s);
	for (;;) {
		fill(s, bits);
		if (bound(s))
			return true;
		total = choose(s, &first, &last);
		if (total <= MOST(s->n))
			return look(s, total);
		if (!zoom(s, first, last))
			return false;
	}
}

bool
ordered_edges(const struct ordered *f, const int64_t *x, size_t n, int bits,
    int64_t *value)
{
	size_t room = ((size_t)1 << bits) + 3;
	struct sieve s = { .f = f, .x = x, .n = n };
	bool known;

	s.count = err_alloc(NULL, room, sizeof(*s.count));
	s.open = err_alloc(NULL, room, sizeof(*s.open));
	known = search(&s, bits);
	*value = s.least;
	free(s.count);
	free(s.open);
	free(s.got);
	return known;
}
