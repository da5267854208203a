/* intake_batch: records read by several threads. */
#ifndef INTAKE_BATCH_H
#define INTAKE_BATCH_H

#include "intake.h"

/*
 * The number from --threads, by default the processors at hand for a large file
 * and 1 for smaller input.
 */
unsigned batch_threads(const struct intake *in);

/* May records be read out of order? */
bool batch_may(const struct intake *in);

/*
 * Reads as table_read(in->table, ..., record, in) does, on in->threads; record
 * gets a copy of *in.  Plain records leave single numbers at in->x, and
 * batch_read calls in->full where the room ends.
 */
void batch_read(struct intake *in, void (*record)(void *in,
    const struct cell *cells, size_t fields), bool plain);

/* batch_read for plain records, with the caller's thread alone. */
void batch_read_alone(struct intake *in, void (*record)(void *in,
    const struct cell *cells, size_t fields));

#endif
