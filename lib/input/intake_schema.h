/* intake_schema: which cells the schema reads as numbers, and why not. */
#ifndef INTAKE_SCHEMA_H
#define INTAKE_SCHEMA_H

#include "bad.h"
#include "intake.h"

/*
 * Tells the table which cells are numbers and which are keys.  Status 2 where
 * the schema says that a column of numbers holds names, or is a view.
 */
void intake_numbers(struct intake *in);

/*
 * For --check: the cell as it stands in the file, and why it is bad, by the
 * schema where there is one.
 */
enum bad intake_why(const struct intake *in, const struct cell *cell,
    size_t column, enum bad why, struct cell *raw);

#endif
