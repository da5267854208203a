/*
 * table_meaning: cells by the schema.
 *
 * Every record passes table_give, whoever cut it, so no tool meets a cell that
 * was not read by the schema.  A thread's table has the views of the first, and
 * room of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "table_state.h"
#include "tool/err.h"

#define ROOM (SCHEMA_BEFORE + SCHEMA_ROOM)

size_t
table_real(const struct table *t, size_t column)
{
	return column < TABLE_VIEW ? column :
	    t->views->column[column - TABLE_VIEW];
}

/*
 * The column as it is, once one is chosen; its name in the header is never
 * taken for a view.
 */
static const struct column_view *
table_view_whole(struct table *t, size_t column)
{
	struct table_views *v = t->views;
	struct column_view view;

	for (size_t i = 0; i < v->n; i++)
		if (v->column[i] == column && v->at[i]->kind == VIEW_WHOLE)
			return v->at[i];
	view_whole(&view, t->form.schema, column < t->header.count ?
	    t->header.list[column] : "");
	return table_view_add(t, column, &view);
}

const struct column_view *
table_view(struct table *t, size_t column)
{
	if (t->form.schema == NULL || table_is_own(t, column))
		return NULL;
	if (column >= TABLE_VIEW)
		return t->views->at[column - TABLE_VIEW];
	return table_view_whole(t, column);
}

const struct column_view *
table_view_add(struct table *t, size_t column,
    const struct column_view *view)
{
	struct table_views *v = t->views;
	struct column_view *own = err_alloc(NULL, 1, sizeof(*own));

	*own = *view;
	v->at = err_alloc(v->at, v->n + 1, sizeof(*v->at));
	v->column = err_alloc(v->column, v->n + 1, sizeof(*v->column));
	v->at[v->n] = own;
	v->column[v->n++] = column;
	return own;
}

void
table_views_free(struct table_views *v)
{
	for (size_t i = 0; v != NULL && i < v->n; i++)
		free(v->at[i]);
	if (v != NULL) {
		free(v->at);
		free(v->column);
	}
	free(v);
}

void
table_mean(struct table *t, const size_t *cols)
{
	struct chosen *c = &t->chosen;

	c->view = err_alloc(NULL, c->count, sizeof(*c->view));
	c->raw = err_alloc(NULL, c->count, sizeof(*c->raw));
	c->room = err_alloc(NULL, c->count, ROOM);
	for (size_t i = 0; i < c->count; i++)
		c->view[i] = table_view(t, cols[i]);
}

void
table_unmean(struct table *t)
{
	free(t->chosen.view);
	free(t->chosen.raw);
	free(t->chosen.room);
}

void
table_numbers(struct table *t, const bool *number)
{
	t->number = number;
}

/* A cell that its column does not read is a missing cell. */
void
table_translate(struct table *t)
{
	struct chosen *c = &t->chosen;

	for (size_t i = 0; i < c->count; i++) {
		struct cell *cell = &c->cells[i];
		struct label l = { cell->text, cell->len };
		bool number = t->number != NULL && t->number[i];

		c->raw[i] = l;
		if (cell->missing || c->view[i] == NULL)
			continue;
		if (view_cell(c->view[i], &l, c->room + i * ROOM +
		    SCHEMA_BEFORE, number))
			*cell = (struct cell){ l.text, l.len, false };
		else
			*cell = (struct cell){ "", 0, true };
	}
}

struct label
table_raw(const struct table *t, const struct cell *cell)
{
	if (t->chosen.raw == NULL)
		return (struct label){ cell->text, cell->len };
	return t->chosen.raw[cell - t->chosen.cells];
}
