/*
 * table: CSV on a file descriptor to cells in chosen columns.
 *
 * libcsv is the parser of record.  This file reads the input and drives the
 * parsers; table_csv.c talks to libcsv, table_scan.c (on table_marks.c) reads
 * plain records faster, table_names.c knows the header.
 *
 * Only the cells handed to the caller depend on a data record: no message tells
 * of a record, and without a header no width is guessed from the data.  Memory
 * is bounded by the header, the read buffer and TABLE_CELL for each chosen
 * column, whatever the input.
 */
#include "table.h"

#include <errno.h>
#include <unistd.h>

#include "table_state.h"
#include "tool/err.h"

#define SSCONVERT "ssconvert -T Gnumeric_stf:stf_csv "
#define MLR "mlr --ijson --ocsv unsparsify "

/*
 * Appends at most n bytes of the file to buf, and zeros; false at the end of
 * the file, or when no more are wanted.
 */
static bool
fill(struct table *t, size_t n)
{
	ssize_t got;

	if (t->by_place && t->at >= t->limit)
		return false;
	if (t->by_place && (off_t)n > t->limit - t->at)
		n = (size_t)(t->limit - t->at);
	/* only the kernel knows how far a file was read */
	taint_public(&t->at, sizeof(t->at));
	taint_public(&n, sizeof(n));
	do
		got = t->by_place ? pread(t->fd, t->buf + t->end, n, t->at) :
		    read(t->fd, t->buf + t->end, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		err_sys("%s", t->name);
	if (t->fd == 0) {	/* every other file is public */
		taint_private(t->buf + t->end, (size_t)got);
		taint_private(&got, sizeof(got));
	}
	if (got == 0) {
		t->eof = true;
		return false;
	}
	if (t->quotes != NULL)
		quotes_feed(t->quotes, t->buf + t->end, (size_t)got);
	t->end += (size_t)got;
	t->at += got;
	t->last = t->buf[t->end - 1];
	memset(t->buf + t->end, 0, TABLE_SLACK);
	return true;
}

bool
table_fill(struct table *t)
{
	t->pos = t->end = 0;
	return !t->eof && fill(t, t->how.read);
}

/* Are these the first bytes?  A pipe may deliver bytes one by one. */
static bool
begins(struct table *t, const char *magic)
{
	size_t n = strlen(magic);

	while (!t->eof && t->end < n && memcmp(t->buf, magic, t->end) == 0)
		fill(t, t->how.read);
	return t->end >= n && memcmp(t->buf, magic, n) == 0;
}

/* The first bytes of files that are no CSV, and the command around the name. */
static const struct {
	const char *magic, *is, *before, *after;
} others[] = {
	{ "\037\213", "compressed", "zcat ", "" },
	{ "\050\265\057\375", "compressed", "zstdcat ", "" },
	{ "\375\067zXZ", "compressed", "xzcat ", "" },
	{ "BZh", "compressed", "bzcat ", "" },
	{ "PK\003\004", "a spreadsheet or an archive", SSCONVERT, " fd://1" },
	{ "\320\317\021\340", "a spreadsheet", SSCONVERT, " fd://1" },
	{ "PAR1", "Parquet", "duckdb -csv -c \"select * from '", "'\"" },
	{ "SQLite format 3", "a database", "sqlite3 -csv -header ",
	    " 'select * from TABLE'" },
	{ "{\"", "JSON", MLR, "" },
	{ "{\n", "JSON", MLR, "" },
	{ "{\r", "JSON", MLR, "" },
	{ "[{", "JSON", MLR, "" },
	{ "[\n", "JSON", MLR, "" },
	{ "[\r", "JSON", MLR, "" },
	{ "\377\376", "UTF-16", "iconv -f UTF-16 -t UTF-8 ", "" },
	{ "\376\377", "UTF-16", "iconv -f UTF-16 -t UTF-8 ", "" },
};

/* The first bytes stand where the header stands, which is public. */
static void
refuse_other(struct table *t)
{
	const char *file = strcmp(t->name, "standard input") == 0 ? "FILE" :
	    t->name;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (begins(t, others[i].magic))
			err_die(STATUS_INPUT, "%s is %s: %s%s%s |", t->name,
			    others[i].is, others[i].before, file,
			    others[i].after);
}

/* Some engines write their rows between tabs, and have no quotes. */
static void
table_tabs(struct table *t)
{
	t->form.delimiter = '\t';
	t->form.unquoted = true;
	csv_free(&t->csv);
	table_start(t);
}

/* The first line, and no byte more. */
static void
table_read_header(struct table *t, enum header header)
{
	struct text line = TEXT_INIT;
	bool ended = false;
	size_t i;

	while (!ended && line.len <= TABLE_CELL && (t->pos < t->end ||
	    table_fill(t))) {
		for (i = t->pos; i < t->end && !ended; i++)
			ended = t->buf[i] == '\n' || t->buf[i] == '\r';
		text_bytes(&line, t->buf + t->pos, i - t->pos);
		t->pos = i;
	}
	if (line.len == 0)
		err_die(STATUS_INPUT, "no header line: %s is empty%s", t->name,
		    t->form.grouped ? ": has the query failed?" : "");
	if (t->form.grouped && memchr(line.buf, '\t', line.len) != NULL)
		table_tabs(t);
	t->cr = line.buf[line.len - 1] == '\r';
	if (!ended)
		t->last = '\n';	/* nothing is left by the header */
	names_header(t, &line, header);
	text_free(&line);
}

struct table *
table_new(int fd, const char *name, const struct table_form *form,
    const struct table_how *how)
{
	struct table *t = err_alloc(NULL, 1, sizeof(*t));
	size_t room = how->read + TABLE_FIRST + TABLE_SLACK;

	*t = (struct table){ .fd = fd, .name = name, .form = *form,
	    .how = *how, .named = fd != 0 };
	t->room = err_alloc(NULL, TABLE_BEFORE + room, 1);
	t->buf = t->room + TABLE_BEFORE;
	/* pages not needed stay unused */
	t->marks.sep = err_alloc(NULL, room, 2 * sizeof(*t->marks.sep));
	t->marks.line = t->marks.sep + room;
	table_start(t);
	return t;
}

struct table *
table_open(int fd, const char *name, const struct table_form *form,
    const struct table_how *how)
{
	const struct table_how best = { TABLE_READ, marks_best(0),
	    TABLE_PIECE };
	struct table *t;

	t = table_new(fd, name, form, how != NULL ? how : &best);
	if (form->schema != NULL)
		t->views = err_alloc(NULL, 1, sizeof(*t->views));
	if (form->header == HEADER_NONE)
		names_schema(t);
	else {
		refuse_other(t);
		if (begins(t, TABLE_MARK))	/* a quote may follow the
						   mark */
			t->pos = TABLE_MARK_LEN;
		table_read_header(t, form->header);
	}
	return t;
}

struct table *
table_input(const struct opts *o)
{
	const struct table_form form = { o->delimiter, o->header, o->unquoted,
	    o->schema };
	const struct table_form rows = { ',', HEADER_NUMBERS, .schema =
	    o->schema, .grouped = true };

	if (o->sql != NULL)
		return names_table(o, &form);
	if (o->grouped)
		return table_open(0, opts_input(o), &rows, NULL);
	return table_open(0, opts_input(o), &form, NULL);
}

/* Records come from one input, so there is one call to make before them. */
static struct {
	void (*call)(void *arg);
	void *arg;
} first;

void
table_first(void (*call)(void *arg), void *arg)
{
	first.call = call;
	first.arg = arg;
}

void
table_begin(const struct table *t)
{
	void (*call)(void *arg) = first.call;

	if (call == NULL || t->fd != 0)
		return;
	first.call = NULL;
	call(first.arg);
}

/* The header, if any, has been read: the first line number is known. */
void
table_quotes(struct table *t, struct quotes *q)
{
	if (t->pos == 0)
		refuse_other(t);
	*q = (struct quotes){ .delimiter = t->form.delimiter, .line = 1 };
	if (t->form.unquoted)
		return;
	for (size_t i = 0; i < t->pos; i++)
		q->line += t->buf[i] == '\n';
	t->quotes = q;
	quotes_feed(q, t->buf + t->pos, t->end - t->pos);
}

void
table_choose(struct table *t, const size_t *cols, size_t k,
    table_record *record, void *arg)
{
	t->chosen = (struct chosen){ .count = k,
	    .cols = err_alloc(NULL, k, sizeof(*t->chosen.cols)),
	    .cells = err_alloc(NULL, k, sizeof(*t->chosen.cells)),
	    .record = record, .arg = arg };
	for (size_t i = 0; i < k; i++)
		t->chosen.cols[i] = table_real(t, cols[i]);
	if (t->form.schema != NULL)
		table_mean(t, cols);
	t->copy = err_alloc(NULL, k + 2, TABLE_CELL + 1);
	t->used = TABLE_BEFORE;
}

void
table_unchoose(struct table *t)
{
	table_unmean(t);
	free(t->chosen.cols);
	free(t->chosen.cells);
	free(t->copy);
}

void
table_parse(struct table *t)
{
	if (t->how.marks != NULL) {
		table_scan(t);
		return;
	}
	table_feed(t, t->buf + t->pos, t->end - t->pos);
	t->pos = t->end;
}

void
table_read(struct table *t, const size_t *cols, size_t k,
    table_record *record, void *arg)
{
	table_choose(t, cols, k, record, arg);
	table_begin(t);
	while (t->pos < t->end || table_fill(t))
		table_parse(t);
	table_end(t);
	table_unchoose(t);
}

void
table_close(struct table *t)
{
	csv_free(&t->csv);
	names_free(&t->header);
	names_free(&t->numbers);
	table_views_free(t->views);
	free(t->marks.sep);
	free(t->room);
	free(t);
}
