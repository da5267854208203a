/* sort: radix sort of grid integers. */
#ifndef SORT_H
#define SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sorts x[0..n-1] ascending in linear time with n values of scratch that it
 * allocates and frees.  False when memory is short (x is then unchanged).
 */
bool sort_grid(int64_t *x, size_t n);

/*
 * Sorts x[0..n-1] by value and carries w along (w: one count for each x).
 * False when memory is short (both are then unchanged).
 */
bool sort_pairs(int64_t *x, uint64_t *w, size_t n);

/*
 * Merges equal neighbours of sorted x, adding their counts; returns the
 * number of distinct values, which stand first.
 */
size_t sort_merge(int64_t *x, uint64_t *w, size_t n);

#endif
