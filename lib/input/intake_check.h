/*
 * intake_check: what --check tells the curator about the input.
 *
 * It is never private: it counts records, quotes cells and says where they
 * stand.  It releases nothing and ends with status 1 where it found problems.
 */
#ifndef INTAKE_CHECK_H
#define INTAKE_CHECK_H

#include "intake.h"

struct check;

/* Looks at the records of an input that is open; the caller frees nothing. */
struct check *check_new(struct intake *in);

void check_record(struct check *k, const struct cell *cells, size_t fields);
/* A person's sums, where these are what --range clamps; NULL: no good row. */
void check_sums(struct check *k, const int64_t *x);
noreturn void check_end(struct check *k);

#endif
