/*
 * engine_steps: the query of an engine with exact decimals.
 *
 * What is done to a cell here the tool does again to the answer, and changes
 * nothing more: rounding to the grid by floor(x 10^k + 1/2), and the clamp to
 * the range.  The fold of a person's rows is that of people.c.  Numbers are
 * whole steps of the grid on the way.  A person is in the group with most good
 * rows, the first in the order of the keys; the name of a group that is not
 * listed is of no account.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_query.h"
#include "tool/err.h"

#define STEPS_KEYS 1000		/* keys in a query at most */
#define STEPS_NONE "'dputils: none of the keys'"

/* In a template: the cell, the ends of its range, and its substitute. */
#define C ENGINE_CELL
#define LO "\2"
#define HI "\3"
#define BAD "\4"
#define TEN "\5"		/* steps in 1 */

/* A number within bounds; NULL stays NULL. */
#define GRID "4611686018427387904"
#define CLAMP(x, lo, hi) "CASE WHEN " x " < " lo " THEN " lo " WHEN " x " > " \
	hi " THEN " hi " ELSE " x " END AS " C ", "

/* The cells of the answer, and how many columns of the table they take. */
static void
steps_cells(struct query *q)
{
	const struct intake *in = q->in;

	q->n = 0;
	for (size_t c = 0; c < in->all; c++) {
		if (c >= q->use->texts && c < in->k)
			engine_cell(q, in->rows ? TABLE_ROWS :
			    intake_name(in, c), &in->bounds[c]);
		else if (c != in->at[CELL_UNIT] || in->unit == NULL)
			engine_cell(q, table_header(in->table, in->cols[c]),
			    NULL);
	}
}

/*
 * A schema's cells are read here, and so are columns that are two things at
 * once.
 */
bool
engine_has_steps(const struct query *q)
{
	const struct intake *in = q->in;
	bool people = in->unit != NULL;

	if (q->dialect->number == NULL || in->o->schema != NULL ||
	    in->keys.n > STEPS_KEYS || (people && q->use->texts > 0))
		return false;
	for (size_t c = 0; c < in->all; c++)
		for (size_t d = 0; d < c; d++)
			if (in->cols[c] == in->cols[d] && !(in->rows && d == 0))
				return false;
	return true;
}

/* A template for cell i. */
static void
steps_fill(struct query *q, size_t i, const char *template)
{
	static const struct bounds none = { .digits = 0 };
	const struct bounds *b = &none;

	if (q->cell[i].number != NULL)
		b = q->cell[i].number;
	for (const char *t = template; *t != '\0'; t++) {
		const int64_t is[] = { 0, (int64_t)i + 1, b->lo, b->hi, b->bad,
		    fixed_pow10(b->digits) };

		if (*t <= *TEN)
			text_printf(&q->sql, *t == *C ? "c%lld" : "%lld",
			    (long long)is[(size_t)*t]);
		else
			text_bytes(&q->sql, t, 1);
	}
}

/* Templates for every cell: numbers, texts, and texts of -g. */
static void
steps_each(struct query *q, const char *number, const char *text,
    const char *key)
{
	const size_t first = q->n - q->in->keys.width;

	for (size_t i = 0; i < q->n; i++)
		if (q->cell[i].number != NULL)
			steps_fill(q, i, number);
		else
			steps_fill(q, i, i < first ? text : key);
}

/* --- a row ---------------------------------------------------------------- */

/* A column's text, trimmed; NULL is empty. */
static void
steps_trimmed(struct query *q, const char *column)
{
	text_add(&q->sql, q->dialect->trim[0]);
	engine_text(q, column);
	text_add(&q->sql, q->dialect->trim[1]);
}

/* By places: the table may have columns of the query's names. */
static void
steps_distinct(struct query *q)
{
	if (q->in->unit != NULL)
		return;
	text_add(&q->sql, " GROUP BY ");
	for (size_t i = 1; i <= q->n; i++)
		text_printf(&q->sql, "%zu, ", i);
	text_printf(&q->sql, "%zu", q->n + 1);
}

/*
 * The texts of the table's cells; the slice is chosen for good.  Without people
 * what follows is done once for equal rows: exact decimals take an engine long.
 */
static void
steps_read(struct query *q)
{
	const struct slice *slice = &q->in->o->slice;

	text_add(&q->sql, "WITH r AS (SELECT ");
	for (size_t i = 0; i < q->n; i++) {
		if (q->cell[i].number != NULL && q->in->rows)
			text_add(&q->sql, "'1'");
		else
			steps_trimmed(q, q->cell[i].name);
		steps_fill(q, i, " AS " C ", ");
	}
	if (q->in->unit != NULL)
		steps_trimmed(q, q->in->unit);
	else
		text_add(&q->sql, "''");
	text_printf(&q->sql, " AS u, %s AS n FROM %s", q->in->unit !=
	    NULL ? "1" : "count(*)", q->table);
	if (slice->value != NULL) {
		text_add(&q->sql, " WHERE ");
		steps_trimmed(q, slice->column);
		text_add(&q->sql, " = ");
		engine_said(q, slice->value);
	}
	steps_distinct(q);
	text_add(&q->sql, ")");
}

/*
 * Texts of numbers as steps: floor(x 10^k + 1/2), or NULL; under swap a bad
 * cell of a person's row in a group has its substitute here.
 */
static void
steps_round(struct query *q)
{
	const struct opts *o = q->in->o;
	bool people = q->in->unit != NULL;
	bool filled = people && o->on_bad == ON_BAD_NUMBER &&
	    o->group != NULL && o->neighbors == NEIGHBORS_SWAP;
	char number[512];

	snprintf(number, sizeof(number), "COALESCE(FLOOR(%s * " TEN
	    " + 0.5), %s) AS " C ", ", q->dialect->number, filled ? BAD :
	    "NULL");
	text_add(&q->sql, ",\ns AS (SELECT ");
	steps_each(q, number, C ", ", C ", ");
	/* MySQL takes two people for one whose first 1,024 bytes are equal */
	text_printf(&q->sql, "u, n FROM r%s)", people ?
	    " WHERE u <> '' AND LENGTH(u) <= 1024" : "");
}

/* The place of a row's group among the keys: one after them is none's. */
static void
steps_place(struct query *q)
{
	const struct keys *k = &q->in->keys;
	const size_t first = q->n - k->width;

	text_add(&q->sql, k->n > 0 ? "CASE" : "");
	for (size_t i = 0; i < k->n; i++) {
		for (size_t p = 0; p < k->width; p++) {
			struct label l = k->key[i * k->width + p];
			char *key = err_copy(l.text, l.len);

			steps_fill(q, first + p, p == 0 ? " WHEN " C " = " :
			    " AND " C " = ");
			engine_said(q, key);
			free(key);
		}
		text_printf(&q->sql, " THEN %zu", i);
	}
	text_printf(&q->sql, k->n > 0 ? " ELSE %zu END" : "%zu", k->n);
}

/*
 * Within the range, or, where a person's cells are added up, within the grid;
 * and whether all numbers of the row are good.
 */
static void
steps_bound(struct query *q)
{
	const enum per per = q->in->o->unit.per;
	bool late = per == PER_SUM || per == PER_COUNT;

	text_add(&q->sql, ",\nb AS (SELECT ");
	steps_each(q, late ? CLAMP(C, "-" GRID, GRID) : CLAMP(C, LO, HI),
	    C ", ", C ", ");
	text_add(&q->sql, "CASE WHEN 1 = 1");
	steps_each(q, " AND " C " IS NOT NULL", "", "");
	text_add(&q->sql, " THEN 1 ELSE 0 END AS good, u, n, ");
	steps_place(q);
	text_add(&q->sql, " AS g FROM s)");
}

/* --- people --------------------------------------------------------------- */

/* The rows of a person in a group: totals of the good ones, and how many. */
static void
steps_fold(struct query *q)
{
	static const char *const totals[] = {
		[PER_SUM] = "SUM(CASE WHEN good = 1 THEN " C " END) AS " C ", ",
		[PER_MEAN] = "SUM(CASE WHEN good = 1 THEN " C " - (" LO
		    ") END) AS " C ", ",
		[PER_COUNT] = "SUM(good) AS " C ", ",
		[PER_MIN] = "MIN(CASE WHEN good = 1 THEN " C " END) AS " C ", ",
		[PER_MAX] = "MAX(CASE WHEN good = 1 THEN " C " END) AS " C ", ",
	};

	text_add(&q->sql, ",\np AS (SELECT ");
	steps_each(q, totals[q->in->o->unit.per], "MIN(" C ") AS " C ", ",
	    "MIN(" C ") AS " C ", ");
	text_add(&q->sql, "SUM(good) AS w, u, g FROM b GROUP BY u, g)");
}

/* The person's numbers, in the group with most rows, the first of them. */
static void
steps_people(struct query *q)
{
	const enum per per = q->in->o->unit.per;
	char mean[256], key[96];
	const char *number = CLAMP(C, LO, HI);

	snprintf(mean, sizeof(mean), q->dialect->quotient, "(2 * " C " + w)",
	    "NULLIF(2 * w, 0)");
	strcat(mean, " + (" LO ") AS " C ", ");
	snprintf(key, sizeof(key), "CASE WHEN g = %zu THEN " STEPS_NONE
	    " ELSE " C " END AS " C ", ", q->in->keys.n);
	if (per == PER_MEAN)
		number = mean;
	if (per == PER_COUNT)
		number = CLAMP("NULLIF(w, 0) * " TEN, LO, HI);
	steps_fold(q);
	text_add(&q->sql, ",\nf AS (SELECT ");
	steps_each(q, number, C ", ", key);
	text_add(&q->sql, "row_number() OVER (PARTITION BY u ORDER BY w DESC, "
	    "g) AS i, 1 AS n FROM p)");
}

/* --- counts and totals ---------------------------------------------------- */

/*
 * A total of n numbers is that of two numbers one step apart, of which the
 * lower occurs n - rest times and the upper one as often as the rest says.
 */
static void
steps_totals(struct query *q)
{
	const bool people = q->in->unit != NULL;
	const bool drop = q->in->o->on_bad != ON_BAD_NUMBER;

	steps_fill(q, 0, ",\nm AS (SELECT SUM(n) AS n, SUM(n * (COALESCE("
	    C ", " BAD ") - (" LO "))) AS " C);
	steps_each(q, "", ", " C, ", " C);
	text_add(&q->sql, people ? " FROM f WHERE i = 1" : " FROM b");
	if (drop && people)
		text_add(&q->sql, " AND c1 IS NOT NULL");
	text_add(&q->sql, " GROUP BY ");
	steps_each(q, "", C ", ", C ", ");
	text_add(&q->sql, people ? "i" : "good");
	/* an engine would ask WHERE of each row before it counts equal ones */
	text_add(&q->sql, drop && !people ? " HAVING COUNT(c1) > 0)" : ")");
	for (int above = 0; above < 2; above++) {
		text_add(&q->sql, above ? "\nUNION ALL SELECT " :
		    ",\nk AS (SELECT ");
		text_printf(&q->sql, q->dialect->quotient, "c1", "n");
		steps_fill(q, 0, " + (" LO ")");
		text_printf(&q->sql, " + %d AS c1, ", above);
		steps_each(q, "", C ", ", C ", ");
		text_add(&q->sql, above ? "" : "n - ");
		text_printf(&q->sql, q->dialect->rest, "c1", "n");
		text_add(&q->sql, " AS n FROM m");
	}
	text_add(&q->sql, ")");
}

/* Equal rows, or people, with their counts. */
static void
steps_counts(struct query *q)
{
	text_add(&q->sql, ",\nk AS (SELECT ");
	engine_list(q, "c%zu", "COALESCE(SUM(n), 0) AS n FROM ");
	text_add(&q->sql, q->in->unit != NULL ? "f WHERE i = 1" : "b");
	text_add(&q->sql, q->n > 0 ? " GROUP BY " : "");
	engine_list(q, "c%zu", "");
	text_add(&q->sql, ")");
}

void
engine_steps(struct query *q)
{
	steps_cells(q);
	steps_read(q);
	steps_round(q);
	steps_bound(q);
	if (q->in->unit != NULL)
		steps_people(q);
	if (q->use->linear)
		steps_totals(q);
	else
		steps_counts(q);
}
