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
/* What the tools take for a number. */
#define STEPS_NUMBER "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)" \
	"([eE][-+]?[0-9]+)?$"
#define STEPS_NONE "dputils: none of the keys"

static bool
steps_is_number(const struct query *q, size_t slot)
{
	return slot >= q->use->texts && slot < q->in->k;
}

/* The cells of the answer, and how many columns of the table they take. */
static void
steps_cells(struct query *q)
{
	const struct intake *in = q->in;

	q->n = 0;
	for (size_t c = 0; c < in->all; c++) {
		if (steps_is_number(q, c))
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

/* --- a row ---------------------------------------------------------------- */

/* TRIM of a column's text. */
static void
steps_trimmed(struct query *q, const char *column)
{
	text_add(&q->sql, "COALESCE(TRIM(");
	engine_text(q, column);
	text_add(&q->sql, "), '')");
}

/* The texts of the table's cells; the slice is chosen for good. */
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
		text_printf(&q->sql, " AS c%zu, ", i + 1);
	}
	if (q->in->unit != NULL)
		steps_trimmed(q, q->in->unit);
	else
		text_add(&q->sql, "''");
	text_printf(&q->sql, " AS u FROM %s", q->table);
	if (slice->value != NULL) {
		text_add(&q->sql, " WHERE ");
		steps_trimmed(q, slice->column);
		text_add(&q->sql, " = ");
		engine_said(q, slice->value);
	}
	text_add(&q->sql, ")");
}

/* Texts of numbers as steps: floor(x 10^k + 1/2), or NULL. */
static void
steps_round(struct query *q)
{
	char c[32];

	text_add(&q->sql, ",\ns AS (SELECT ");
	for (size_t i = 0; i < q->n; i++) {
		const struct bounds *b = q->cell[i].number;

		snprintf(c, sizeof(c), "c%zu", i + 1);
		if (b != NULL) {
			text_printf(&q->sql, "CASE WHEN %s %s '%s' THEN "
			    "FLOOR(", c, q->dialect->matches, STEPS_NUMBER);
			text_printf(&q->sql, q->dialect->number, c);
			text_printf(&q->sql, " * %lld + 0.5) END AS ",
			    (long long)fixed_pow10(b->digits));
		}
		text_printf(&q->sql, "%s, ", c);
	}
	text_printf(&q->sql, "u FROM r%s)", q->in->unit != NULL ?
	    " WHERE u <> ''" : "");
}

/* A number within bounds; NULL stays NULL. */
static void
steps_clamp(struct query *q, const char *x, int64_t lo, int64_t hi)
{
	const long long ends[] = { (long long)lo, (long long)hi };

	text_printf(&q->sql, "CASE WHEN %s < %lld THEN %lld WHEN %s > %lld "
	    "THEN %lld ELSE %s END", x, ends[0], ends[0], x, ends[1], ends[1],
	    x);
}

/* The place of a row's group among the keys: one behind them is none's. */
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

			text_printf(&q->sql, " %s c%zu = ", p == 0 ? "WHEN" :
			    "AND", first + p + 1);
			engine_said(q, key);
			free(key);
		}
		text_printf(&q->sql, " THEN %zu", i);
	}
	text_printf(&q->sql, k->n > 0 ? " ELSE %zu END" : "%zu", k->n);
}

/*
 * Within the range, or, where a person's cells are added up, within the grid;
 * under swap a bad cell of a group's row has its substitute here.
 */
static void
steps_bound(struct query *q)
{
	const struct opts *o = q->in->o;
	bool late = o->unit.per == PER_SUM || o->unit.per == PER_COUNT;
	bool filled = q->in->unit != NULL && o->on_bad == ON_BAD_NUMBER &&
	    o->group != NULL && o->neighbors == NEIGHBORS_SWAP;
	char c[96];

	text_add(&q->sql, ",\nb AS (SELECT ");
	for (size_t i = 0; i < q->n; i++) {
		const struct bounds *b = q->cell[i].number;

		snprintf(c, sizeof(c), filled && b != NULL ?
		    "COALESCE(c%zu, %lld)" : "c%zu", i + 1,
		    b != NULL ? (long long)b->bad : 0);
		if (b != NULL)
			steps_clamp(q, c, late ? -FIXED_MAX : b->lo,
			    late ? FIXED_MAX : b->hi);
		else
			text_add(&q->sql, c);
		text_printf(&q->sql, " AS c%zu, ", i + 1);
	}
	text_add(&q->sql, "u, ");
	steps_place(q);
	text_add(&q->sql, " AS g FROM s)");
}

/* --- people --------------------------------------------------------------- */

/* "CASE WHEN every number of the row is good THEN ". */
static void
steps_good(struct query *q)
{
	text_add(&q->sql, "CASE WHEN 1 = 1");
	for (size_t i = 0; i < q->n; i++)
		if (q->cell[i].number != NULL)
			text_printf(&q->sql, " AND c%zu IS NOT NULL", i + 1);
	text_add(&q->sql, " THEN ");
}

/* The rows of a person in a group: totals of the good ones, and how many. */
static void
steps_fold(struct query *q)
{
	const enum per per = q->in->o->unit.per;
	const char *total = "SUM(";

	if (per == PER_MIN || per == PER_MAX)
		total = per == PER_MIN ? "MIN(" : "MAX(";
	text_add(&q->sql, ",\np AS (SELECT ");
	for (size_t i = 0; i < q->n; i++) {
		const struct bounds *b = q->cell[i].number;

		if (b == NULL) {
			text_printf(&q->sql, "MIN(c%zu) AS c%zu, ", i + 1,
			    i + 1);
			continue;
		}
		text_add(&q->sql, total);
		steps_good(q);
		text_printf(&q->sql, "c%zu", i + 1);
		if (per == PER_MEAN)
			text_printf(&q->sql, " - (%lld)", (long long)b->lo);
		text_printf(&q->sql, " END) AS c%zu, ", i + 1);
	}
	text_add(&q->sql, "SUM(");
	steps_good(q);
	text_add(&q->sql, "1 ELSE 0 END) AS w, u, g FROM b GROUP BY u, g)");
}

/* A person's number from the totals; a mean is rounded as the tool rounds. */
static void
steps_value(struct query *q, size_t i)
{
	const struct bounds *b = q->cell[i - 1].number;
	char x[64], twice[64];

	snprintf(x, sizeof(x), "c%zu", i);
	if (q->in->o->unit.per == PER_COUNT)
		snprintf(x, sizeof(x), "NULLIF(w, 0) * %lld",
		    (long long)fixed_pow10(b->digits));
	if (q->in->o->unit.per != PER_MEAN) {
		steps_clamp(q, x, b->lo, b->hi);
		return;
	}
	snprintf(twice, sizeof(twice), "(2 * c%zu + w)", i);
	text_printf(&q->sql, q->dialect->quotient, twice, "NULLIF(2 * w, 0)");
	text_printf(&q->sql, " + (%lld)", (long long)b->lo);
}

/* The person in the group with most rows, the first of them. */
static void
steps_people(struct query *q)
{
	const size_t first = q->n - q->in->keys.width;

	steps_fold(q);
	text_add(&q->sql, ",\nf AS (SELECT ");
	for (size_t i = 1; i <= q->n; i++) {
		if (q->cell[i - 1].number != NULL)
			steps_value(q, i);
		else if (i > first)
			text_printf(&q->sql, "CASE WHEN g = %zu THEN '%s' ELSE "
			    "c%zu END", q->in->keys.n, STEPS_NONE, i);
		else
			text_printf(&q->sql, "c%zu", i);
		text_printf(&q->sql, " AS c%zu, ", i);
	}
	text_add(&q->sql, "row_number() OVER (PARTITION BY u ORDER BY w DESC, "
	    "g) AS i FROM p)");
}

/* --- counts and totals ---------------------------------------------------- */

/*
 * A total of n numbers is that of two numbers one step apart, of which the
 * lower occurs n - rest times and the upper one as often as the rest says.
 */
static void
steps_totals(struct query *q)
{
	const struct bounds *b = q->cell[0].number;
	const long long lo = (long long)b->lo;
	const bool filled = q->in->o->on_bad == ON_BAD_NUMBER;

	text_printf(&q->sql, ",\nm AS (SELECT SUM(n) AS n, SUM(n * (COALESCE("
	    "c1, %lld) - (%lld))) AS c1", (long long)b->bad, lo);
	for (size_t i = 2; i <= q->n; i++)
		text_printf(&q->sql, ", c%zu", i);
	text_printf(&q->sql, " FROM d%s", filled ? "" :
	    " WHERE c1 IS NOT NULL");
	for (size_t i = 2; i <= q->n; i++)
		text_printf(&q->sql, "%sc%zu", i > 2 ? ", " : " GROUP BY ", i);
	text_add(&q->sql, " HAVING SUM(n) > 0)");
	for (int above = 0; above < 2; above++) {
		text_add(&q->sql, above ? "\nUNION ALL SELECT " :
		    ",\nk AS (SELECT ");
		text_printf(&q->sql, q->dialect->quotient, "c1", "n");
		text_printf(&q->sql, " + (%lld) + %d AS c1, ", lo, above);
		for (size_t i = 2; i <= q->n; i++)
			text_printf(&q->sql, "c%zu, ", i);
		text_add(&q->sql, above ? "" : "n - ");
		text_printf(&q->sql, q->dialect->rest, "c1", "n");
		text_add(&q->sql, " AS n FROM m");
	}
	text_add(&q->sql, ")");
}

void
engine_steps(struct query *q)
{
	const bool people = q->in->unit != NULL, totals = q->use->linear;

	steps_cells(q);
	steps_read(q);
	steps_round(q);
	steps_bound(q);
	if (people)
		steps_people(q);
	text_printf(&q->sql, ",\n%s AS (SELECT ", totals ? "d" : "k");
	engine_list(q, "c%zu", "count(*) AS n FROM ");
	text_add(&q->sql, people ? "f WHERE i = 1" : "b");
	text_add(&q->sql, q->n > 0 ? " GROUP BY " : "");
	engine_list(q, "c%zu", "");
	text_add(&q->sql, ")");
	if (totals)
		steps_totals(q);
}
