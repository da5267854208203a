/*
 * intake_check: the words of --check for the curator.
 *
 * --check is never private: it counts records, quotes cells and names their
 * lines.  --check releases nothing and ends with status 1 after problems.
 */
#ifndef INTAKE_CHECK_H
#define INTAKE_CHECK_H

#include "intake.h"

struct check;

/* Looks at the records of an open input; the caller frees nothing. */
struct check *check_new(struct intake *in);

void check_record(struct check *k, const struct cell *cells, size_t fields);
/* A person's sums, if --range clamps sums; NULL: no good row. */
void check_sums(struct check *k, const int64_t *x);
noreturn void check_end(struct check *k);

#endif
