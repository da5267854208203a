/*
 * engine: the query of --sql.
 *
 * Cells go out as the engine writes them, and the tool reads them as it reads
 * cells of a file: no engine rounds, compares or orders what is private by
 * rules of its own.  A NULL is an empty cell.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/table.h"
#include "tool/digest.h"
#include "tool/err.h"

#define ENGINE_NAME (sizeof(TABLE_OWN) + 16)	/* of 16 digits, and a NUL */

/* How an engine writes SQL, and who prints its rows with a header. */
static const struct dialect {
	const char *name;
	const char *text, *end;	/* around a cell: its text, byte by byte */
	char quote;		/* of names */
	bool escapes;		/* backslashes in texts mean more */
	const char *client;
} dialects[] = {
	{ "postgres", "CAST(", " AS text) COLLATE \"C\"", '"', false,
	    "psql --csv -f QUERY" },
	{ "duckdb", "CAST(", " AS VARCHAR)", '"', false,
	    "duckdb -csv FILE < QUERY" },
	{ "clickhouse", "toString(", ")", '`', true,
	    "clickhouse-client --format CSVWithNames < QUERY" },
	{ "mysql", "CAST(CAST(", " AS CHAR) AS BINARY)", '`', true,
	    "mysql --batch --raw DATABASE < QUERY" },
	{ "sqlite", "CAST(", " AS TEXT)", '"', false,
	    "sqlite3 -csv -header FILE < QUERY" },
	{ "bigquery", "CAST(", " AS STRING)", '`', true,
	    "bq query --use_legacy_sql=false --format=csv "
	    "--max_rows=1000000000 < QUERY" },
	{ "spark", "CAST(", " AS STRING)", '`', true,
	    "spark-sql --conf spark.hadoop.hive.cli.print.header=true "
	    "-f QUERY" },
};

#define DIALECTS (sizeof(dialects) / sizeof(dialects[0]))

/* --- what a query is for -------------------------------------------------- */

static void
engine_fact(struct text *facts, const char *what, const char *is)
{
	text_printf(facts, "%s ", what);
	if (is != NULL)
		text_json(facts, is, strlen(is));
	text_add(facts, "\n");
}

/* A column of numbers is on a grid, within bounds. */
static void
engine_fact_column(struct text *facts, const struct intake *in, size_t c)
{
	const struct bounds *b = &in->bounds[c];

	engine_fact(facts, "column", intake_name(in, c));
	text_printf(facts, "%d %lld %lld %lld\n", b->digits, (long long)b->lo,
	    (long long)b->hi, (long long)b->bad);
}

/* The name of the count's column: the same for every dialect. */
static void
engine_name(const struct intake *in, char name[ENGINE_NAME])
{
	const struct opts *o = in->o;
	const struct schema *s = o->schema;
	struct text facts = TEXT_INIT;
	char digest[DIGEST_TEXT];

	for (size_t c = 0; c < in->k; c++)
		engine_fact_column(&facts, in, c);
	engine_fact(&facts, "unit", o->unit.column);
	engine_fact(&facts, "slice", o->slice.column);
	engine_fact(&facts, "is", o->slice.value);
	engine_fact(&facts, "group", o->group);
	engine_fact(&facts, "missing", o->missing);
	text_printf(&facts, "per %d bad %d relation %d keys ", (int)o->unit.per,
	    (int)o->on_bad, (int)o->neighbors);
	text_json(&facts, in->keys.text.buf, in->keys.text.len);
	if (s != NULL)
		text_json(&facts, s->text.buf, s->text.len);
	strcpy(name, TABLE_OWN);
	strncat(name, digest_bytes(facts.buf, facts.len, digest), 16);
	text_free(&facts);
}

void
engine_agree(const struct intake *in)
{
	char name[ENGINE_NAME];

	engine_name(in, name);
	if (strcmp(name, in->weight) != 0)
		err_die(STATUS_INPUT, "these are the rows of another query: "
		    "this release reads those of --sql with its own columns, "
		    "range, unit, groups, slice and digits");
}

/* --- the query ------------------------------------------------------------ */

struct query {
	struct text sql;
	const struct dialect *dialect;
	const char *table;
	const struct intake *in;
	size_t *cols, n;	/* of the table, each once */
};

/* A text between quotes, which a quote in the text ends. */
static void
engine_quoted(struct query *q, char quote, bool escapes, const char *s)
{
	text_bytes(&q->sql, &quote, 1);
	for (; *s != '\0'; s++) {
		if (*s == quote || (escapes && *s == '\\'))
			text_bytes(&q->sql, escapes ? "\\" : &quote, 1);
		text_bytes(&q->sql, s, 1);
	}
	text_bytes(&q->sql, &quote, 1);
}

static const char *
engine_column(const struct query *q, size_t i)
{
	return table_header(q->in->table, q->cols[i]);
}

/* A column's cells as texts. */
static void
engine_text(struct query *q, const char *column)
{
	text_add(&q->sql, q->dialect->text);
	engine_quoted(q, q->dialect->quote, false, column);
	text_add(&q->sql, q->dialect->end);
}

static void
engine_columns(struct query *q)
{
	const struct intake *in = q->in;

	q->cols = err_alloc(NULL, in->all, sizeof(*q->cols));
	for (size_t c = 0; c < in->all; c++) {
		size_t i = 0, real = table_real(in->table, in->cols[c]);

		while (i < q->n && q->cols[i] != real)
			i++;
		q->cols[i] = real;
		q->n += i == q->n;
	}
}

/*
 * Rows of other slices may stay away.  The tool looks again at those that come,
 * so the engine need not know what blanks, case and schema make of a value: it
 * sends every row that has the value's letters, and where others may mean the
 * value, every row.
 */
static void
engine_slice(struct query *q)
{
	const struct opts *o = q->in->o;
	const char *value = o->slice.value;
	struct text like = TEXT_INIT;

	if (value == NULL || o->schema != NULL || strchr(value, '\\') != NULL)
		return;
	text_printf(&like, "%%%s%%", value);
	text_add(&q->sql, " WHERE ");
	engine_text(q, o->slice.column);
	text_add(&q->sql, " LIKE ");
	engine_quoted(q, '\'', q->dialect->escapes, value = text_string(&like));
	free((char *)value);
}

/* "c1, c2", or their names, or nothing in their place. */
static void
engine_list(struct query *q, bool named, const char *cell)
{
	for (size_t i = 0; i < q->n; i++) {
		text_add(&q->sql, i > 0 ? ", " : "");
		if (cell != NULL)
			text_add(&q->sql, cell);
		else
			text_printf(&q->sql, "c%zu", i + 1);
		if (named) {
			text_add(&q->sql, " AS ");
			engine_quoted(q, q->dialect->quote, false,
			    engine_column(q, i));
		}
	}
}

/* The cells of each row, NULL as an empty one. */
static void
engine_rows(struct query *q)
{
	text_add(&q->sql, "WITH r AS (SELECT ");
	for (size_t i = 0; i < q->n; i++) {
		text_add(&q->sql, i > 0 ? ", COALESCE(" : "COALESCE(");
		engine_text(q, engine_column(q, i));
		text_printf(&q->sql, ", '') AS c%zu", i + 1);
	}
	text_printf(&q->sql, "%s FROM %s", q->n == 0 ? "1 AS c0" : "",
	    q->table);
	engine_slice(q);
	text_add(&q->sql, ")");
}

/* Equal rows with their count, and how many rows these are. */
static void
engine_counts(struct query *q, const char *name)
{
	const char *between = q->n > 0 ? ", " : "";

	text_add(&q->sql, ",\nk AS (SELECT ");
	engine_list(q, false, NULL);
	text_printf(&q->sql, "%scount(*) AS n FROM r", between);
	if (q->n > 0)
		text_add(&q->sql, " GROUP BY ");
	engine_list(q, false, NULL);
	text_add(&q->sql, ")\nSELECT * FROM (SELECT ");
	engine_list(q, true, NULL);
	text_printf(&q->sql, "%sn AS %s, '' AS " TABLE_END " FROM k\n"
	    "UNION ALL SELECT ", between, name);
	engine_list(q, false, "''");
	text_printf(&q->sql, "%s0, %scount(*)%s FROM k) AS q\n"
	    "ORDER BY " TABLE_END ";\n", between, q->dialect->text,
	    q->dialect->end);
}

/* DIALECT[:TABLE] */
static void
engine_begin(struct query *q, const struct intake *in)
{
	const char *words[DIALECTS + 1] = { NULL };
	char *copy = err_copy(in->o->sql, strlen(in->o->sql)), *rest = copy;

	for (size_t i = 0; i < DIALECTS; i++)
		words[i] = dialects[i].name;
	*q = (struct query){ .sql = TEXT_INIT, .in = in, .table = "data" };
	q->dialect = &dialects[opts_choose("--sql", text_field(&rest, ":"),
	    words)];
	if (rest != NULL && *rest != '\0')
		q->table = in->o->sql + (rest - copy);
	free(copy);
}

void
engine_print(const struct intake *in)
{
	char name[ENGINE_NAME];
	struct query q;

	engine_begin(&q, in);
	engine_name(in, name);
	engine_columns(&q);
	engine_rows(&q);
	engine_counts(&q, name);
	if (isatty(STDERR_FILENO))
		err_warn("the rows of QUERY go on: %s | %s --grouped",
		    q.dialect->client, opts_command(in->o));
	text_output(q.sql.buf, q.sql.len);
	exit(STATUS_OK);
}
