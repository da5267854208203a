/*
 * sort: radix sort of grid integers; sort_select.c has the selection.
 *
 * Values are taken as distances from the smallest, which are unsigned and
 * have few significant bytes when the values lie close together, whatever
 * their signs.  Sorting is by least significant byte first: one pass counts
 * all bytes, a byte in which all values agree costs nothing more, and each
 * other byte moves every value once to scratch or back.  Order and cost are
 * independent of how the values are arranged, but for input that is sorted
 * already, which is only looked at.
 */
#include "sort.h"

#include <stdlib.h>
#include <string.h>

#include "sort_impl.h"

#define SMALL 48	/* below, insertion is faster than counting */
#define DIGITS 8
static bool
is_sorted(const int64_t *x, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (x[i - 1] > x[i])
			return false;
	return true;
}

struct span
sort_span(const int64_t *x, size_t n)
{
	int64_t min = x[0], max = x[0];
	size_t i;

	for (i = 1; i < n; i++) {
		min = x[i] < min ? x[i] : min;
		max = x[i] > max ? x[i] : max;
	}
	return (struct span){ .min = min,
	    .size = (uint64_t)max - (uint64_t)min };
}

int
sort_digits(uint64_t size)
{
	int d = 0;

	for (; size > 0; size >>= 8)
		d++;
	return d;
}

static void
insertion(int64_t *x, uint64_t *w, size_t n)
{
	uint64_t weight = 0;
	int64_t value;
	size_t i, j;

	for (i = 1; i < n; i++) {
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
	size_t i;
	int d;

	memset(count, 0, (size_t)digits * sizeof(count[0]));
	for (i = 0; i < n; i++) {
		key = (uint64_t)x[i] - (uint64_t)min;
		for (d = 0; d < digits; d++, key >>= 8)
			count[d][key & 255]++;
	}
}

void
sort_places(size_t *count, size_t buckets)
{
	size_t sum = 0, c, b;

	for (b = 0; b < buckets; b++) {
		c = count[b];
		count[b] = sum;
		sum += c;
	}
}

static void
scatter(int64_t *to, const int64_t *from, size_t n, int64_t min, int d,
    size_t place[256])
{
	size_t i;

	for (i = 0; i < n; i++)
		to[place[DIGIT(from[i], min, d)]++] = from[i];
}

static void
scatter_pairs(int64_t *to, uint64_t *wto, const int64_t *from,
    const uint64_t *wfrom, size_t n, int64_t min, int d, size_t place[256])
{
	size_t i, p;

	for (i = 0; i < n; i++) {
		p = place[DIGIT(from[i], min, d)]++;
		to[p] = from[i];
		wto[p] = wfrom[i];
	}
}

/* Sorts x (and w unless NULL) of this span by way of tx (and tw). */
static void
radix(int64_t *x, uint64_t *w, size_t n, struct span span, int64_t *tx,
    uint64_t *tw)
{
	size_t count[DIGITS][256];
	int digits = sort_digits(span.size), d;
	int64_t *from = x, *to = tx, *swap;
	uint64_t *wfrom = w, *wto = tw, *wswap;

	count_digits(x, n, span.min, digits, count);
	for (d = 0; d < digits; d++) {
		if (count[d][DIGIT(x[0], span.min, d)] == n)
			continue;
		sort_places(count[d], 256);
		if (w == NULL)
			scatter(to, from, n, span.min, d, count[d]);
		else
			scatter_pairs(to, wto, from, wfrom, n, span.min, d,
			    count[d]);
		swap = from, from = to, to = swap;
		wswap = wfrom, wfrom = wto, wto = wswap;
	}
	if (from != x) {
		memcpy(x, from, n * sizeof(*x));
		if (w != NULL)
			memcpy(w, wfrom, n * sizeof(*w));
	}
}

bool
sort_grid(int64_t *x, size_t n)
{
	struct span span;
	int64_t *scratch;

	if (is_sorted(x, n))
		return true;
	if (n < SMALL) {
		insertion(x, NULL, n);
		return true;
	}
	scratch = calloc(n, sizeof(*x));
	if (scratch == NULL)
		return false;
	span = sort_span(x, n);
	if (sort_is_narrow(x, n, &span))
		sort_narrow(x, n, span, scratch);
	else
		radix(x, NULL, n, span, scratch, NULL);
	free(scratch);
	return true;
}

bool
sort_pairs(int64_t *x, uint64_t *w, size_t n)
{
	int64_t *tx;
	uint64_t *tw;

	if (is_sorted(x, n))
		return true;
	if (n < SMALL) {
		insertion(x, w, n);
		return true;
	}
	tx = calloc(n, sizeof(*x));
	tw = calloc(n, sizeof(*w));
	if (tx != NULL && tw != NULL)
		radix(x, w, n, sort_span(x, n), tx, tw);
	free(tx);
	free(tw);
	return tx != NULL && tw != NULL;
}

size_t
sort_merge(int64_t *x, uint64_t *w, size_t n)
{
	size_t i, last = 0;

	if (n == 0)
		return 0;
	for (i = 1; i < n; i++) {
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
