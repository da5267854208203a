/* sort_impl: what the sources of sort share. */
#ifndef SORT_IMPL_H
#define SORT_IMPL_H

#include <stddef.h>
#include <stdint.h>

/* Byte d of the distance of x from base. */
#define DIGIT(x, base, d) \
	((((uint64_t)(x) - (uint64_t)(base)) >> (8 * (d))) & 255)

struct span {
	int64_t min;
	uint64_t size;	/* max - min */
};

/* Span of x[0..n-1], n > 0. */
struct span sort_span(const int64_t *x, size_t n);

/* Significant bytes of size. */
int sort_digits(uint64_t size);

/* Sorts without scratch, in n log n steps: where memory is short. */
void sort_heap(int64_t *x, size_t n);

#endif
