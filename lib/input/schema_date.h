/* schema_date: dates and times by a field's format, and in ISO's form. */
#ifndef SCHEMA_DATE_H
#define SCHEMA_DATE_H

#include "schema.h"

/*
 * schema_cell for a date, datetime, time, year or month, by a format; NULL is
 * the ISO form.
 */
bool schema_date_cell(const struct schema_field *f, const char *format,
    struct label *cell, char *room, bool number);

#endif
