/*
 * engine: a release behind a database that counts.
 *
 * --sql prints the query whose rows --grouped reads.  Equal rows become one,
 * and its count.  What the tool reads of a row decides a release, and how many
 * rows are equal, whatever their order: so the release from the counts has the
 * law of the release from the rows, and under a seed its bytes.  The count's
 * column has a name that says what the query was made for, so that the rows of
 * one release are none of another's.
 */
#pragma once

#include "input/intake.h"

/* Prints the query for an input that is open, and what goes on. */
noreturn void engine_print(const struct intake *in,
    const struct intake_use *use);

/* Status 1 where the input has the rows of another query. */
void engine_agree(const struct intake *in, const struct intake_use *use);
