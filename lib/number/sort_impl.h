/* sort_impl: what the sources of sort share. */
#ifndef SORT_IMPL_H
#define SORT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Byte d of the distance of x from base. */
#define DIGIT(x, base, d) \
	((((uint64_t)(x) - (uint64_t)(base)) >> (8 * (d))) & 255)

/* 10^zeros, and the inverse of 5^zeros mod 2^64. */
struct tens {
	int zeros;
	uint64_t power;
	uint64_t inverse;
};

struct span {
	int64_t min;
	uint64_t size;		/* max - min */
	struct tens tens;	/* all distances from min are multiples */
};

/* Span of x[0..n-1], n > 0. */
struct span sort_span(const int64_t *x, size_t n);

/* Significant bytes of size. */
int sort_digits(uint64_t size);

/*
 * Are the distances from the smallest value less than 2^32 multiples of a
 * power of ten, span->tens then?  If so, sorts by way of n values of scratch.
 */
bool sort_is_narrow(const int64_t *x, size_t n, struct span *span);
void sort_narrow(int64_t *x, size_t n, struct span span, void *scratch);

/* Counts to the place of each bucket's first value. */
void sort_places(size_t *count, size_t buckets);

/* Sorts without scratch, in n log n steps: where memory is short. */
void sort_heap(int64_t *x, size_t n);

#endif
