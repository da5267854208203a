/*
 * engine: the query of --sql.
 *
 * Cells go out as the engine writes them, and the tool reads them as it reads
 * cells of a file.  An engine with exact decimals sends fewer (engine_steps.c).
 * No engine rounds, compares or orders by rules of its own.  A NULL is an empty
 * cell.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_query.h"
#include "input/table.h"
#include "tool/digest.h"
#include "tool/err.h"

#define ENGINE_NAME (sizeof(TABLE_OWN) + 16)	/* of 16 digits, and a NUL */

/*
 * What the tools take for a number, if it has no more digits than an engine's
 * decimals hold: a longer one would end the query, and no cell may.
 */
#define ENGINE_NUMBER "'^[-+]?([0-9]{1,255}[.]?[0-9]{0,255}|" \
	"[.][0-9]{1,255})([eE][-+]?[0-9]{1,4})?$' THEN CAST("

static const struct dialect dialects[] = {
	{ "postgres", '"', false, "CAST(%s AS text) COLLATE \"C\"",
	    NULL, { "COALESCE(BTRIM(", ", E' \\t'), '')" },
	    "CASE WHEN \1 ~ " ENGINE_NUMBER "\1 AS numeric) END",
	    "div(%s, %s)", "mod(%s, %s)",
	    /* one of 134 million characters would end the query */
	    .cell = "CASE WHEN octet_length(CAST(%1$s AS text)) <= 65536 THEN "
	    "CAST(%1$s AS text) COLLATE \"C\" END",
	    .client = "psql --csv -f QUERY" },
	{ "duckdb", '"', false, "CAST(%s AS VARCHAR)",
	    .client = "duckdb -csv FILE < QUERY" },
	{ "clickhouse", '`', true, "toString(%s)",
	    .client = "clickhouse-client --format CSVWithNames < QUERY" },
	/* at a blank behind a blank the search for an end is over */
	{ "mysql", '`', true, "CAST(CAST(%s AS CHAR) AS BINARY)",
	    "REPLACE(REPLACE(REPLACE(%s, '\\t', ' '), '\\n', '\\b'),"
	    " '\\r', '\\b')", { "COALESCE(REGEXP_REPLACE(",
	    ", '^[ \\t]+|(?<![ \\t])[ \\t]+$', ''), '')" },
	    "CASE WHEN \1 REGEXP " ENGINE_NUMBER "\1 AS DECIMAL(65,30)) END",
	    "FLOOR((%1$s - %1$s MOD %2$s) / %2$s)", "%s MOD %s",
	    .client = "mysql --batch --raw DATABASE < QUERY" },
	/* between " an unknown column would be a text */
	{ "sqlite", '`', false, "CAST(%s AS TEXT)",
	    .client = "sqlite3 -csv -header FILE < QUERY" },
	{ "bigquery", '`', true, "CAST(%s AS STRING)",
	    .client = "bq query --use_legacy_sql=false --format=csv "
	    "--max_rows=1000000000 < QUERY" },
	{ "spark", '`', true, "CAST(%s AS STRING)",
	    "TRANSLATE(%s, '\\t\\n\\r', ' \\b\\b')",
	    .client = "spark-sql --conf spark.hadoop.hive.cli.print.header=true"
	    " -f QUERY" },
};

#define DIALECTS (sizeof(dialects) / sizeof(dialects[0]))

/* --- what a query is for -------------------------------------------------- */

static void
engine_fact(struct text *facts, const char *what, const char *is)
{
	text_printf(facts, "%s ", what);
	if (is != NULL)
		text_exact(facts, is, strlen(is));
	text_add(facts, "\n");
}

/* The name of the count's column: the same for every dialect. */
static void
engine_name(const struct intake *in, const struct intake_use *use,
    char name[ENGINE_NAME])
{
	const struct opts *o = in->o;
	const struct schema *s = o->schema;
	struct text facts = TEXT_INIT;
	char digest[DIGEST_TEXT];

	/* a column of numbers is on a grid, within bounds */
	for (size_t c = 0; c < in->k; c++) {
		const struct bounds *b = &in->bounds[c];

		engine_fact(&facts, "column", intake_name(in, c));
		text_printf(&facts, "%d %lld %lld %lld\n", b->digits,
		    (long long)b->lo, (long long)b->hi, (long long)b->bad);
	}
	engine_fact(&facts, "unit", o->unit.column);
	engine_fact(&facts, "slice", o->slice.column);
	engine_fact(&facts, "is", o->slice.value);
	engine_fact(&facts, "group", o->group);
	engine_fact(&facts, "missing", o->missing);
	/* per, bad cells, relation, texts, totals: of one no rank is known */
	text_printf(&facts, "per %d %d %d %zu %d keys ", (int)o->unit.per,
	    (int)o->on_bad, (int)o->neighbors, use->texts, use->linear);
	text_exact(&facts, in->keys.text.buf, in->keys.text.len);
	if (s != NULL)
		text_exact(&facts, s->text.buf, s->text.len);
	strcpy(name, TABLE_OWN);
	strncat(name, digest_bytes(facts.buf, facts.len, digest), 16);
	text_free(&facts);
}

void
engine_agree(const struct intake *in, const struct intake_use *use)
{
	char name[ENGINE_NAME];

	engine_name(in, use, name);
	if (strcmp(name, in->weight) != 0)
		err_die(STATUS_INPUT, "these are the rows of another query: "
		    "this release reads those of --sql with its own columns, "
		    "range, unit, groups, slice and digits; write the query "
		    "again, by these words with --sql DIALECT:TABLE in the "
		    "place of --grouped");
}

/* --- the query ------------------------------------------------------------ */

/* A text between quotes, which a quote in the text ends. */
static void
engine_quoted(struct text *out, char quote, bool escapes, const char *s)
{
	text_bytes(out, &quote, 1);
	for (; *s != '\0'; s++) {
		if (*s == quote || (escapes && *s == '\\'))
			text_bytes(out, escapes ? "\\" : &quote, 1);
		text_bytes(out, s, 1);
	}
	text_bytes(out, &quote, 1);
}

void
engine_said(struct query *q, const char *s)
{
	engine_quoted(&q->sql, '\'', q->dialect->escapes, s);
}

void
engine_text(struct query *q, const char *column)
{
	struct text name = TEXT_INIT;

	engine_quoted(&name, q->dialect->quote, false, column);
	text_printf(&q->sql, q->dialect->cell != NULL ? q->dialect->cell :
	    q->dialect->text, name.buf);
	text_free(&name);
}

void
engine_list(struct query *q, const char *format, const char *more)
{
	for (size_t i = 1; i <= q->n; i++) {
		text_add(&q->sql, i > 1 ? ", " : "");
		text_printf(&q->sql, format, i);
	}
	text_add(&q->sql, q->n > 0 && *more != '\0' ? ", " : "");
	text_add(&q->sql, more);
}

/* Each column of the table once. */
void
engine_cell(struct query *q, const char *name, const struct bounds *b)
{
	size_t i = 0;

	while (i < q->n && strcmp(q->cell[i].name, name) != 0)
		i++;
	q->cell[i] = (struct query_cell){ name, b };
	q->n += i == q->n;
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

	if (value == NULL || *value == '\0' || o->schema != NULL ||
	    strchr(value, '\\') != NULL)
		return;		/* NULL is a cell without letters */
	text_printf(&like, "%%%s%%", value);
	text_add(&q->sql, " WHERE ");
	engine_text(q, o->slice.column);
	text_add(&q->sql, " LIKE ");
	engine_said(q, like.buf);
	text_free(&like);
}

/* The cells of each row as texts, NULL as an empty one, and their counts. */
static void
engine_rows(struct query *q)
{
	const struct intake *in = q->in;

	for (size_t c = 0; c < in->all; c++)
		engine_cell(q, table_header(in->table, table_real(in->table,
		    in->cols[c])), NULL);
	text_add(&q->sql, "WITH r AS (SELECT ");
	for (size_t i = 0; i < q->n; i++) {
		text_add(&q->sql, "COALESCE(");
		engine_text(q, q->cell[i].name);
		text_printf(&q->sql, ", '') AS c%zu, ", i + 1);
	}
	text_printf(&q->sql, "1 AS n FROM %s", q->table);
	engine_slice(q);
	text_add(&q->sql, "),\nk AS (SELECT ");
	engine_list(q, "c%zu", "count(*) AS n FROM r");
	text_add(&q->sql, q->n > 0 ? " GROUP BY " : "");
	engine_list(q, "c%zu", "");
	text_add(&q->sql, ")");
}

/* A cell of k under its name; a number as N, or Ne-DIGITS. */
static void
engine_answer(struct query *q, size_t i)
{
	const struct query_cell *cell = &q->cell[i - 1];
	char c[32];

	snprintf(c, sizeof(c), "c%zu", i);
	if (cell->number != NULL) {
		text_printf(&q->sql, "CASE WHEN %s IS NULL THEN '' ELSE "
		    "CONCAT(", c);
		text_printf(&q->sql, q->dialect->text, c);
		text_printf(&q->sql, ", 'e-%d') END", cell->number->digits);
	} else if (q->dialect->plain != NULL)
		text_printf(&q->sql, q->dialect->plain, c);
	else
		text_add(&q->sql, c);
	text_add(&q->sql, " AS ");
	engine_quoted(&q->sql, q->dialect->quote, false, cell->name);
	text_add(&q->sql, ", ");
}

/* The rows of k, and how many these are. */
static void
engine_end(struct query *q, const char *count)
{
	text_add(&q->sql, "\nSELECT * FROM (SELECT ");
	for (size_t i = 1; i <= q->n; i++)
		engine_answer(q, i);
	text_printf(&q->sql, "n AS %s, '' AS " TABLE_END " FROM k\n"
	    "UNION ALL SELECT ", count);
	for (size_t i = 0; i < q->n; i++)
		text_add(&q->sql, "'', ");
	text_add(&q->sql, "0, ");
	text_printf(&q->sql, q->dialect->text, "count(*)");
	text_add(&q->sql, " FROM k) AS q\nORDER BY " TABLE_END ";\n");
}

/* DIALECT[:TABLE] */
static void
engine_begin(struct query *q, const struct intake *in,
    const struct intake_use *use)
{
	const char *words[DIALECTS + 1] = { NULL };
	char *copy = err_copy(in->o->sql, strlen(in->o->sql)), *rest = copy;

	for (size_t i = 0; i < DIALECTS; i++)
		words[i] = dialects[i].name;
	*q = (struct query){ .sql = TEXT_INIT, .in = in, .use = use,
	    .table = "data", .cell = err_alloc(NULL, in->all + 1,
	    sizeof(*q->cell)) };
	q->dialect = &dialects[opts_choose("--sql", text_field(&rest, ":"),
	    words)];
	if (rest != NULL && *rest != '\0')
		q->table = in->o->sql + (rest - copy);
	free(copy);
}

void
engine_print(const struct intake *in, const struct intake_use *use)
{
	char name[ENGINE_NAME];
	struct query q;

	engine_begin(&q, in, use);
	engine_name(in, use, name);
	if (engine_has_steps(&q))
		engine_steps(&q);
	else
		engine_rows(&q);
	engine_end(&q, name);
	if (isatty(STDERR_FILENO)) {
		char *command = opts_command(in->o);

		err_warn("the rows of QUERY go on: %s | %s --grouped",
		    q.dialect->client, command);
		free(command);
	}
	text_output(q.sql.buf, q.sql.len);
	exit(STATUS_OK);
}
