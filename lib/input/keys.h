/*
 * keys: a public list of names, read from a file, and an index.
 *
 * A key has a part for each column of --group.
 */
#pragma once

#include "ids.h"
#include "view.h"

#define KEYS_WIDTH 8	/* most parts in a key */
#define KEYS_MOST 10000000	/* that a schema gives */

/* In place of a path: the keys that the schema lists. */
extern const char KEYS_SCHEMA[];

#define KEYS_OTHERS "(others)"	/* the name of all further records */

struct opts;

struct keys {
	struct label *key;	/* n times width, in file order; after them
				   width times KEYS_OTHERS */
	size_t n, room;
	size_t width;
	struct ids index;	/* key i is record i + 1 */
	struct text text;	/* the labels; a comma stands between a key's
				   parts */
	const struct column_view *view;	/* of each part; NULL without a
					   schema */
};

/*
 * The keys of the columns in a list, from a public file, or from the schema
 * where the path is KEYS_SCHEMA: all values of a column, or all combinations.
 * The file has one key a line and no header, and blanks around a key do not
 * count; or for several columns it is CSV whose header has these names, in any
 * order, further columns not counting.  An unreadable or empty file, or a key
 * twice, ends the program with status 1.  With a schema keys are looked up as
 * cells are read, and printed as they are written; a key that the schema does
 * not know is status 2.
 */
void keys_of(struct keys *k, const struct opts *o, const char *option,
    const char *path, const char *list, const char *const *names,
    size_t width);

/* Does the schema list these parts, or list none? */
bool keys_known(const struct column_view *view, size_t width,
    const struct label *parts);

/* A key's text, with a comma between its parts. */
struct label keys_name(const struct keys *k, size_t i);

/*
 * The index of the key with this text, or these parts, blanks at either end
 * left out, or k->n for an unlisted key.
 */
size_t keys_find(const struct keys *k, const char *text, size_t len);

size_t keys_find_parts(const struct keys *k, const struct label *parts);

/*
 * Warns where a key is the column's name, as a header line would be, and where
 * keys look like the lines of a table: with commas, or with a quote in front.
 */
void keys_warn_header(const struct keys *k, const char *option,
    const char *name);

void keys_free(struct keys *k);

/* Is a text, blanks at either end left out, this name? */
bool keys_equal(const char *text, size_t len, const char *name);
