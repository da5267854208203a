/* intake_batch: records read by several threads. */
#ifndef INTAKE_BATCH_H
#define INTAKE_BATCH_H

#include "intake.h"

/*
 * The number from --threads, by default the processors at hand for a large file
 * and 1 for smaller input.
 */
unsigned batch_threads(const struct intake *in);

/*
 * Reads as table_read(in->table, ..., record, in) does, but on in->threads, or
 * faster; record gets a copy of *in.  False, and nothing is read, where this
 * would be no faster, or a record must be taken before the next one is read.
 */
bool batch_read(struct intake *in, table_record *record);

#endif
