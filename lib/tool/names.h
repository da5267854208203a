/*
 * names: public names in options and messages.
 *
 * Lists of columns, before a header is known: names are compared byte by byte,
 * quotes included.  Equal texts name equal columns of one file; two texts that
 * differ count as two columns, though one be the number of the other.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The end of the name that begins at p: a comma outside quotes, or the NUL. */
const char *columns_end(const char *p);

/* Does the list name each column of `some'?  NULL is the list of none. */
bool columns_within(const char *list, const char *some);

/*
 * The word that takes the fewest changes to become this text (a letter left
 * out, put in, changed, or two exchanged; case is free); NULL where it would
 * take more than a third of its letters.
 */
const char *near_word(const char *text, const char *const *words, size_t n);

/* The place of the first control character, of ASCII or UTF-8; else len. */
size_t control_at(const char *s, size_t len);

#endif
