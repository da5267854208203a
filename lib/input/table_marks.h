/* table_marks: where delimiters and line ends stand. */
#pragma once

#include "number/fixed.h"

#define TABLE_SLACK 64	/* readable bytes after the marked bytes */

/*
 * Positions in the read buffer, from a record's begin to the first odd byte.
 * Room for TABLE_SLACK positions more than bytes.
 */
struct marks {
	uint32_t *sep;		/* delimiters and LFs outside quotes */
	uint32_t *line;		/* LFs outside quotes */
	size_t seps;
	size_t lines;
	size_t odd;		/* where libcsv must decide, or SIZE_MAX */
	bool doubled;		/* are there doubled quotes? */
};

/*
 * Marks n bytes at s; TABLE_SLACK bytes after are readable.  Without `quoted'
 * a quote is a byte like any other.
 */
typedef void marks_fn(struct marks *m, const char *s, size_t n,
    char delimiter, bool quoted);

/*
 * The fastest way to mark on this machine, or the way after the `faster'
 * fastest; after the last comes the last.  Every way gives one result.
 */
marks_fn *marks_best(unsigned faster);
