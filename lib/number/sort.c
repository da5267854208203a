/*
 * sort: a radix sort for grid integers.
 *
 * Values are taken as distances from the smallest, unsigned, with few
 * significant bytes when the values lie close together, whatever their signs.
 * Sorting is by least significant byte first: one pass counts every byte, a
 * byte in which the values agree costs nothing more, and each byte left moves
 * every value once to scratch or back.  Neither order nor cost depends on the
 * values' arrangement, but sorted input is only looked at.
 *
 * Where the values have less than 2^32 possible distances from the smallest,
 * the distances go to scratch as 32-bit keys, where two copies take the values'
 * room; moves go between the two halves, and the last move writes values again.
 * Digits have up to WIDTH bits, so that 10^7 incomes in cents take three moves.
 *
 * On a grid finer than the data the keys are places on a coarser lattice.
 */
#include "sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lattice.h"
#include "memory.h"

#define SMALL 48	/* below, insertion is faster than counting, */
#define MANY 2048	/* and bytes are faster than wide digits */
#define DIGITS 8

#define WIDTH 11
#define MOVES 3
#define MASK(width) (((uint32_t)1 << (width)) - 1)

/* Byte d in the distance from base to x. */
#define DIGIT(x, base, d) \
	((((uint64_t)(x) - (uint64_t)(base)) >> (8 * (d))) & 255)

struct span {
	int64_t min;
	uint64_t size;		/* max - min */
};

static bool
is_sorted(const int64_t *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i - 1] > x[i])
			return false;
	return true;
}

static struct span
span_of(const int64_t *x, size_t n)
{
	int64_t min = x[0], max = x[0];

	for (size_t i = 1; i < n; i++) {
		min = x[i] < min ? x[i] : min;
		max = x[i] > max ? x[i] : max;
	}
	return (struct span){ .min = min,
	    .size = (uint64_t)max - (uint64_t)min };
}

static void
insertion(int64_t *x, uint64_t *w, size_t n)
{
	uint64_t weight = 0;
	int64_t value;
	size_t j;

	for (size_t i = 1; i < n; i++) {
		value = x[i];
		if (w != NULL)
			weight = w[i];
		for (j = i; j > 0 && x[j - 1] > value; j--) {
			x[j] = x[j - 1];
			if (w != NULL)
				w[j] = w[j - 1];
		}
		x[j] = value;
		if (w != NULL)
			w[j] = weight;
	}
}

static void
count_digits(const int64_t *x, size_t n, int64_t min, int digits,
    size_t count[][256])
{
	uint64_t key;

	memset(count, 0, (size_t)digits * sizeof(count[0]));
	for (size_t i = 0; i < n; i++) {
		key = (uint64_t)x[i] - (uint64_t)min;
		for (int d = 0; d < digits; d++, key >>= 8)
			count[d][key & 255]++;
	}
}

static void
places_of(size_t *count, size_t buckets)
{
	size_t sum = 0, c;

	for (size_t b = 0; b < buckets; b++) {
		c = count[b];
		count[b] = sum;
		sum += c;
	}
}

static void
scatter(int64_t *to, uint64_t *wto, const int64_t *from,
    const uint64_t *wfrom, size_t n, int64_t min, int d, size_t place[256])
{
	size_t p;

	for (size_t i = 0; i < n; i++) {
		p = place[DIGIT(from[i], min, d)]++;
		to[p] = from[i];
		if (wto != NULL)
			wto[p] = wfrom[i];
	}
}

/*
 * Sorts x (and w unless NULL) with this span, above 0, by way of tx (and
 * tw).
 */
static void
radix(int64_t *x, uint64_t *w, size_t n, struct span span, int64_t *tx,
    uint64_t *tw)
{
	size_t count[DIGITS][256];
	int digits = (71 - __builtin_clzll(span.size)) / 8, d;
	int64_t *from = x, *to = tx, *swap;
	uint64_t *wfrom = w, *wto = tw, *wswap;

	count_digits(x, n, span.min, digits, count);
	for (d = 0; d < digits; d++) {
		if (count[d][DIGIT(x[0], span.min, d)] == n)
			continue;
		places_of(count[d], 256);
		scatter(to, wto, from, wfrom, n, span.min, d, count[d]);
		swap = from, from = to, to = swap;
		wswap = wfrom, wfrom = wto, wto = wswap;
	}
	if (from != x) {
		memcpy(x, from, n * sizeof(*x));
		if (w != NULL)
			memcpy(w, wfrom, n * sizeof(*w));
	}
}

struct narrow {
	size_t n;
	struct lattice at;	/* of all values */
	int moves;
	int width;		/* bits in a digit */
	uint32_t *a, *b;	/* n keys each */
	size_t (*place)[1 << WIDTH];	/* for each digit's next value */
};

static void
keys(struct narrow *s, const int64_t *x)
{
	uint32_t key, mask = MASK(s->width);

	for (size_t i = 0; i < s->n; i++) {
		key = (uint32_t)lattice_place(&s->at, x[i]);
		s->a[i] = key;
		for (int d = 0; d < s->moves; d++, key >>= s->width)
			s->place[d][key & mask]++;
	}
}

/* Moves keys to their places by digit d; where `values' is given, as values. */
static inline __attribute__((always_inline)) void
move(const struct narrow *s, uint32_t *keys, int64_t *values, int d)
{
	const uint32_t *from = s->a, mask = MASK(s->width);
	size_t *place = s->place[d];
	int shift = d * s->width;

	for (size_t i = 0; i < s->n; i++) {
		size_t to = place[from[i] >> shift & mask]++;

		if (values != NULL)
			values[to] = lattice_number(&s->at, from[i]);
		else
			keys[to] = from[i];
	}
}

static void
narrow(int64_t *x, size_t n, struct lattice at, void *scratch)
{
	size_t place[MOVES][1 << WIDTH];
	struct narrow s = { .n = n, .at = at, .a = scratch, .place = place };
	uint32_t *swap;
	int bits = 64 - __builtin_clzll((at.places - 1) | 1);

	s.moves = (bits + WIDTH - 1) / WIDTH;
	s.width = (bits + s.moves - 1) / s.moves;
	s.b = s.a + n;
	memset(place, 0, (size_t)s.moves * sizeof(place[0]));
	keys(&s, x);
	for (int d = 0; d < s.moves; d++)
		places_of(place[d], (size_t)1 << s.width);
	for (int d = 0; d < s.moves - 1; d++) {
		move(&s, s.b, NULL, d);
		swap = s.a, s.a = s.b, s.b = swap;
	}
	move(&s, NULL, x, s.moves - 1);
}

void
sort_pairs(int64_t *x, uint64_t *w, size_t n)
{
	struct lattice at = { .places = 0 };
	int64_t *tx;
	uint64_t *tw = NULL;

	if (is_sorted(x, n))
		return;
	if (n < SMALL) {
		insertion(x, w, n);
		return;
	}
	tx = err_alloc(NULL, n, sizeof(*tx));
	if (w != NULL)
		tw = err_alloc(NULL, n, sizeof(*tw));
	if (w == NULL && n >= MANY && lattice_widen(&at, x, n, 32))
		narrow(x, n, at, tx);
	else
		radix(x, w, n, span_of(x, n), tx, tw);
	free(tx);
	free(tw);
}

size_t
sort_merge(int64_t *x, uint64_t *w, size_t n)
{
	size_t last = 0;

	if (n == 0)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (x[i] == x[last]) {
			if (__builtin_add_overflow(w[last], w[i], &w[last]))
				w[last] = UINT64_MAX;
			continue;
		}
		last++;
		x[last] = x[i];
		w[last] = w[i];
	}
	return last + 1;
}

size_t
sort_find(const int64_t *x, size_t n, i128 v)
{
	size_t lo = 0, hi = n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (x[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
