/*
 * table_trace: all that table tells about an input, as bytes to compare.
 * Used by the property tests and by the fuzzer.
 */
#ifndef TABLE_TRACE_H
#define TABLE_TRACE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input/table_state.h"

struct trace {
	char *text;
	size_t len;
	size_t room;
	size_t columns;
};

/* A question to table: everything but the way of reading. */
struct ask {
	const char *text;
	size_t len;
	const size_t *cols;
	size_t k;
	char delimiter;
	bool header, unquoted;
	unsigned threads;	/* where the input is read in pieces */
};

static void
trace_add(struct trace *tr, const void *from, size_t n)
{
	if (tr->room - tr->len < n) {
		tr->room = 2 * tr->room + n;
		tr->text = realloc(tr->text, tr->room);
		if (tr->text == NULL)
			abort();
	}
	if (n > 0)
		memcpy(tr->text + tr->len, from, n);
	tr->len += n;
}

static void
trace_record(void *arg, const struct cell *cells, size_t fields)
{
	struct trace *tr = arg;
	size_t i;

	trace_add(tr, &fields, sizeof(fields));
	for (i = 0; i < tr->columns; i++) {
		trace_add(tr, &cells[i].missing, sizeof(cells[i].missing));
		trace_add(tr, &cells[i].len, sizeof(cells[i].len));
		trace_add(tr, cells[i].text, cells[i].len);
	}
}

#define TRACE_THREADS 4

/* Pieces of a trace, and the whole that they are put together to. */
struct trace_batch {
	struct trace part;
	struct trace *whole;
};

static void
trace_part(void *batch, const struct cell *cells, size_t fields)
{
	trace_record(&((struct trace_batch *)batch)->part, cells, fields);
}

static void
trace_forget(void *batch)
{
	((struct trace_batch *)batch)->part.len = 0;
}

static void
trace_take(void *batch)
{
	struct trace_batch *b = batch;

	trace_add(b->whole, b->part.text, b->part.len);
	b->part.len = 0;
}

static void
trace_pieces(struct table *t, const struct ask *ask, struct trace *tr)
{
	struct trace_batch batch[TABLE_BATCHES(TRACE_THREADS)];
	void *batches[TABLE_BATCHES(TRACE_THREADS)];
	struct table_crew crew = { ask->threads, batches, trace_part,
	    trace_forget, trace_take };
	size_t i, n = TABLE_BATCHES(ask->threads);

	for (i = 0; i < n; i++) {
		batch[i] = (struct trace_batch){ { .columns = ask->k }, tr };
		batches[i] = &batch[i];
	}
	table_read_pieces(t, ask->cols, ask->k, &crew);
	for (i = 0; i < n; i++)
		free(batch[i].part.text);
}

/* The text as a file, always the same one: a fuzzer asks often. */
static int
trace_file(const struct ask *ask)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("table", 0);
	if (fd < 0 || pwrite(fd, ask->text, ask->len, 0) !=
	    (ssize_t)ask->len || ftruncate(fd, (off_t)ask->len) != 0 ||
	    lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

/*
 * Is the first line a header, or does table exit: for none, one of another
 * format, or one that may be private?  A line is asked for that is a header
 * beyond doubt.
 */
static bool
trace_header(const struct ask *ask)
{
	size_t i;

	for (i = 0; i < ask->len && ask->text[i] != '\n' &&
	    ask->text[i] != '\r'; i++)
		if (ask->text[i] == '\0' || (ask->text[i] != ask->delimiter &&
		    (ask->text[i] < ' ' || ask->text[i] > '~' ||
		    strchr("\"{[(BPS", ask->text[i]))))
			return false;
	return i > 0 && i < ask->len;
}

/* The trace of one reading; the caller frees its text. */
static struct trace
trace_of(const struct ask *ask, struct table_how how)
{
	struct trace tr = { NULL, 0, 0, ask->k };
	int fd = trace_file(ask);
	struct table *t;
	size_t i, width;

	t = table_open(fd, "input", &(struct table_form){ ask->delimiter,
	    ask->header ? HEADER_NUMBERS : HEADER_NONE,
	    .unquoted = ask->unquoted }, &how);
	width = table_width(t);
	trace_add(&tr, &width, sizeof(width));
	for (i = 0; i < width; i++)
		trace_add(&tr, table_name(t, i), strlen(table_name(t, i)) + 1);
	if (how.piece > 0)
		trace_pieces(t, ask, &tr);
	else
		table_read(t, ask->cols, ask->k, trace_record, &tr);
	table_close(t);
	return tr;
}

static bool
trace_equal(const struct trace *a, const struct trace *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* True when the ways of reading tell the same. */
static bool
trace_agree(const struct ask *ask, struct table_how a, struct table_how b)
{
	struct trace x = trace_of(ask, a), y = trace_of(ask, b);
	bool same = trace_equal(&x, &y);

	free(x.text);
	free(y.text);
	return same;
}

#endif
