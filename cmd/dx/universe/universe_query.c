/* universe_query: the workload of -q, -Q and --workload, with names. */
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"
#include "universe_build.h"

/*
 * The element outside the domain has the coefficient nearest to 0 between the
 * least and the largest, so no difference grows; a constant query stays
 * constant, with the public n as answer.
 */
static int64_t
nearest(const int64_t *q, size_t n)
{
	int64_t lo = q[0], hi = q[0];

	for (size_t i = 1; i < n; i++) {
		lo = q[i] < lo ? q[i] : lo;
		hi = q[i] > hi ? q[i] : hi;
	}
	return lo > 0 ? lo : hi < 0 ? hi : 0;
}

/* One vector of coefficients from a column. */
static void
dense(struct universe *u, const struct cells *c, const char *name,
    const char *from, int64_t most)
{
	int want = 0, digits;
	int64_t *q = universe_numbers(u, 1);
	size_t bad;

	if (cells_decimals(c, &want, &bad) != CELLS_OK)
		die(STATUS_INPUT, "%s: record %zu: column %s: not a number; "
		    "a count of each name: --workload marginal:1 -c %s", from,
		    bad + 1, name, name);
	digits = want > FIXED_DIGITS ? FIXED_DIGITS : want;
	while (digits >= 0 && cells_numbers(c, digits, most, q, 1, &bad) !=
	    CELLS_OK)
		digits--;
	if (digits < 0)
		die(STATUS_INPUT, "%s: record %zu: column %s: too large",
		    from, bad + 1, name);
	u->rounded = u->rounded || digits < want;
	q[u->n - 1] = u->w.out ? nearest(q, u->listed) : q[u->n - 1];
	workload_dense(&u->w, q, digits, name);
	free(q);
}

/*
 * Numbers the values of an attribute.  Records outside the domain have a
 * separate value, but not in an attribute with a single value: this count is
 * over every record.
 */
static void
codes(const struct universe *u, const struct cells *c, int64_t *x)
{
	for (size_t i = 0; i < u->listed; i++)
		x[i * u->of_key] = c->code[i];
	if (u->n > u->listed)
		x[u->listed * u->of_key] = c->values > 1 ? (int64_t)c->values :
		    0;
}

void
universe_marginals(const struct universe *u, size_t order,
    struct workload *w)
{
	size_t first = u->of_metric + u->of_query;
	int64_t *x = universe_numbers(u, u->of_key);
	const char **names = err_alloc(NULL, u->of_key + 1, sizeof(*names));

	for (size_t c = 0; c < u->of_key; c++) {
		names[c] = table_name(u->table, u->cols[first + c]);
		codes(u, &u->cell[first + c], x + c);
	}
	w->n = u->n;
	w->out = u->n > u->listed;
	workload_marginal(w, x, u->of_key, order, names);
	free(names);
	free(x);
}

/* "job=clerk,age=30" from the columns' names and an element of the cell. */
static void
name_cell(struct universe *u, struct text *out, const char *columns,
    size_t sample)
{
	size_t first = u->of_metric + u->of_query, len, at = 0;
	const char *p;

	/* the columns of a cell come in the order of the attributes */
	for (size_t c = 0; c < u->of_key; c++) {
		const char *name = table_name(u->table, u->cols[first + c]);
		size_t n = strlen(name);

		if (strncmp(columns + at, name, n) != 0 ||
		    (columns[at + n] != ',' && columns[at + n] != '\0'))
			continue;
		p = cells_at(&u->cell[first + c], sample, &len);
		text_printf(out, "%s%s=", at > 0 ? "," : "", name);
		text_bytes(out, p, len);
		at += n;
		if (columns[at] == '\0')
			break;
		at++;
	}
}

static void
name_queries(struct universe *u)
{
	struct text text = TEXT_INIT;
	char buf[WORKLOAD_NAME];
	size_t k, sample, start, *end;

	free(u->name);
	free(u->names);
	u->name = err_alloc(NULL, u->w.k + 1, sizeof(*u->name));
	end = err_alloc(NULL, u->w.k + 1, sizeof(*end));
	for (k = 0; k < u->w.k; k++) {
		const char *one = workload_name(&u->w, k, buf, &sample);

		if (sample == u->listed && sample < u->n)
			text_add(&text, UNIVERSE_OUTSIDE);
		else if (sample < u->n)
			name_cell(u, &text, one, sample);
		else
			text_bytes(&text, one, strlen(one));
		end[k] = text.len;
	}
	text_bytes(&text, "", 1);	/* every name may be empty */
	for (k = start = 0; k < u->w.k; start = end[k++])
		u->name[k] = (struct label){ text.buf + start,
		    end[k] - start };
	u->names = text.buf;
	free(end);
}

void
universe_queries(struct universe *u, int64_t most)
{
	workload_free(&u->w);
	u->w.n = u->n;
	u->w.out = u->n > u->listed;
	u->rounded = false;
	for (size_t c = u->of_metric; c < u->of_metric + u->of_query; c++)
		dense(u, &u->cell[c], table_name(u->table, u->cols[c]),
		    universe_source(u), most);
	for (size_t c = 0; c < u->extras; c++)
		dense(u, &u->extra[c], u->extra_name[c], u->queries, most);
	if (u->order > 0)
		universe_marginals(u, u->order, &u->w);
	else if (u->workload != NULL && strcmp(u->workload, "prefix") == 0)
		workload_prefix(&u->w);
	else if (u->workload != NULL)
		workload_range(&u->w);
	if (!u->keep)
		name_queries(u);
}

static void
free_cells(struct cells *c, size_t n)
{
	for (size_t i = 0; c != NULL && i < n; i++)
		cells_free(&c[i]);
	free(c);
}

void
universe_free(struct universe *u)
{
	free_cells(u->cell, u->all);
	free_cells(u->extra, u->extras);
	free_cells(u->file, u->files);
	for (size_t i = 0; i < u->extras; i++)
		free(u->extra_name[i]);
	free(u->extra_name);
	cells_free(&u->joined);
	attributes_free(&u->listing);
	metric_spec_free(&u->spec);
	metric_free(&u->m);
	workload_free(&u->w);
	table_close(u->table);
	table_close(u->raw);
	free(u->cols);
	free(u->raw_cols);
	free(u->name);
	free(u->names);
	free(u->count);
}
