/*
 * row: a line of named fields, in any format.
 *
 * CSV and TSV have the fields in their order, JSON has them as members of an
 * object; in plain text they stand between tabs, as they are.
 */
#ifndef ROW_H
#define ROW_H

#include "opts.h"

struct row {
	struct text *out;
	enum format format;
	bool begun;		/* there is a field before the next one */
};

/* What stands before a field's value, which the caller adds. */
void row_field(struct row *r, const char *key);

/*
 * A text, quoted as the format wants it.  TSV has no quotes: a tab, a line end
 * or a backslash is written as Miller does.
 */
void row_text(struct row *r, const char *key, const char *s, size_t len);

/* A word without quotes, such as a number; NULL is null in JSON, else empty. */
void row_word(struct row *r, const char *key, const char *word);

/* x * 10^-digits */
void row_number(struct row *r, const char *key, i128 x, int digits);

#endif
