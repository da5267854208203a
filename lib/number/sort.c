/*
 * sort: a radix sort for grid integers.
 *
 * Values are taken as distances from the smallest, unsigned, with few
 * significant bits when the values lie close together, whatever their signs.
 * Sorting is by least significant digit first: one pass counts every digit, a
 * digit in which the values agree costs nothing more, and each digit left moves
 * every value once to scratch or back.  Neither order nor cost depends on how
 * the values are arranged, except that sorted input is only looked at.
 *
 * Digits have up to WIDTH bits.  Many values without weights first go to parts,
 * in place, by their highest bits: a part and its scratch fit a cache.
 */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define SMALL 48	/* below, insertion is faster than counting, */
#define MANY 2048	/* and bytes are faster than wide digits */
#define WIDTH 11
#define DIGITS 6	/* of WIDTH bits */
#define LARGE 65536	/* above, values first go */
#define BITS 10		/* to 2^BITS parts */
#define PARTS ((size_t)1 << BITS)

static bool
is_sorted(const int64_t *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i - 1] > x[i])
			return false;
	return true;
}

static void
insertion(int64_t *x, uint64_t *w, size_t n)
{
	for (size_t i = 1, j; i < n; i++) {
		int64_t value = x[i];
		uint64_t weight = w == NULL ? 0 : w[i];

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

/* Digits of equal width in the distances from the smallest value. */
struct digits {
	int64_t min;
	int width, n;
	size_t *count;		/* 2^width for each digit, then places */
};

static void
count_digits(const struct digits *s, const int64_t *x, size_t n)
{
	uint64_t key, mask = ((uint64_t)1 << s->width) - 1;

	for (size_t i = 0; i < n; i++) {
		key = (uint64_t)x[i] - (uint64_t)s->min;
		for (int d = 0; d < s->n; d++, key >>= s->width)
			s->count[(uint64_t)d << s->width | (key & mask)]++;
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

/* Digit d of x. */
static inline uint64_t
digit(const struct digits *s, int64_t x, int d)
{
	return ((uint64_t)x - (uint64_t)s->min) >> (d * s->width) &
	    (((uint64_t)1 << s->width) - 1);
}

static void
scatter(const struct digits *s, int d, int64_t *to, uint64_t *wto,
    const int64_t *from, const uint64_t *wfrom, size_t n)
{
	const struct digits own = *s;
	size_t *place = own.count + ((size_t)d << own.width), p;

	for (size_t i = 0; i < n; i++) {
		p = place[digit(&own, from[i], d)]++;
		to[p] = from[i];
		if (wto != NULL)
			wto[p] = wfrom[i];
	}
}

/* The smallest value; *bits tells values apart by their distances from it. */
static int64_t
least_of(const int64_t *x, size_t n, int *bits)
{
	int64_t min = x[0], max = x[0];

	for (size_t i = 1; i < n; i++) {
		min = FIXED_LEAST(x[i], min);
		max = FIXED_MOST(x[i], max);
	}
	*bits = 64 - __builtin_clzll((uint64_t)max - (uint64_t)min);
	return min;
}

/* Sorts x, whose values differ, and w unless NULL. */
static void
radix(int64_t *x, uint64_t *w, size_t n)
{
	int64_t *tx = err_alloc(NULL, n, sizeof(*tx));
	uint64_t *tw = NULL;
	size_t count[DIGITS << WIDTH];
	int most = n < MANY ? 8 : WIDTH, bits;
	struct digits s = { .min = least_of(x, n, &bits), .count = count };
	int64_t *from = x, *to = tx, *swap;
	uint64_t *wfrom = w, *wto, *wswap;

	if (w != NULL)
		tw = err_alloc(NULL, n, sizeof(*tw));
	wto = tw;
	s.n = (bits + most - 1) / most;
	s.width = (bits + s.n - 1) / s.n;
	memset(count, 0, ((size_t)s.n << s.width) * sizeof(*count));
	count_digits(&s, x, n);
	for (int d = 0; d < s.n; d++) {
		size_t *place = count + ((size_t)d << s.width);

		if (place[digit(&s, x[0], d)] == n)
			continue;
		places_of(place, (size_t)1 << s.width);
		scatter(&s, d, to, wto, from, wfrom, n);
		swap = from, from = to, to = swap;
		wswap = wfrom, wfrom = wto, wto = wswap;
	}
	if (from != x) {
		memcpy(x, from, n * sizeof(*x));
		if (w != NULL)
			memcpy(w, wfrom, n * sizeof(*w));
	}
	free(tx);
	free(tw);
}

/*
 * Moves x to parts by distances from min.  What is at a place without its value
 * goes to the next such place of its own part, and what is there comes back; no
 * step waits for the one before.  A round looks at each place that is still
 * without its value when the part's turn comes, and every look fills one place,
 * so at least half of the places are filled in a round.
 */
static void
part(int64_t *x, int64_t min, int shift, size_t *place, const size_t *end)
{
	bool left = true;
	int64_t value;
	size_t at;

	while (left) {
		left = false;
		for (size_t p = 0; p < PARTS; p++) {
			for (size_t i = place[p]; i < end[p]; i++) {
				value = x[i];
				at = place[((uint64_t)value - (uint64_t)min) >>
				    shift]++;
				x[i] = x[at];
				x[at] = value;
			}
			left = left || place[p] < end[p];
		}
	}
}

/* Sorts many values, which differ. */
static void
sort_parts(int64_t *x, size_t n)
{
	size_t place[PARTS] = { 0 }, end[PARTS];
	int bits, shift;
	int64_t min = least_of(x, n, &bits);

	shift = FIXED_MOST(bits - BITS, 0);
	for (size_t i = 0; i < n; i++)
		place[((uint64_t)x[i] - (uint64_t)min) >> shift]++;
	places_of(place, PARTS);
	memcpy(end, place + 1, sizeof(end) - sizeof(*end));
	end[PARTS - 1] = n;
	part(x, min, shift, place, end);
	for (size_t p = 0, from = 0; p < PARTS; from = end[p++])
		sort_grid(x + from, end[p] - from);
}

void
sort_pairs(int64_t *x, uint64_t *w, size_t n)
{
	if (is_sorted(x, n))
		return;
	if (n < SMALL)
		insertion(x, w, n);
	else if (n > LARGE && w == NULL)
		sort_parts(x, n);
	else
		radix(x, w, n);
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
	int64_t least = fixed_clamp_wide(v, INT64_MIN, INT64_MAX);
	size_t lo = 0;

	if (v > INT64_MAX)
		return n;
	for (; n > 1; n -= n / 2)
		if (x[lo + n / 2 - 1] < least)
			lo += n / 2;
	return lo + (n > 0 && x[lo] < least);
}

int
sort_rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

size_t
sort_count(const double *x, size_t n, double v, bool equal)
{
	size_t lo = 0, mid;

	while (lo < n) {
		mid = lo + (n - lo) / 2;
		if (x[mid] < v || (equal && !(x[mid] > v)))
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}
