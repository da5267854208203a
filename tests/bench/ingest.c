/*
 * ingest [-m best|second|csv] [-r N] <FILE: megabytes a second from a CSV file
 * to grid integers of the column income.
 *
 * Prints the way of reading, rows, MB/s of the best of N runs by wall clock and
 * by CPU time, and the sum, which must not depend on the way.  Files are read
 * from the page cache; figures, not assertions.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "input/table_state.h"
#include "number/fixed.h"
#include "tool/err.h"

struct sum {
	uint64_t sum;
	size_t rows;
	size_t bad;
};

static void
add(void *arg, const struct cell *cells, size_t fields)
{
	struct sum *s = arg;
	int64_t x;

	(void)fields;
	s->rows++;
	if (!cells[0].missing &&
	    fixed_cell_behind(cells[0].text, cells[0].len, 2, &x))
		s->sum += (uint64_t)x;
	else
		s->bad++;
}

static double
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static marks_fn *
way(const char *name)
{
	static const char *const names[] = { "best", "second" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return marks_best(i);
	return NULL;
}

/* best[0] wall clock, best[1] CPU. */
static void
run(struct table_how how, struct sum *s, double best[2])
{
	double wall = now(CLOCK_MONOTONIC);
	double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	struct table *t;
	size_t *cols;

	memset(s, 0, sizeof(*s));
	t = table_open(0, "standard input",
	    &(struct table_form){ ',', HEADER_NAMES }, &how);
	table_columns(t, "income", &cols);
	table_read(t, cols, 1, add, s);
	free(cols);
	table_close(t);
	wall = now(CLOCK_MONOTONIC) - wall;
	cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	best[0] = wall < best[0] ? wall : best[0];
	best[1] = cpu < best[1] ? cpu : best[1];
}

int
main(int argc, char **argv)
{
	struct table_how how = { TABLE_READ, NULL, TABLE_PIECE };
	const char *name = "best";
	double best[2] = { 1e9, 1e9 };
	int c, runs = 1;
	struct stat st;
	struct sum s;

	while ((c = getopt(argc, argv, "m:r:")) != -1) {
		if (c == 'm')
			name = optarg;
		else if (c == 'r')
			runs = atoi(optarg);
		else
			err_die(STATUS_USAGE, "see the head of the source");
	}
	how.marks = way(name);
	do
		run(how, &s, best);
	while (--runs > 0 && lseek(0, 0, SEEK_SET) == 0);
	if (fstat(0, &st) != 0)
		err_die(STATUS_USAGE, "no file");
	printf("%s: %zu rows, %zu bad, %.0f MB/s, cpu %.0f MB/s, sum %llu\n",
	    name, s.rows, s.bad, (double)st.st_size / best[0] / 1e6,
	    (double)st.st_size / best[1] / 1e6, (unsigned long long)s.sum);
	return 0;
}
