/* table_marks: where delimiters, line ends and hard bytes stand. */
#ifndef TABLE_MARKS_H
#define TABLE_MARKS_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_SLACK 64	/* readable bytes after those to be marked */

/* Positions in a window of the read buffer; room for one more than bytes. */
struct marks {
	uint32_t *sep;		/* delimiters and LFs */
	uint32_t *line;		/* LFs */
	uint32_t *hard;		/* quotes, CRs before no LF; then UINT32_MAX */
	size_t lines;
	size_t seps;
};

/* Marks n bytes at s; TABLE_SLACK bytes after them are readable. */
typedef void marks_fn(struct marks *m, const char *s, size_t n,
    char delimiter);

/* All do the same; the last tells the fastest that runs here. */
marks_fn marks_portable;
#ifdef __x86_64__
marks_fn marks_sse2;
marks_fn marks_avx2;
#endif
marks_fn *marks_best(void);

#endif
