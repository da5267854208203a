/*
 * sort_select: the extremes of a column, without sorting the rest.
 *
 * Selection narrows the range byte by byte from the top: counting tells
 * which byte the wanted rank has, a three-way partition brings its values
 * together.  No pivot is guessed, so no input makes it slow: at most eight
 * rounds, and on values that are spread out the rounds after the first see
 * 1/256 of the rest.
 */
#include <string.h>

#include "sort.h"
#include "sort_impl.h"

/*
 * Partitions x[0..n-1] by digit d into below, equal to and above `digit`;
 * the equal ones then stand at [*lo, *hi).
 */
static void
partition(int64_t *x, size_t n, int64_t min, int d, uint64_t digit,
    size_t *lo, size_t *hi)
{
	size_t i = 0, below = 0, above = n;
	int64_t value;
	uint64_t have;

	while (i < above) {
		value = x[i];
		have = DIGIT(value, min, d);
		if (have < digit) {
			x[i++] = x[below];
			x[below++] = value;
		} else if (have > digit) {
			x[i] = x[--above];
			x[above] = value;
		} else {
			i++;
		}
	}
	*lo = below;
	*hi = above;
}

/* Brings the c smallest of x[0..n-1] to its front, 0 < c < n. */
static void
smallest_first(int64_t *x, size_t n, size_t c)
{
	size_t count[256], i, lo, hi;
	struct span span;
	uint64_t digit;
	int d;

	while (c > 0 && c < n) {
		span = sort_span(x, n);
		if (span.size == 0)
			return;
		d = sort_digits(span.size) - 1;
		memset(count, 0, sizeof(count));
		for (i = 0; i < n; i++)
			count[DIGIT(x[i], span.min, d)]++;
		lo = c;
		for (digit = 0; count[digit] < lo; digit++)
			lo -= count[digit];
		partition(x, n, span.min, d, digit, &lo, &hi);
		x += lo;
		n = hi - lo;
		c -= lo;
	}
}

static void
sift(int64_t *x, size_t n, size_t i)
{
	int64_t value = x[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && x[child + 1] > x[child])
			child++;
		if (x[child] <= value)
			break;
		x[i] = x[child];
		i = child;
	}
	x[i] = value;
}

void
sort_heap(int64_t *x, size_t n)
{
	int64_t top;
	size_t i;

	for (i = n / 2; i-- > 0;)
		sift(x, n, i);
	for (i = n; i-- > 1;) {
		top = x[0];
		x[0] = x[i];
		x[i] = top;
		sift(x, i, 0);
	}
}

void
sort_extremes(int64_t *x, size_t n, size_t c)
{
	if (c == 0)
		return;
	smallest_first(x, n, c);
	smallest_first(x + c, n - c, n - 2 * c);
	if (!sort_grid(x, c))
		sort_heap(x, c);
	if (!sort_grid(x + n - c, c))
		sort_heap(x + n - c, c);
}
