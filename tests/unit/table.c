/* table: what CSV means here, which columns -c names, how it fails. */
#include <criterion/criterion.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/table_state.h"
#include "tool/err.h"

#define ROOM 4096

/* Input, and the reading of it as text: `fields:cell|cell` for a record. */
struct reading {
	char text[ROOM];
	size_t len;
	size_t columns;
};

static int
input(const char *text, size_t n)
{
	int fd = memfd_create("input", 0);

	if (fd < 0 || write(fd, text, n) != (ssize_t)n ||
	    lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

static void
show(void *arg, const struct cell *cells, size_t fields)
{
	struct reading *r = arg;
	size_t i;

	r->len += (size_t)sprintf(r->text + r->len, "%s%zu:",
	    r->len == 0 ? "" : "\n", fields);
	for (i = 0; i < r->columns; i++) {
		if (i > 0)
			r->text[r->len++] = '|';
		if (cells[i].missing) {
			cr_assert_eq(cells[i].len, 0);
			r->text[r->len++] = '?';
		}
		memcpy(r->text + r->len, cells[i].text, cells[i].len);
		r->len += cells[i].len;
	}
	r->text[r->len] = '\0';
}

/* How n bytes read, with libcsv alone or with the fast path. */
static const char *
reads_how(const char *text, size_t n, const char *columns, bool header,
    bool pure)
{
	struct table_how how = { TABLE_READ, marks_best(0), 0 };
	static struct reading r;
	int fd = input(text, n);
	struct table *t;
	size_t *cols;

	if (pure)
		how.marks = NULL;
	memset(&r, 0, sizeof(r));
	t = table_open(fd, "input",
	    &(struct table_form){ ',', header }, &how);
	r.columns = columns != NULL ? table_columns(t, columns, &cols) :
	    table_rest(t, NULL, 0, 2, 2, &cols);
	table_read(t, cols, r.columns, show, &r);
	free(cols);
	table_close(t);
	close(fd);
	return r.text;
}

/* A text, and how it reads: with libcsv alone, and with the fast path. */
static const struct {
	const char *text, *want;
} reads[] = {
	/* Plain records and line endings. */
	{ "1,2\n3,4\n", "2:1|2\n2:3|4" },
	{ "1,2\r\n3,4\r\n", "2:1|2\n2:3|4" },
	{ "1,2\r3,4\r", "2:1|2\n2:3|4" },
	{ "1,2\n3,4", "2:1|2\n2:3|4" },
	{ "1,2\r\n3,4\r", "2:1|2\n2:3|4" },
	{ "1,2\n3,", "2:1|2\n2:3|" },
	{ "", "" },
	/* A blank line is a record of one empty cell. */
	{ "\n", "1:|?" },
	{ "1,2\n\n3,4\n", "2:1|2\n1:|?\n2:3|4" },
	{ "1,2\r\n\r\n3,4\r\n", "2:1|2\n1:|?\n2:3|4" },
	{ "1,2\r\r3,4", "2:1|2\n1:|?\n2:3|4" },
	{ "\n\r\n\r", "1:|?\n1:|?\n1:|?" },
	{ "1,2\n  \t\n3,4\n", "2:1|2\n1:|?\n2:3|4" },
	{ "1,2\n  ", "2:1|2\n1:|?" },
	{ "1,2\r\n  ", "2:1|2\n1:|?" },
	{ " ", "1:|?" },
	{ "\"\"\n", "1:|?" },
	/* Blanks between CR and LF belong to the ending. */
	{ "1,2\r \n3,4\n", "2:1|2\n2:3|4" },
	{ "1,2\r\n\n3,4\n", "2:1|2\n1:|?\n2:3|4" },
	{ "1,2\n\r\n3,4\n", "2:1|2\n1:|?\n2:3|4" },
	{ "1,2\r\"\"\n3,4\n", "2:1|2\n1:|?\n2:3|4" },
	{ "1,2\r ", "2:1|2" },
	/* Quotes. */
	{ "\"a,b\",\"c\"\"d\"\n", "2:a,b|c\"d" },
	{ "\"a\nb\",\"c\r\nd\"\n3,4\n", "2:a\nb|c\r\nd\n2:3|4" },
	{ "\"a\" , \"b\" \n", "2:a|b" },
	{ "\" a \",\"\"\n", "2: a |" },
	{ "a\"b,c\"\n", "2:a\"b|c\"" },
	{ "1,2\n\"3,4\n5,6\n", "2:1|2\n1:3,4\n5,6\n|?" },
	{ "1,\"2", "2:1|2" },
	{ "1,\"2\"", "2:1|2" },
	{ "1,\"", "2:1|" },
	/* Ragged records lack cells, and extra fields are counted. */
	{ "1\n1,2,3,4\n,\n", "1:1|?\n4:1|2\n2:|" },
	/* A byte-order mark is no part of the first cell. */
	{ "\xef\xbb\xbf" "1,2\n", "2:1|2" },
	{ "\xef\xbb\xbf" "1,2\n\xef\xbb\xbf" "3,4\n", "2:1|2\n2:3|4" },
	{ "\xef\xbb\xbf\"1\",2\n", "2:\"1\"|2" },
	{ "\xef\xbb\xbf", "1:|?" },
	{ "\xef\xbb" "1,2\n", "2:\xef\xbb" "1|2" },
	{ "1,\xef\xbb\xbf" "2\n", "2:1|\xef\xbb\xbf" "2" },
};

Test(table, records_and_cells_read_as_the_manual_says)
{
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++)
		for (int pure = 0; pure < 2; pure++)
			cr_expect_str_eq(reads_how(reads[i].text,
			    strlen(reads[i].text), NULL, false, pure),
			    reads[i].want, "%zu: '%s'", i, reads[i].text);
}

Test(table, nul_and_other_bytes_are_part_of_the_cell)
{
	const char *got = reads_how("a\0b,\xff\n", 6, "1,2", false, false);

	cr_assert_eq(memcmp(got, "2:a\0b|\xff", 8), 0);
}

static const char slow_text[] =
    "\xef\xbb\xbf\"a\",b\r\n1,2\r\n\"3\n\",4\r\n\r\n5";

/* Reads what a pipe hands over byte by byte, the mark and CR LF in parts. */
static void
read_slowly(struct reading *r)
{
	static const size_t cols[] = { 0, 1 };
	struct table *t;
	int fds[2];
	size_t i;

	cr_assert_eq(pipe(fds), 0);
	if (fork() == 0) {
		for (i = 0; i < sizeof(slow_text) - 1; i++) {
			if (write(fds[1], slow_text + i, 1) != 1)
				_exit(1);
			usleep(4000);
		}
		_exit(0);
	}
	close(fds[1]);
	t = table_open(fds[0], "input",
	    &(struct table_form){ ',', HEADER_NAMES }, NULL);
	cr_assert_eq(table_width(t), 2);
	cr_assert_str_eq(table_name(t, 0), "a");
	table_read(t, cols, 2, show, r);
	table_close(t);
}

static volatile sig_atomic_t alarms;

static void
on_alarm(int number)
{
	(void)number;
	alarms++;
}

/* Each wait of 4 ms is interrupted a few times, and none of them is an end. */
Test(table, an_interrupted_read_is_not_the_end_of_the_input)
{
	struct sigaction act = { .sa_handler = on_alarm };
	struct itimerval every = { { 0, 1000 }, { 0, 1000 } };
	struct reading r = { "", 0, 2 };

	cr_assert_eq(sigaction(SIGALRM, &act, NULL), 0);
	cr_assert_eq(setitimer(ITIMER_REAL, &every, NULL), 0);
	read_slowly(&r);
	memset(&every, 0, sizeof(every));
	setitimer(ITIMER_REAL, &every, NULL);
	cr_assert_gt(alarms, 0);
	cr_assert_str_eq(r.text, "2:1|2\n2:3\n|4\n1:|?\n1:5|?");
}

Test(table, the_header_leaves_the_rest_to_be_read)
{
	cr_expect_str_eq(reads_how("a\rb\nc", 5, "a", true, false),
	    "1:b\n1:c");
	cr_expect_str_eq(reads_how("a\r\nb", 4, "a", true, false), "1:b");
	cr_expect_str_eq(reads_how("a\r\n\nb", 5, "a", true, false),
	    "1:\n1:b");
	cr_expect_str_eq(reads_how("a", 1, "a", true, false), "");
	cr_expect_str_eq(reads_how("\"a\" ", 4, "a", true, false), "");
}

/* Columns found for arg in the given header, as text from 1 on. */
static const char *
columns(const char *header, const char *arg)
{
	static char text[ROOM];
	struct table *t = table_open(input(header, strlen(header)), "input",
	    &(struct table_form){ ',', HEADER_NUMBERS }, NULL);
	size_t *cols, k, i;
	int n = 0;

	k = table_columns(t, arg, &cols);
	for (i = 0; i < k; i++)
		n += sprintf(text + n, "%s%zu", i > 0 ? "," : "", cols[i] + 1);
	free(cols);
	table_close(t);
	return text;
}

Test(table, columns_by_name_then_by_number)
{
	cr_expect_str_eq(columns("a,b,c\n", "b"), "2");
	cr_expect_str_eq(columns("a,b,c\n", "c,1"), "3,1");
	cr_expect_str_eq(columns("a,b,c\n", "003"), "3");
	cr_expect_str_eq(columns("3,2,1\n", "3"), "1");
	cr_expect_str_eq(columns("\"a,b\",a,c\n", "a,b"), "1");
	cr_expect_str_eq(columns("\"a,b\",a,c\n", "c,\"a,b\",a"), "3,1,2");
	cr_expect_str_eq(columns("\"a\"\"b\",a\n", "a\"b"), "1");
	cr_expect_str_eq(columns("\"a\"\"b\",a\n", "a,\"a\"\"b\""), "2,1");
	cr_expect_str_eq(columns("a,b,a\n", "b"), "2");
	cr_expect_str_eq(columns("a,b,a\n", "3"), "3");
	cr_expect_str_eq(columns("a,,b\n", ""), "2");
	cr_expect_str_eq(columns("a, b ,c\n", "b"), "2");
	cr_expect_str_eq(columns("\xef\xbb\xbf" "a,b\n", "a"), "1");
	cr_expect_str_eq(columns("\xc3\xa9,b\n", "\xc3\xa9"), "1");
}

Test(table, names_of_columns)
{
	struct table *t = table_open(input("a,,c d\n", 7), "input",
	    &(struct table_form){ ',', HEADER_NUMBERS }, NULL);
	const char *ninth = table_name(t, 8);

	cr_expect_eq(table_width(t), 3);
	cr_expect_str_eq(table_name(t, 0), "a");
	cr_expect_str_eq(table_name(t, 1), "");
	cr_expect_str_eq(table_name(t, 2), "c d");
	cr_expect_str_eq(table_name(t, 99), "100");
	cr_expect_str_eq(ninth, "9");
	cr_expect_eq(table_name(t, 8), ninth);
	table_close(t);
	t = table_open(input("a,,c d\n", 7), "input",
	    &(struct table_form){ ',', HEADER_NONE }, NULL);
	cr_expect_eq(table_width(t), 0);
	cr_expect_str_eq(table_name(t, 0), "1");
	table_close(t);
}

/*
 * err_die frees nothing, nor need it: go before a leak checker looks, which
 * goes with glibc.
 */
#ifdef __GLIBC__
static void
leave(int status, void *arg)
{
	(void)arg;
	_exit(status);
}
#else
#define on_exit(leave, arg) ((void)0)
#endif

/* Runs what must fail in a child; `status message`. */
static const char *
failure(void (*doing)(const char *), const char *arg)
{
	static char text[ROOM];
	char said[ROOM / 2] = "";
	int fds[2], status;
	size_t got = 0;
	ssize_t n;
	pid_t child;

	cr_assert_eq(pipe(fds), 0);
	child = fork();
	if (child == 0) {
		on_exit(leave, NULL);
		dup2(fds[1], STDERR_FILENO);
		err_name("tool");
		doing(arg);
		_exit(99);
	}
	close(fds[1]);
	while ((n = read(fds[0], said + got, sizeof(said) - 1 - got)) > 0)
		got += (size_t)n;
	close(fds[0]);
	cr_assert_eq(waitpid(child, &status, 0), child);
	said[got] = '\0';
	snprintf(text, sizeof(text), "%d %s",
	    WIFEXITED(status) ? WEXITSTATUS(status) : -1, said);
	return text;
}

static void
ask_abc(const char *arg)
{
	columns("a,b,a,\"x\"\"y\"\n", arg);
}

#define ABC "; the header has a, b, a, x\"y\n"
#define OPEN_QUOTE "a quote that is not closed, as in a name of two " \
	"lines" DELIMITER
#define DELIMITER "; is the delimiter right (-d)?\n"
Test(table, without_a_header_no_width_is_inferred)
{
	cr_expect_str_eq(reads_how("1,2\n", 4, "9", false, false), "2:?");
}

static void
open_text(const char *text)
{
	table_open(input(text, strlen(text)), "input",
	    &(struct table_form){ ',', HEADER_NAMES }, NULL);
}

#define NO_HEADER "2 tool: input: the first line is no header: "
#define VALUE "a cell is no name, but a number, a date, an address " \
	"with @, or nothing; -H says that the line is a record, --header " \
	"that it is a header all the same, and tail -n +2 takes out a title\n"

/* A name has a word; a value has digits, and words of units at most. */
Test(table, values_are_no_names)
{
	static const char *const values[] = { "$1200", "1,200", "12.5%",
	    "\342\202\254 5", "1200 USD", "CHF 1200", "$ 5 USD",
	    "180cm", "72 kg",
	    "20 \302\260C", "5 \302\265g", "12 km/h", "2024-01-03",
	    "03/01/2024", "3 Jan 2024", "12:30", "7pm",
	    "2024-01-03T12:30:00Z", "ann@x.org", "A <a@b>", "+1 555-0100",
	    "(12)", "1'000.50", "10 years", "\2431200", "" };
	static const char *const names[] = { "$ amount", "Income ($)",
	    "2023 sales", "% change", "e-mail", "Q1", "1st visit", "x1", "M2",
	    "B12", "PM2.5", "COVID-19", "Jan 2024", "3D", "90th", "price @ 5",
	    "week 12", "30 day mortality", "#", "na\303\257ve", "\346\227\245",
	    "H1 2023", "no. of days", "r\303\251sum\303\251 2", "age_25",
	    "T1" };
	char line[99];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		snprintf(line, sizeof(line), "a,\"%s\"\n", values[i]);
		cr_expect_str_eq(failure(open_text, line), NO_HEADER VALUE,
		    "%s", values[i]);
		snprintf(line, sizeof(line), "a,\"%s\"\n", names[i]);
		cr_expect_str_eq(failure(open_text, line), "99 ", "%s",
		    names[i]);
	}
}

static void
rest(const char *arg)
{
	const char *named[] = { "b", NULL, "d,c" };
	size_t *cols, k;
	struct table *t = table_open(input(arg, strlen(arg)), "input",
	    &(struct table_form){ ',', HEADER_NAMES }, NULL);

	k = table_rest(t, named, 3, 1, 2, &cols);
	while (k-- > 0)
		err_name(table_name(t, cols[k])), err_warn(".");
}

/* What table refuses, and in which words; a first line that may be private
   must not be quoted.  99: it is none of that. */
static const struct {
	void (*doing)(const char *arg);
	const char *arg, *said;
} refused[] = {
	{ ask_abc, "b,z", "1 tool: input: no column named 'z'" ABC },
	{ ask_abc, "b,", "1 tool: input: no column named ''" ABC },
	{ ask_abc, "", "1 tool: input: no column named ''" ABC },
	{ ask_abc, "18446744073709551617",
	    "1 tool: column 18446744073709551617 does not exist" DELIMITER },
	{ ask_abc, "0", "1 tool: column 0 does not exist: the first is 1\n" },
	{ ask_abc, "-1", "1 tool: input: no column named '-1'" ABC },
	{ ask_abc, "\033[2Jx\177", "1 tool: input: no column named '?[2Jx?'"
	    ABC },
	{ open_text, "\xef\xbb\xbf",
	    "1 tool: no header line: input is empty\n" },
	{ open_text, "\n", "99 " },
	{ open_text, "\"a\n,\"\n1", NO_HEADER OPEN_QUOTE },
	{ open_text, "a,\"b", NO_HEADER OPEN_QUOTE },
	{ open_text, "\"a\",\"b\\\",\"\r\n1,2\n", NO_HEADER
	    OPEN_QUOTE },
	{ open_text, "a,b\302\205c\n1,2\n", NO_HEADER "a cell holds a tab or "
	    "another control character; is the delimiter right (-d tab)?\n" },
	{ open_text, "-1.5e3\n1\n", NO_HEADER VALUE },
	{ open_text, "a,\"b \"\"c\"\"\" \n", "99 " },
	{ open_text, "5\" pipe,b\n", "99 " },
	{ open_text, "a,\303\251\302\240,x1\r\n", "99 " },
	{ rest, "d,c,b,a,e\n", "99 e: .\na: .\n" },
	{ rest, "d,c,b,a,e,f\n", "2 tool: input: 6 "
	    "columns, and 2 are read: choose with -c from d, c, b, a, e, f\n" },
	{ rest, "d,c,b\n", "2 tool: input: 3 "
	    "columns, and 2 are read: choose with -c from d, c, b\n" },
	{ rest, "d\n", "99 d: .\n" },
};

Test(table, what_is_refused_is_refused_in_these_words)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		cr_expect_str_eq(failure(refused[i].doing, refused[i].arg),
		    refused[i].said, "%s", refused[i].arg);
}

static int begun, early;

static void
note_begin(void *arg)
{
	(void)arg;
	begun++;
}

static void
note_record(void *batch, const struct cell *cells, size_t fields)
{
	(void)batch, (void)cells, (void)fields;
	early += begun == 0;
}

static void
no_batch(void *batch)
{
	(void)batch;
}

Test(table, the_call_before_the_first_record_is_made_once)
{
	const struct tool tool = { .name = "tool" };
	const struct opts o = OPTS_INIT(&tool);
	void *batch[TABLE_BATCHES(2)] = { NULL };
	const struct table_crew crew = { 2, batch, note_record, no_batch,
	    no_batch };
	const size_t cols[] = { 0 };

	for (int threads = 0; threads < 2; threads++) {
		int fd = input("a\n1\n2\n", 6);
		struct table *t = table_open(fd, "public",
	    &(struct table_form){ ',', HEADER_NAMES }, NULL);

		begun = 0;
		table_first(note_begin, NULL);
		table_read(t, cols, 1, note_record, NULL);
		cr_expect_eq(begun, 0);
		table_close(t);
		early = 0;
		lseek(fd, 0, SEEK_SET);
		dup2(fd, STDIN_FILENO);
		t = table_input(&o);
		cr_expect_eq(begun, 0);
		if (threads)
			table_read_pieces(t, cols, 1, &crew);
		else
			table_read(t, cols, 1, note_record, NULL);
		cr_expect_eq(begun, 1);
		cr_expect_eq(early, 0);
		table_close(t);
		close(fd);
	}
}

/* Cells at and beyond the limit, and the memory that they take. */
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
	t = table_open(fd, "input",
	    &(struct table_form){ ',', HEADER_NONE }, &how);
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
	struct table_how how = { 0, NULL, 0 };
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
	struct table_how how = { 0, NULL, 0 };
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
	struct table_how how = { TABLE_READ, marks_best(0), 0 };
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
	t = table_open(fd, "input",
	    &(struct table_form){ ',', HEADER_NAMES }, NULL);
	cr_expect_eq(table_width(t), 2);
	cr_expect_eq(strlen(table_name(t, 0)), TABLE_CELL - 3);
	cr_expect_str_eq(table_name(t, 1), "b");
	cr_expect_eq(table_columns(t, "1,b", &cols), 2);
	free(cols);
	table_close(t);
	close(fd);
}
