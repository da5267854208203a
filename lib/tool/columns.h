/*
 * columns: lists of columns in options, before a header is known.
 *
 * Names are compared byte by byte, quotes included.  Equal texts name equal
 * columns of one file; two texts that differ count as two columns, though one
 * be the number of the other.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdbool.h>

/* The end of the name that begins at p: a comma outside quotes, or the NUL. */
const char *columns_end(const char *p);

/* Does the list name each column of `some'?  NULL is the list of none. */
bool columns_within(const char *some, const char *list);

#endif
