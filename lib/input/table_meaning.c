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

#define KNOWN_BITS 13		/* of the number of cells that are known */

size_t
table_real(const struct table *t, size_t column)
{
	return column < TABLE_VIEW ? column :
	    t->views->column[column - TABLE_VIEW];
}

bool
table_same(const struct table *t, size_t one, size_t other)
{
	return table_real(t, one) == table_real(t, other);
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

/*
 * Where a number has no marks and no units, the text says the number to the map
 * and to the reader alike, or is none to both.
 */
static enum meaning_quick
meaning_figure(const struct schema_field *f, bool number)
{
	if (strcmp(f->point.text, ".") != 0 || *f->group.text == '.')
		return QUICK_NONE;
	return number && f->type == SCHEMA_NUMBER && f->bare &&
	    f->group.len == 0 ? QUICK_NUMBER : QUICK_FIGURE;
}

static void
meaning_open(struct meaning *m, const struct column_view *view, bool number,
    bool why)
{
	const struct schema_field *f;

	*m = (struct meaning){ .view = view, .number = number };
	if (view == NULL)
		return;
	m->quick = QUICK_KNOWN;
	if (view->kind != VIEW_WHOLE)
		return;
	f = view->field;
	m->codes = why ? UINT64_MAX : f->missing.lengths;
	m->whole = !number || f->type == SCHEMA_INTEGER;
	if (f->type <= SCHEMA_STRING)
		m->quick = QUICK_WORD;
	else if (f->type <= SCHEMA_NUMBER)
		m->quick = meaning_figure(f, number && !why);
	m->units = m->quick >= QUICK_FIGURE && !f->bare;
}

void
table_mean(struct table *t, const size_t *cols)
{
	struct chosen *c = &t->chosen;

	c->known = err_alloc(NULL, 1 << KNOWN_BITS, sizeof(*c->known));
	c->meaning = err_alloc(NULL, c->count, sizeof(*c->meaning));
	for (size_t i = 0; i < c->count; i++)
		meaning_open(&c->meaning[i], table_view(t, cols[i]),
		    t->number != NULL && t->number[i], t->why);
}

void
table_unmean(struct table *t)
{
	free(t->chosen.known);
	free(t->chosen.meaning);
}

void
table_numbers(struct table *t, const bool *number, bool why)
{
	t->number = number;
	t->why = why;
}

/* A cell that its column does not read is a missing cell. */
static __attribute__((noinline)) void
meaning_map(struct meaning *m, struct cell *cell)
{
	struct label l = { cell->text, cell->len };

	if (cell->missing || m->view == NULL)
		return;
	if (view_cell(m->view, &l, m->room + SCHEMA_BEFORE, m->number))
		*cell = (struct cell){ l.text, l.len, false };
	else
		*cell = (struct cell){ "", 0, true };
}

/* The map, and what it makes of a short cell is kept. */
static __attribute__((noinline)) void
known_add(struct known *k, struct meaning *m, struct id id, struct cell *cell)
{
	meaning_map(m, cell);
	if (cell->len > sizeof(k->text))
		return;
	*k = (struct known){ m, cell->missing, (unsigned char)cell->len, id };
	memcpy(k->text, cell->text, cell->len);
}

/* meaning_map, faster for a cell that the slot has met. */
static inline void
known_map(struct known *known, struct meaning *m, struct cell *cell)
{
	struct label text = { cell->text, cell->len };
	char *room = m->room + SCHEMA_BEFORE;
	struct known *k;
	struct id id;

	if (text.len - 1 >= ID_NEAR) {
		meaning_map(m, cell);
		return;
	}
	id = ids_make_behind(text);
	k = &known[id_place(id, KNOWN_BITS)];
	if (k->slot != m || !id_same(k->id, id)) {
		known_add(k, m, id, cell);
		return;
	}
	memcpy(room, k->text, sizeof(k->text));
	*cell = (struct cell){ room, k->len, k->missing };
}

/* A plain number stands, and one with its unit, such as $5, without it. */
static bool
meaning_strip(const struct meaning *m, struct cell *cell)
{
	struct label c = { cell->text, cell->len };
	bool neg = false;
	size_t sign;

	if (m->quick < QUICK_FIGURE || cell->len >= SCHEMA_BEFORE ||
	    (m->units && !schema_strip(m->view->field, &c, &neg)) || neg)
		return false;
	sign = m->number && c.len > 0 && *c.text == '-';
	if ((!m->number && c.len > 1 && *c.text == '0') ||
	    !fixed_is_plain(c.text + sign, c.len - sign, m->whole))
		return false;
	*cell = (struct cell){ c.text, c.len, false };
	return true;
}

static __attribute__((noinline)) void
meaning_read(struct meaning *m, struct cell *cell)
{
	if (m->view == NULL || schema_is_missing(m->view->field, m->raw) ||
	    !meaning_strip(m, cell))
		meaning_map(m, cell);
}

void
table_translate(struct known *known, struct meaning *m, struct cell *cell)
{
	m->raw = (struct label){ cell->text, cell->len };
	if (m->quick == QUICK_KNOWN)
		known_map(known, m, cell);
	else
		meaning_read(m, cell);
}

struct label
table_raw(const struct table *t, const struct cell *cell)
{
	const struct meaning *m = t->chosen.meaning;

	if (m != NULL)
		return m[cell - t->chosen.cells].raw;
	return (struct label){ cell->text, cell->len };
}
