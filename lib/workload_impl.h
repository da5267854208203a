/* workload_impl: what the sources of workload share. */
#ifndef WORKLOAD_IMPL_H
#define WORKLOAD_IMPL_H

#include "workload.h"

/* Appends an empty block; NULL without memory. */
struct block *workload_block(struct workload *w, enum workload_kind kind,
    size_t count);

#endif
