/*
 * ingest: megabytes a second from a CSV file or pipe to grid integers.
 *
 *	make build/bench/ingest
 *	build/bench/ingest -g 10000000 >plain.csv
 *	build/bench/ingest -q -g 10000000 >quoted.csv
 *	build/bench/ingest [-m best|second|csv] [-c COL] [-r N] <FILE
 *	cat FILE | build/bench/ingest -n BYTES
 *
 * Prints the way of reading, rows, bytes, MB/s of the best of N runs (a pipe
 * has one) by wall clock and by CPU time, and the sum, which must not depend
 * on the way.
 * Files are read from the page cache; figures, not assertions.
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

static void
generate(long rows, const char *format)
{
	uint64_t state = 1;
	unsigned r;
	long i;

	puts("id,age,income");
	for (i = 1; i <= rows; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		r = (unsigned)(state >> 33);
		printf(format, i, r % 100, r % 99991, r % 100);
	}
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
run(struct table_how how, const char *column, struct sum *s, double best[2])
{
	double wall = now(CLOCK_MONOTONIC);
	double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
	struct table *t;
	size_t *cols;

	memset(s, 0, sizeof(*s));
	t = table_open(0, "standard input", ',', true, &how);
	table_columns(t, column, &cols);
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
	struct table_how how = { TABLE_READ, WINDOW, NULL, TABLE_PIECE };
	const char *name = "best", *column = "income";
	const char *format = "%ld,%u,%u.%02u\n";
	double best[2] = { 1e9, 1e9 }, bytes = 0;
	int c, runs = 1;
	long rows = 0;
	struct stat st;
	struct sum s;

	while ((c = getopt(argc, argv, "m:c:r:g:qb:w:n:")) != -1) {
		if (c == 'm')
			name = optarg;
		else if (c == 'c')
			column = optarg;
		else if (c == 'r')
			runs = atoi(optarg);
		else if (c == 'g')
			rows = atol(optarg);
		else if (c == 'q')
			format = "\"%ld\",\"%u\",\"%u.%02u\"\n";
		else if (c == 'b')
			how.read = strtoul(optarg, NULL, 10);
		else if (c == 'n')
			bytes = atof(optarg);
		else if (c == 'w')
			how.window = strtoul(optarg, NULL, 10);
		else
			err_die(STATUS_USAGE, "see the head of the source");
	}
	if (rows > 0) {
		generate(rows, format);
		return 0;
	}
	how.marks = way(name);
	fstat(0, &st);
	do
		run(how, column, &s, best);
	while (--runs > 0 && lseek(0, 0, SEEK_SET) == 0);
	if (fstat(0, &st) == 0 && st.st_size > 0)
		bytes = (double)st.st_size;
	printf("%s: %zu rows, %zu bad, %.0f MB/s, cpu %.0f MB/s, sum %llu\n",
	    name, s.rows, s.bad, bytes / best[0] / 1e6, bytes / best[1] / 1e6,
	    (unsigned long long)s.sum);
	return 0;
}
