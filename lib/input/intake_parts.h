/* intake_parts: what the sources of intake call in each other. */
#pragma once

#include "bad.h"
#include "intake.h"

/*
 * intake_schema.c: tells the table which cells are numbers and which are keys.
 * Status 2 where the schema says that a column of numbers holds names, or is a
 * view.
 */
void intake_numbers(struct intake *in);

/*
 * For --check: the cell as it stands in the file, and why it is bad, by the
 * schema where there is one.
 */
enum bad intake_why(const struct intake *in, const struct cell *cell,
    size_t column, enum bad why, struct cell *raw);

/*
 * intake_check.c: the words of --check for the curator.  --check is never
 * private: it counts records, quotes cells and names their lines.  It releases
 * nothing and ends with status 1 after problems.
 */
struct check;

/* Looks at the records of an open input; the caller frees nothing. */
struct check *check_new(struct intake *in);

void check_record(struct check *k, const struct cell *cells, size_t fields);
/* A person's sums, if --range clamps sums; NULL: no good row. */
void check_total(struct check *k, size_t c, i128 x);
noreturn void check_end(struct check *k);

/*
 * intake_grouped.c: reads the rows of --sql's query, each a record of its
 * count, up to the last end mark.  Half of a query's rows is status 1.
 */
void grouped_read(struct intake *in, table_record *record);

/*
 * intake_batch.c: records read by several threads.  The number from --threads,
 * by default the processors at hand for a large file and 1 for smaller input.
 */
unsigned batch_threads(const struct intake *in);

/*
 * Reads as table_read(in->table, ..., record, in) does, but on in->threads, or
 * faster; record gets a copy of *in.  False, and nothing is read, where this
 * would be no faster, or a record must be taken before the next one is read.
 */
bool batch_read(struct intake *in, table_record *record);
