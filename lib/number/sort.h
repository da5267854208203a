/* sort: a radix sort for grid integers, and searches. */
#pragma once

#include "fixed.h"

/*
 * Sorts x[0..n-1] ascending in linear time, with scratch as large, and carries
 * w along: a count for each x, or NULL.
 */
void sort_pairs(int64_t *x, uint64_t *w, size_t n);

#define sort_grid(x, n) sort_pairs(x, NULL, n)

/*
 * Merges equal neighbours of sorted x, adding their counts; returns how many
 * distinct values stand first.
 */
size_t sort_merge(int64_t *x, uint64_t *w, size_t n);

/* The first of sorted x[0..n-1] from v up; n where none is. */
size_t sort_find(const int64_t *x, size_t n, i128 v);

/* Doubles, after the noise or public alone.  For qsort: from the least up. */
int sort_rising(const void *a, const void *b);

/* How many of n rising numbers are below v, with `equal' or equal to it. */
size_t sort_count(const double *x, size_t n, double v, bool equal);
