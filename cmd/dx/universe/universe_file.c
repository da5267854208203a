/*
 * universe_file: metrics of files: values of attributes, graphs, matrices.
 *
 *	values   column,value,epsilon    for every value that occurs
 *	graph    a,b,weight              elements by name (-c); weight 1 if
 *	                                 there are two columns
 *	matrix   a record for each element, a column for each; a header line
 *	         is one record more
 *
 * A weight is a decimal from 0 up, or inf.
 */
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"
#include "universe_impl.h"

void
universe_load(struct universe *u)
{
	bool matrix = u->spec.kind == METRIC_MATRIX;
	struct table *t = universe_file(u, "--metric", u->spec.file, !matrix);
	size_t *cols, want = 3;

	if (matrix) {
		/* its width is that of the universe, known after it */
		table_close(t);
		return;
	}
	if (u->spec.kind == METRIC_EDGES && table_width(t) == 2)
		want = 2;
	if (table_width(t) < want)
		die(STATUS_INPUT, "--metric %s: %zu columns where %zu belong",
		    u->spec.file, table_width(t), want);
	u->files = table_columns(t, NULL, want, &cols);
	u->file = universe_cells(t, "--metric", u->spec.file, cols,
	    u->files);
	free(cols);
	table_close(t);
	if (u->spec.kind != METRIC_EDGES)
		universe_value_columns(u);
}

static bool
infinite(const struct cells *c, size_t i)
{
	size_t len;
	const char *p = cells_at(c, i, &len);

	return len == 3 && strncasecmp(p, "inf", 3) == 0;
}

/* A copy of the column with 0 in place of inf. */
static struct cells
finite(const struct cells *c)
{
	struct cells to = CELLS_INIT;
	size_t i, len;
	const char *p;

	for (i = 0; i < c->n; i++) {
		p = cells_at(c, i, &len);
		if (!(infinite(c, i) ? cells_add(&to, "0", 1) :
		    cells_add(&to, p, len)))
			die(STATUS_INPUT, "out of memory");
	}
	return to;
}

/* Weights of k columns on one grid, w[record * k + column]; sets the unit. */
void
universe_weights(struct universe *u, const struct cells *c, size_t k,
    int64_t *w)
{
	struct cells *f = err_alloc(NULL, k, sizeof(*f));
	enum cells_result r = CELLS_OK;
	int digits = 0;
	size_t j, i, bad = 0;

	for (j = 0; j < k; j++) {
		f[j] = finite(&c[j]);
		r = r == CELLS_OK ? cells_decimals(&f[j], &digits, &bad) : r;
	}
	if (r == CELLS_OK && digits > FIXED_DIGITS)
		r = CELLS_TOO_LARGE;
	for (j = 0; j < k && r == CELLS_OK; j++) {
		r = cells_numbers(&f[j], digits, METRIC_MOST, w + j, k, &bad);
		for (i = 0; i < f[j].n && r == CELLS_OK; i++) {
			if (w[i * k + j] < 0) {
				r = CELLS_NOT_NUMBER;
				bad = i;
			}
			if (infinite(&c[j], i))
				w[i * k + j] = METRIC_INF;
		}
	}
	if (r != CELLS_OK)
		die(STATUS_INPUT, r == CELLS_TOO_LARGE ? "--metric %s: record "
		    "%zu or before: too many digits" : "--metric %s: record "
		    "%zu: a weight is no number from 0 up and not inf",
		    u->spec.file, bad + 1);
	for (j = 0; j < k; j++)
		cells_free(&f[j]);
	free(f);
	if (!rational_make(&u->m.unit, 1, fixed_pow10(digits)))
		die(STATUS_INPUT, "out of range");
}

/* Numbers the texts of both alike. */
void
finder_open(struct finder *f, const struct cells *in, const struct cells *more,
    size_t n)
{
	const struct cells *part[2] = { in, more };
	size_t i, p, len;
	const char *s;

	*f = (struct finder){ .both = CELLS_INIT };
	for (p = 0; p < 2; p++)
		for (i = 0; i < part[p]->n; i++) {
			s = cells_at(part[p], i, &len);
			if (!cells_add(&f->both, s, len))
				die(STATUS_INPUT, "out of memory");
		}
	f->code = err_alloc(NULL, f->both.n + 1, sizeof(*f->code));
	if (!cells_codes(&f->both, f->code, 1, &f->codes))
		die(STATUS_INPUT, "out of memory");
	f->first = err_alloc(NULL, f->codes + 1, sizeof(*f->first));
	for (i = 0; i < f->codes; i++)
		f->first[i] = n;
	for (i = in->n; i-- > 0;)
		f->first[f->code[i]] = i;
}

void
finder_close(struct finder *f)
{
	cells_free(&f->both);
	free(f->code);
	free(f->first);
}
