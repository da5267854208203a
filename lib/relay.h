/*
 * relay: records read and cut on one thread, taken on the caller's.
 *
 * What table_read does, in the same order, so that nothing but time depends
 * on it.
 */
#ifndef RELAY_H
#define RELAY_H

#include "table.h"

/*
 * table_read, its reading and parsing on a thread of their own where threads
 * is above 1 and one can be had; record is called on this thread.
 */
void relay_read(struct table *t, unsigned threads, const size_t *cols,
    size_t k, void (*record)(void *arg, const struct cell *cells,
    size_t fields), void *arg);

#endif
