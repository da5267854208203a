/*
 * names: public names in options and messages.
 *
 * Column lists, before a header is known: names are compared byte by byte,
 * quotes included.  Equal texts name one column.  Different texts count as two
 * columns, although one may be the number of the column that the other names.
 */
#pragma once

#include "number/fixed.h"

/* The end of the name at p: a comma outside quotes, or the NUL. */
const char *names_end(const char *p);

/* How many names are in the list; none in NULL. */
size_t names_count(const char *list);

/* Does the list name each column of `some'?  NULL is an empty list. */
bool names_within(const char *list, const char *some);

/*
 * The word with the fewest changes from the text (a letter left out, put in,
 * changed, or two exchanged; case is free); NULL above a third of the letters.
 */
const char *names_near(const char *text, const char *const *words, size_t n);

/* The place of the first control character, in ASCII or UTF-8, or len. */
size_t names_control(const char *s, size_t len);
