/*
 * quotes: what a reader that must make sense of every input passes over.
 *
 * For --check: quotes that stand where RFC 4180 has none, cells
 * that go over several lines, and a quote that is never closed and so takes
 * all that follows into its cell.
 */
#ifndef QUOTES_H
#define QUOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quotes_state {
	QUOTES_START,		/* of a cell */
	QUOTES_PLAIN,		/* in a cell without quotes */
	QUOTES_INSIDE,		/* in a quoted cell */
	QUOTES_CLOSED		/* after what may be its last quote */
};

/* How many there are, and on which line of the input the first is. */
struct quotes_count {
	uint64_t count;
	uint64_t line;
};

struct quotes {
	char delimiter;
	enum quotes_state state;	/* QUOTES_INSIDE at the end: a quote
					   is not closed */
	uint64_t line;		/* of the byte before */
	uint64_t opened;	/* line of the last quote that opens a cell */
	bool long_cell;		/* it has gone over a line end */
	struct quotes_count inside;	/* quotes in a plain cell */
	struct quotes_count after;	/* text after a closing quote */
	struct quotes_count lines;	/* cells of several lines */
};

/* The next n bytes of the input; line is to be set before the first. */
void quotes_feed(struct quotes *q, const char *s, size_t n);

#endif
