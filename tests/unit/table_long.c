/* table: cells at and beyond the limit, and the memory that they take. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "input/table_state.h"

#define MOST (4 * TABLE_CELL)

struct got {
	size_t len;
	size_t fields;
	bool missing;
	int records;
};

static void
take(void *arg, const struct cell *cells, size_t fields)
{
	struct got *got = arg;

	if (got->records++ > 0)
		return;
	got->len = cells[0].len;
	got->missing = cells[0].missing;
	got->fields = fields;
}

/* The first record's first cell; *held is what libcsv's buffer grew to. */
static struct got
first(const char *text, size_t n, struct table_how how, size_t *held)
{
	static const size_t cols[] = { 0 };
	struct got got = { 0, 0, false, 0 };
	int fd = memfd_create("long", 0);
	struct table *t;

	if (write(fd, text, n) != (ssize_t)n || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	t = table_open(fd, "input", ',', false, &how);
	table_read(t, cols, 1, take, &got);
	*held = t->csv.entry_size;
	table_close(t);
	close(fd);
	return got;
}

/* before, a run of n letters, after: must be a cell of n bytes or too long. */
static void
check(const char *before, size_t n, const char *after, size_t blanks)
{
	static const size_t reads[] = { 1000, 4096, 65536, 65537, 131072,
	    1000000 };
	static char text[2 * MOST];
	struct table_how how = { 0, WINDOW, NULL, 0 };
	struct got got;
	size_t len = strlen(before), i, held;

	memcpy(text, before, len);
	memset(text + len, 'x', n);
	len += n;
	for (i = 0; after[i] != '\0'; i++) {
		if (after[i] == ' ') {
			memset(text + len, ' ', blanks);
			len += blanks;
		} else {
			text[len++] = after[i];
		}
	}
	for (i = 0; i < 2 * sizeof(reads) / sizeof(reads[0]); i++) {
		how.read = reads[i / 2];
		how.marks = i % 2 == 0 ? NULL : marks_best(0);
		got = first(text, len, how, &held);
		cr_assert_eq(got.records, 2);
		cr_assert_eq(got.fields, 2);
		cr_assert_eq(got.missing, n > TABLE_CELL);
		cr_assert_eq(got.len, n > TABLE_CELL ? 0 : n);
		cr_assert_lt(held, 6 * TABLE_CELL);
	}
}

Test(table, exactly_the_cells_beyond_the_limit_are_over_long)
{
	static const int off[] = { -TABLE_CELL, -1, 0, 1, 2, TABLE_CELL };
	size_t i, n;

	for (i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		n = (size_t)(TABLE_CELL + off[i]);
		if (n == 0)
			n = 1;
		check("", n, ",y\nz\n", 0);
		check("\"", n, "\",y\nz\n", 0);
		check("  ", n, " ,y\nz", 3);
		check("  ", n, " ,y\nz", TABLE_CELL + 10);
		check("\t\"", n, "\" ,y\nz", 7);
		check("\"", n, "\" ,y\r\nz", MOST / 2);
	}
}

/* Blanks inside count: what stands behind them shows that they stay. */
Test(table, blanks_inside_a_cell_count_towards_its_length)
{
	static char text[2 * MOST];
	static const size_t reads[] = { 100, 65536, 131072 };
	struct table_how how = { 0, WINDOW, NULL, 0 };
	struct got got;
	size_t i, n, held;

	for (n = TABLE_CELL - 1; n <= 3 * TABLE_CELL; n += TABLE_CELL + 1)
		for (i = 0; i < 3; i++) {
			memset(text, ' ', n);
			text[0] = text[n - 1] = 'x';
			memcpy(text + n, ",y\nz\n", 5);
			how.read = reads[i];
			got = first(text, n + 5, how, &held);
			cr_assert_eq(got.missing, n > TABLE_CELL);
			cr_assert_eq(got.len, n > TABLE_CELL ? 0 : n);
			cr_assert_eq(got.records, 2);
		}
}

Test(table, an_unclosed_quote_does_not_hold_the_input_in_memory)
{
	struct table_how how = { TABLE_READ, WINDOW, marks_best(0), 0 };
	size_t n = 20000000, held;
	char *text = malloc(n);
	struct got got;

	memset(text, '1', n);
	text[0] = '"';
	got = first(text, n, how, &held);
	cr_expect(got.missing);
	cr_expect_eq(got.records, 1);
	cr_expect_lt(held, 6 * TABLE_CELL);
	memset(text, ' ', n);
	text[0] = 'x';
	got = first(text, n, how, &held);
	cr_expect_not(got.missing);
	cr_expect_eq(got.len, 1);
	cr_expect_lt(held, 6 * TABLE_CELL);
	free(text);
}

Test(table, a_header_of_64_KiB_is_one)
{
	static char text[MOST];
	struct table *t;
	size_t *cols;
	int fd = memfd_create("long", 0);

	memset(text, 'x', TABLE_CELL);
	memcpy(text + TABLE_CELL - 3, ",b\n1", 4);
	cr_assert_eq(write(fd, text, TABLE_CELL + 1), TABLE_CELL + 1);
	lseek(fd, 0, SEEK_SET);
	t = table_open(fd, "input", ',', true, NULL);
	cr_expect_eq(table_width(t), 2);
	cr_expect_eq(strlen(table_name(t, 0)), TABLE_CELL - 3);
	cr_expect_str_eq(table_name(t, 1), "b");
	cr_expect_eq(table_columns(t, "1,b", &cols), 2);
	free(cols);
	table_close(t);
	close(fd);
}
