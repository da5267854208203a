/* workload_impl: what the sources of workload share. */
#ifndef WORKLOAD_IMPL_H
#define WORKLOAD_IMPL_H

#include "workload.h"

/* Appends an empty block; NULL without memory. */
struct block *workload_block(struct workload *w, enum workload_kind kind,
    size_t count);

/* Block of query k; *k becomes its place within. */
const struct block *workload_find(const struct workload *w, size_t *k);

/* First and last element of range number k. */
void workload_bounds(size_t n, size_t k, size_t *first, size_t *last);

#endif
