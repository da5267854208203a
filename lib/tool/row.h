/*
 * row: a line with named fields, in any format.
 *
 * CSV and TSV have the fields in order, JSON has the members of an object; in
 * plain text the fields stand between tabs, as given.
 */
#pragma once

#include "opts.h"

struct row {
	struct text *out;
	enum format format;
	bool begun;		/* a field stands before the next */
};

/* Begins a field; the caller adds the value. */
void row_field(struct row *r, const char *key);

/*
 * A text, quoted as the format wants it.  TSV has no quotes: tab, line end and
 * backslash are escaped as Miller escapes.
 */
void row_text(struct row *r, const char *key, const char *s, size_t len);

/*
 * A word without quotes, such as a number; NULL is null in JSON, empty
 * elsewhere.
 */
void row_word(struct row *r, const char *key, const char *word);

/* x * 10^-digits */
void row_number(struct row *r, const char *key, i128 x, int digits);
