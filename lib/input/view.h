/*
 * view: a column cut into public bands: age@10, admitted@month.
 *
 * A view is a map of a cell by itself, as a schema's is, with a public list of
 * values: every band within the limits of the schema.  A value outside them is
 * clamped first.
 */
#pragma once

#include <stdnoreturn.h>

#include "schema.h"

#define VIEW_BANDS ((size_t)1 << 20)	/* at most */
#define VIEW_LABEL FIXED_TEXT		/* room for a band's name */

enum view_kind {
	VIEW_WHOLE,			/* the column as it is */
	VIEW_BAND, VIEW_YEAR, VIEW_QUARTER, VIEW_MONTH, VIEW_WEEK, VIEW_DAY,
	VIEW_WEEKDAY, VIEW_HOUR, VIEW_KINDS
};

struct column_view {
	const char *name;		/* as given */
	const struct schema_field *field;
	enum view_kind kind;
	int digits, named;		/* of what follows, and of names */
	int64_t lo, hi, width;		/* the limits, and a band's width */
};

/* The column called name as it is, and no view of another. */
void view_whole(struct column_view *v, const struct schema *s,
    const char *name);

/*
 * The same, or without such a column the view that stands after the last @.
 * Status 1 for a column that the schema has not, 2 for an unknown view, for a
 * field without limits, and for too many bands.
 */
void view_open(struct column_view *v, const struct schema *s,
    const char *name);

/*
 * The name of a view's column, or the name itself; and a list with columns in
 * place of views.  For the caller to free.
 */
char *view_column(const struct schema *s, const char *name);
char *view_columns(const struct schema *s, const char *list);

/*
 * The views of a list of columns, or of its only name, in the schema of o; the
 * schema's column where the list is NULL and it has one, or else NULL.  *n is
 * their number.  Status 2 for a number under a header, which nobody has read.
 */
struct opts;
struct column_view *views_open(const struct opts *o, const char *list,
    size_t *n);

/*
 * A cell as the view has it: by the map of its field, to a number or a key, and
 * then as its band's name.  The room is that of schema_cell.  False for a bad
 * cell.
 */
bool view_cell(const struct column_view *v, struct label *cell, char *room,
    bool number);

/*
 * -1 and 1 for a cell below and above the limits, which is in the first or the
 * last band; else 0.
 */
int view_beyond(const struct column_view *v, struct label cell, char *room);

/* Status 2, for a reason, and the views that the column's type has. */
noreturn void view_advise(const struct column_view *v, const char *why);

/* Status 2 for a column of names, or of bands; NULL is any column. */
void view_number(const struct column_view *v);

/*
 * Status 2 where a step from a number to the next may be read as more than a
 * step: for numbers of records, which are whole, and for scores and answers,
 * whose steps are parts of one, too.
 */
void view_step(const struct column_view *v, bool whole);

/* The same of what a person writes for a cell: a band by its name. */
bool view_word(const struct column_view *v, struct label *word, char *room);

/*
 * All values, in order: bands, the keys of the schema, false and true; none
 * where the schema lists none.
 */
void view_keys(const struct column_view *v, struct schema_list *keys);

/* The same, with status 2 where there are none. */
void view_listed(const struct column_view *v, struct schema_list *keys);
