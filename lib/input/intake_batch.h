/* intake_batch: records that several threads read. */
#ifndef INTAKE_BATCH_H
#define INTAKE_BATCH_H

#include "intake.h"

/*
 * What --threads says, by default the processors at hand for a large file and
 * one for all else.
 */
unsigned batch_threads(const struct intake *in);

/* May records be read out of their order? */
bool batch_may(const struct intake *in);

/*
 * Reads as table_read(in->table, ..., record, in) does, on in->threads;
 * record gets a copy of *in.  Where records are plain, it leaves single
 * numbers at in->x and calls in->full where the room for them ends.
 */
void batch_read(struct intake *in, void (*record)(void *in,
    const struct cell *cells, size_t fields), bool plain);

/* The same for plain records, with the caller's thread alone. */
void batch_read_alone(struct intake *in, void (*record)(void *in,
    const struct cell *cells, size_t fields));

#endif
