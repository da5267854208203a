/* pieces: which releases make a look, and what each of them costs. */
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "tool/err.h"

#define KEYS 200	/* in a first look at most */
#define MONTHS 60	/* of a column; a longer time is told in years */

void
describe_add(struct describe *d, size_t column, struct fact fact)
{
	struct described *c = &d->column[column];

	c->fact = err_grow(c->fact, c->n, &c->room, sizeof(*c->fact));
	c->fact[c->n++] = fact;
}

static struct piece *
piece_add(struct describe *d, enum piece_kind kind)
{
	d->piece = err_alloc(d->piece, d->pieces + 1, sizeof(*d->piece));
	d->piece[d->pieces] = (struct piece){ .kind = kind };
	return &d->piece[d->pieces++];
}

/* A column joins a piece; in a list a name with a comma is quoted. */
static void
piece_join(struct piece *p, size_t column, const char *name)
{
	struct text list = TEXT_INIT;

	if (p->columns != NULL)
		text_printf(&list, "%s,", p->columns);
	text_cell(&list, name, strlen(name));
	free(p->columns);
	p->columns = text_string(&list);
	p->view = name;
	p->at = err_alloc(p->at, p->n + 1, sizeof(*p->at));
	p->at[p->n++] = column;
}

/*
 * Columns that somebody says to be complete share one draw of noise, as then a
 * cell that is missing all the same may count as the centre of the range.  Any
 * other column is a piece of its own: its bad cells take nothing from others.
 */
static void
add_numbers(struct describe *d, size_t column)
{
	const struct described *c = &d->column[column];
	size_t i = c->field->required && !d->opts.check ? 0 : d->pieces;

	while (i < d->pieces && (d->piece[i].kind != PIECE_NUMBERS ||
	    !d->column[d->piece[i].at[0]].field->required))
		i++;
	piece_join(i < d->pieces ? &d->piece[i] : piece_add(d, PIECE_NUMBERS),
	    column, c->name);
}

/* Months, or years where there are many. */
static void
add_times(struct describe *d, size_t column)
{
	struct column_view view;
	struct schema_list bands = { .n = KEYS + 1 };
	struct text month = TEXT_INIT, year = TEXT_INIT;
	const char *name, *times[2];

	text_printf(&month, "%s@month", d->column[column].name);
	text_printf(&year, "%s@year", d->column[column].name);
	times[0] = name = schema_keep(text_string(&month));
	times[1] = schema_keep(text_string(&year));
	for (size_t i = 0; i < 2 && bands.n > MONTHS; i++) {
		view_open(&view, d->opts.schema, name = times[i]);
		view_keys(&view, &bands);
	}
	if (bands.n <= KEYS)
		piece_join(piece_add(d, PIECE_KEYS), column, name);
}

/* Why a column has no piece, or NULL. */
static const char *
column_fault(const struct describe *d, const struct schema_field *f)
{
	const char *unit = d->opts.unit.column;
	struct range range;

	if (unit != NULL && strcmp(unit, f->name) == 0)
		return "its values are people";
	if (f->type == SCHEMA_OTHER)
		return "no tool reads its type";
	if (f->keys.n > KEYS)
		return "more keys than a first look shows: laplace hist";
	if (f->keys.n == 0 && !schema_numeric(f))
		return "the schema lists no keys of it (enum)";
	if (f->keys.n == 0 && !schema_range(f, &range))
		return "the schema has no minimum and maximum of it";
	return NULL;
}

static void
add_column(struct describe *d, size_t column)
{
	const struct described *c = &d->column[column];
	const struct schema_field *f = c->field;
	const char *fault = column_fault(d, f);

	if (fault != NULL) {
		describe_add(d, column, (struct fact){ "left out", fault });
		return;
	}
	schema_use(d->opts.schema, c->name);
	if (f->keys.n > 0)
		piece_join(piece_add(d, PIECE_KEYS), column, c->name);
	else if (!schema_dated(f))
		add_numbers(d, column);
	if (f->keys.n == 0 && f->type != SCHEMA_BOOLEAN)
		piece_join(piece_add(d, PIECE_QUARTILES), column, c->name);
	if (f->type == SCHEMA_DATE || f->type == SCHEMA_DATETIME)
		add_times(d, column);
}

/* Without --columns all that the schema has. */
void
pieces_choose(struct describe *d)
{
	const struct schema *s = d->opts.schema;
	const bool all = d->opts.columns == NULL;
	size_t n = 0;
	struct column_view *v = views_open(&d->opts, d->opts.columns, &n);

	d->columns = 1 + (all ? s->n : n);
	d->column = err_alloc(NULL, d->columns, sizeof(*d->column));
	piece_add(d, PIECE_RECORDS);
	for (size_t i = 1; i < d->columns; i++) {
		d->column[i].field = all ? &s->field[i - 1] : v[i - 1].field;
		d->column[i].name = d->column[i].field->name;
		add_column(d, i);
	}
	free(v);
	if (d->pieces == 1 && !d->opts.check)
		err_die(STATUS_USAGE, "nothing to describe but the number of "
		    "records (laplace count): %s: %s", d->column[1].name,
		    d->column[1].fact[0].value);
}

/* --- shares of E ---------------------------------------------------------- */

/*
 * The weights come from the errors that --explain says at E = 1: with these the
 * means of 50 required columns and 10,000 records are within 1 % of their
 * ranges, and the quartiles within 3 ranks of 100.
 */
static i128
piece_weight(const struct piece *p)
{
	static const int weights[PIECE_KINDS] = { [PIECE_RECORDS] = 1,
	    [PIECE_NUMBERS] = 4, [PIECE_QUARTILES] = 3, [PIECE_KEYS] = 1 };

	return weights[p->kind] * (i128)FIXED_MOST(p->n, 1);
}

/*
 * [DMNS06 Theorem 1] Sequential composition: what releases of the same data
 * with e_1, ..., e_k tell together costs e_1 + ... + e_k, each being e-private
 * whatever the others said.  Every piece is a release of this family for the
 * same neighbors, and e_i is E w_i / W rounded down, so the sum is E at most,
 * in exact fractions: E is charged.  The groups of a piece cost its e_i once,
 * as its tool charges them.
 */
static void
pieces_divide(struct describe *d)
{
	const struct rational e = d->report.eps;
	i128 all = 0, steps = 1000000000;

	for (size_t i = 0; i < d->pieces; i++)
		all += piece_weight(&d->piece[i]);
	/* a share in words is a fraction of numbers below 2^31 */
	while (steps > 1 && e.num / e.den >= ((i128)1 << 31) / steps - 1)
		steps /= 10;
	for (size_t i = 0; i < d->pieces; i++)
		if (!rational_make(&d->piece[i].eps, e.num * steps *
		    piece_weight(&d->piece[i]) / (e.den * all), steps) ||
		    d->piece[i].eps.num == 0)
			err_die(STATUS_USAGE, "E is too small to be divided");
}

/* "error: 95 %: each answer within about 665 records of its quantile ..." */
static char *
piece_within(const char *report)
{
	static const char before[] = "each answer within about ";
	const char *at = strstr(report, before);

	if (at == NULL)
		return NULL;
	at += strlen(before);
	return err_copy(at, strspn(at, "0123456789"));
}

void
pieces_try(struct describe *d, int header)
{
	char *out, *err;
	int status;

	pieces_divide(d);
	for (struct piece *p = d->piece; p < d->piece + d->pieces; p++) {
		status = child_run(d, p, header < 0 ? "--explain" :
		    "--verbose", header, &out, &err);
		if (status != STATUS_OK)
			err_die(status, "%s", child_words(err));
		p->within = piece_within(err);
		d->bytes += strlen(out);
		free(out);
		free(err);
	}
}

void
pieces_say(const struct describe *d, struct text *out)
{
	static const char *const words[PIECE_KINDS] = { "laplace count",
	    "laplace stats", "em-quantile", "laplace hist" };
	char eps[RATIONAL_TEXT];

	for (size_t i = 0; i < d->pieces; i++)
		text_printf(out, "part: %s -e %s%s%s\n",
		    words[d->piece[i].kind], rational_exact(eps,
		    d->piece[i].eps), i > 0 ? " -c " : "",
		    i > 0 ? d->piece[i].columns : "");
	for (size_t i = 1; i < d->columns; i++)
		for (size_t k = 0; k < d->column[i].n; k++)
			text_printf(out, "left out: %s: %s\n",
			    d->column[i].name, d->column[i].fact[k].value);
}
