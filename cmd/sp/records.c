/* records: a few whole records as lines of CSV, each with its sensitivity. */
#include "records.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exec.h"
#include "personal.h"
#include "tool/err.h"

#define WIDTH 1024	/* columns handed on at most without a header */

/* A cell as CSV, after a delimiter unless it is the first. */
static void
add_cell(struct text *line, char delimiter, bool first, const char *text,
    size_t len)
{
	bool quote = false;

	if (!first)
		text_bytes(line, &delimiter, 1);
	for (size_t i = 0; i < len; i++)
		quote = quote || text[i] == delimiter || text[i] == '"' ||
		    text[i] == '\r' || text[i] == '\n';
	(quote ? text_quoted : text_bytes)(line, text, len);
}

/*
 * A positive number of the record's own; false where the record is to have no
 * influence.  No number stands in for a bad cell: nobody promised it.
 */
static bool
own_number(const struct records *r, const struct cell *cell,
    struct rational *x)
{
	if (intake_rational(cell, x))
		return rational_sign(*x) > 0;
	if (r->sp->opts.on_bad == ON_BAD_FAIL)
		intake_fail(r->total);
	return false;
}

/*
 * S of the present record: the smallest of the public S, its own S and
 * S eps_i / E, each rounded down to the grid; 0 where it is to be dropped.
 */
static int64_t
sensitivity(const struct records *r, const struct cell *own)
{
	const struct sp *sp = r->sp;
	int64_t s = sp->sens, x;
	struct rational v;

	if (r->has_sens) {
		if (!own_number(r, own, &v))
			return 0;
		if (rational_grid(v, sp->digits, FIXED_FLOOR, &x))
			s = x < s ? x : s;
		own++;
	}
	if (r->has_eps) {
		if (!own_number(r, own, &v))
			return 0;
		x = personal_sens(sp->sens, v, sp->report.eps);
		s = x < s ? x : s;
	}
	return s;
}

static void
check(struct records *r, const struct cell *own)
{
	struct rational v;
	size_t extra = (size_t)r->has_sens + r->has_eps;

	for (size_t i = 0; i < extra; i++) {
		if (intake_rational(&own[i], &v) && rational_sign(v) >= 0)
			continue;
		r->problems++;
		warn("record %llu: column %s: not a number from 0 up",
		    (unsigned long long)r->total,
		    table_name(r->table, r->cols[r->k + i]));
	}
}

static void
take(void *arg, const struct cell *cells, size_t fields)
{
	struct records *r = arg;
	const struct opts *o = &r->sp->opts;
	struct text *line = &r->text[r->n];
	const struct cell *slice = &cells[r->all - 1];
	size_t last = 0;
	int64_t s;

	if (o->slice_value != NULL && (slice->missing ||
	    !keys_equal(slice->text, slice->len, o->slice_value)))
		return;
	r->total++;
	if (o->check) {
		if (r->total <= SUBSETS_MAX)
			check(r, cells + r->k);
		return;
	}
	if (r->total > SUBSETS_MAX)
		die(STATUS_INPUT, "more than %d records: the command is run "
		    "on every subset, 2^n of them, and n <= %d is a public "
		    "promise", SUBSETS_MAX, SUBSETS_MAX);
	s = sensitivity(r, cells + r->k);
	if (s == 0)
		return;
	for (size_t c = 0; c < r->k; c++)
		if (o->columns != NULL || r->cols[c] < fields)
			last = c + 1;
	for (size_t c = 0; c < last; c++)
		add_cell(line, o->delimiter, c == 0, cells[c].text,
		    cells[c].len);
	text_bytes(line, "\n", 1);
	r->line[r->n] = (struct label){ line->buf, line->len };
	r->number[r->n] = (unsigned)r->total;
	r->sens[r->n++] = s;
}

/* One more column, named by an option of its own. */
static void
add_column(struct records *r, const char *option, const char *name)
{
	size_t *one;

	if (table_columns(r->table, name, 1, &one) != 1)
		die(STATUS_USAGE, "%s names more than one column", option);
	r->cols = err_alloc(r->cols, r->all + 1, sizeof(*r->cols));
	r->cols[r->all++] = one[0];
	free(one);
}

static void
open_columns(struct records *r)
{
	const struct opts *o = &r->sp->opts;
	size_t width;

	r->table = table_open(STDIN_FILENO, "standard input", o->delimiter,
	    !o->no_header);
	width = o->no_header ? WIDTH : table_width(r->table);
	r->k = table_columns(r->table, o->columns, width, &r->cols);
	r->all = r->k;
	r->head = (struct text)TEXT_INIT;
	if (o->no_header)
		return;
	for (size_t c = 0; c < r->k; c++) {
		const char *name = table_name(r->table, r->cols[c]);

		add_cell(&r->head, o->delimiter, c == 0, name, strlen(name));
	}
	text_bytes(&r->head, "\n", 1);
}

static noreturn void
check_end(const struct records *r)
{
	if (r->total > SUBSETS_MAX)
		warn("%llu records where %d are the most",
		    (unsigned long long)r->total, SUBSETS_MAX);
	exit(r->problems > 0 || r->total > SUBSETS_MAX ? STATUS_INPUT :
	    STATUS_OK);
}

/* [CD20 Proposition 7.3] */
void
records_read(struct records *r, const struct sp *sp,
    const char *sens_column, const char *eps_column)
{
	*r = (struct records){ .sp = sp, .has_sens = sens_column != NULL,
	    .has_eps = eps_column != NULL };
	for (unsigned i = 0; i < SUBSETS_MAX; i++)
		r->text[i] = (struct text)TEXT_INIT;
	open_columns(r);
	if (r->has_sens)
		add_column(r, "--sensitivity-column", sens_column);
	if (r->has_eps)
		add_column(r, "--epsilon-column", eps_column);
	if (sp->opts.slice_value != NULL)
		add_column(r, "--slice", sp->opts.slice_column);
	table_read(r->table, r->cols, r->all, take, r);
	if (sp->opts.check)
		check_end(r);
	opts_expect(&sp->opts, r->total);
}

/* A number of the command clamped to its --range, if there is one. */
static int64_t
clamp(const struct sp *sp, size_t part, int64_t x)
{
	const struct range *r = opts_range(&sp->opts, part);
	int64_t lo = -FIXED_MAX, hi = FIXED_MAX;

	if (r != NULL && rational_grid(r->lo, sp->digits,
	    FIXED_NEAREST, &lo) && rational_grid(r->hi, sp->digits,
	    FIXED_NEAREST, &hi))
		return fixed_clamp(x, lo, hi);
	return x;
}

/* [CD20 Algorithm 1] [CD20 Definition 8.2] */
int64_t *
records_value(const struct records *r)
{
	const struct sp *sp = r->sp;
	size_t all = ((size_t)1 << r->n) - 1, p, s;
	int64_t *value = err_alloc(NULL, sp->parts, sizeof(*value));
	int64_t *f[2] = { NULL, NULL };
	char **argv = err_alloc(NULL, sp->opts.noperands + 1, sizeof(*argv));
	struct exec e = { argv, { r->head.buf, r->head.len }, r->line,
	    r->number, r->n, sp->opts.threads, sp->parts, sp->digits,
	    sp->opts.non_private };

	for (s = 0; s < sp->opts.noperands; s++)
		argv[s] = sp->opts.operands[s];
	argv[s] = NULL;
	for (p = 0; p < sp->parts; p++) {
		f[p] = err_alloc(NULL, all + 1, sizeof(**f));
		f[p][0] = sp->center[p];
	}
	exec_subsets(&e, f);
	for (p = 0; p < sp->parts; p++)
		for (s = 1; s <= all; s++)
			f[p][s] = clamp(sp, p, f[p][s]);
	if (sp->parts == 1)
		subsets_value(f[0], r->sens, r->n);
	else
		subsets_pair(f[0], f[1], r->sens, r->n);
	for (p = 0; p < sp->parts; p++) {
		value[p] = f[p][all];
		free(f[p]);
	}
	free(argv);
	return value;
}

void
records_free(struct records *r)
{
	for (unsigned i = 0; i < SUBSETS_MAX; i++)
		free(r->text[i].buf);
	free(r->head.buf);
	free(r->cols);
}
