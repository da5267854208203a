/*
 * The fast path of table against libcsv alone, on random and hostile CSV, at
 * many sizes of read buffer and window; and both against what was written.
 */
#include <criterion/criterion.h>

#include "random/rng.h"
#include "../house/step.h"
#include "table_trace.h"

#define INPUTS 1500
#define LONGEST 700

static const size_t reads[] = { 1, 2, 3, 5, 16, 63, 64, 65, 200, 131072 };
static const char delimiters[] = { ',', ',', ',', ';', '\t', ' ', '|', 'a',
    '\0', '\x1f', '\xff', '!' };
/* Bytes with a meaning, and their neighbours in value. */
static const char hard[] = ",,\n\n\"\" \t\r\r\n\0\x0b\x1f!#;|a1.-\x7f\x80\xff";

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct table_how pure = { 65536, NULL, 0 };

static size_t
below(struct rng *r, size_t n)
{
	return (size_t)rng_below(r, n);
}

static marks_fn *
any_marks(struct rng *r)
{
	return marks_best((unsigned)below(r, 2));
}

/* Bytes of a random small alphabet, the rarer the harder. */
static size_t
noise_text(struct rng *r, char *text)
{
	size_t i, n = below(r, LONGEST), use = 1 + below(r, sizeof(hard) - 1);
	size_t rare = 1 + below(r, 30), from = below(r, sizeof(hard) - 1);

	for (i = 0; i < n; i++)
		if (below(r, rare) == 0)
			text[i] = hard[(from + below(r, use)) %
			    (sizeof(hard) - 1)];
		else
			text[i] = "12345,67,89\n"[below(r, 12)];
	return n;
}

/* One of some texts, without its end. */
static size_t
put(struct rng *r, char *to, const char *const *text, size_t n)
{
	return (size_t)sprintf(to, "%s", text[below(r, n)]);
}

static size_t
put_blanks(struct rng *r, char *to, size_t rare)
{
	static const char *const blanks[] = { " ", "\t", "  \t" };

	return below(r, rare) > 0 ? 0 : put(r, to, blanks, COUNT(blanks));
}

/* In quotes, with all that quotes allow. */
static size_t
put_quoted(struct rng *r, char *to, char delimiter)
{
	static const char *const inside[] = { "7", "12.5", "\"\"", ",", "\n",
	    "\r\n", "\r", " ", "\t", ";", "x", "" };
	size_t n = 0;

	to[n++] = '"';
	for (size_t i = below(r, 5); i > 0; i--)
		n += put(r, to + n, inside, COUNT(inside));
	if (below(r, 8) == 0)
		to[n++] = delimiter;
	to[n++] = '"';
	return n;
}

/* Records, of plain cells or quoted ones or both, and rarely what is odd. */
static size_t
record_text(struct rng *r, char *text, char delimiter)
{
	static const char *const odd[] = { "\"a\"\"b\"", " 7", "5\r", "\"q",
	    "q\"", "\"q\" ", "", "\"", "\"\"", "\xef\xbb\xbf", "7 8\t ",
	    "x", "\t\"q\"\t", "\r", "\t\r", "7\x0b", "y\"\"" };
	static const char *const ends[] = { "\n", "\r\n", "\n", "\r\n",
	    " \r\n", "\r", "\r \n" };
	size_t n = 0, rare = 2 + below(r, 60), quoted = below(r, 3) * 5;
	size_t blanks = 2 + below(r, 12), kinds = 1 + below(r, COUNT(ends));

	while (n + 60 < LONGEST && below(r, 200) > 0) {
		n += put_blanks(r, text + n, blanks);
		if (below(r, rare) == 0)
			n += put(r, text + n, odd, COUNT(odd));
		if (below(r, 10) < quoted)
			n += put_quoted(r, text + n, delimiter);
		else
			n += (size_t)sprintf(text + n, "%zu", below(r, 1000));
		if (below(r, rare) == 0)
			n += put(r, text + n, odd, COUNT(odd));
		n += put_blanks(r, text + n, blanks);
		if (below(r, 3) > 0)
			text[n++] = delimiter;
		else
			n += put(r, text + n, ends, kinds);
	}
	return n < 3 ? n : n - below(r, 3);
}

static void
fill_ask(struct rng *r, struct ask *ask, char *text, size_t *cols)
{
	size_t i;

	ask->text = text;
	ask->cols = cols;
	ask->delimiter = delimiters[below(r, sizeof(delimiters))];
	if (below(r, 4) == 0)
		ask->len = noise_text(r, text);
	else
		ask->len = record_text(r, text, ask->delimiter);
	ask->header = below(r, 2) == 0 && trace_header(ask);
	ask->unquoted = below(r, 4) == 0 && ask->delimiter != '\0';
	ask->k = below(r, 5);
	for (i = 0; i < ask->k; i++)
		cols[i] = below(r, 6);
}

/*
 * Any way of reading, also in pieces cut at every kind of place and by 1 to 4
 * threads, gives what libcsv gives: the same records in the same order.
 */
static void
agree(uint64_t seed, int inputs, bool pieces)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 16, 64, 200, 1000 };
	char text[LONGEST + 64];
	struct table_how how;
	size_t cols[8];
	struct ask ask;
	struct rng r;

	rng_seeded(&r, seed, "table");
	for (int i = 0; i < inputs; i++) {
		fill_ask(&r, &ask, text, cols);
		ask.threads = 1 + (unsigned)(pieces ?
		    below(&r, TRACE_THREADS) : 0);
		how.read = reads[below(&r, COUNT(reads))];
		how.marks = pieces && below(&r, 8) == 0 ? NULL :
		    any_marks(&r);
		how.piece = pieces ? sizes[below(&r, COUNT(sizes))] : 0;
		cr_assert(trace_agree(&ask, how, pure), "seed %d, input %d: "
		    "%.*s", (int)seed, i, (int)ask.len, text);
	}
}

Test(table, pieces_of_any_size_and_number_read_as_one)
{
	for (uint64_t seed = 1; seed <= 4; seed += STEP)
		agree(seed, 250, true);
}

Test(table, plain_records_read_as_libcsv_reads_them)
{
	for (uint64_t seed = 1; seed <= 8; seed += STEP)
		agree(seed, INPUTS, false);
}

/* Writes a cell so that it can be read back: quoted where it must be. */
static size_t
write_cell(struct rng *r, char *to, const char *cell, size_t len, char delim)
{
	size_t i, n = 0;
	bool quote = below(r, 4) == 0;

	for (i = 0; i < len; i++)
		if (strchr("\" \t\r\n", cell[i]) != NULL || cell[i] == delim)
			quote = true;
	if (!quote) {
		memcpy(to, cell, len);
		return len;
	}
	n += (size_t)sprintf(to, "%s\"", below(r, 9) == 0 ? "  " : "");
	for (i = 0; i < len; i++) {
		if (cell[i] == '"')
			to[n++] = '"';
		to[n++] = cell[i];
	}
	return n + (size_t)sprintf(to + n, "\"%s", below(r, 9) == 0 ? " " : "");
}

/* A random table as CSV, and the trace that it must give (all columns). */
static size_t
random_table(struct rng *r, char *text, char delim, struct trace *want)
{
	size_t rows = 1 + below(r, 30), i, j, k, len, n = 0;
	size_t all = want->columns, width = 0;
	bool missing = false, spice = below(r, 3) > 0;
	char cell[16];

	trace_add(want, &width, sizeof(width));
	for (i = 0; i < rows; i++) {
		trace_add(want, &all, sizeof(all));
		for (j = 0; j < all; j++) {
			len = below(r, sizeof(cell));
			for (k = 0; k < len; k++)
				cell[k] = spice && below(r, 9) == 0 ?
				    hard[below(r, sizeof(hard) - 1)] :
				    "0123456789"[below(r, 10)];
			n += write_cell(r, text + n, cell, len, delim);
			text[n++] = delim;
			trace_add(want, &missing, sizeof(missing));
			trace_add(want, &len, sizeof(len));
			trace_add(want, cell, len);
		}
		n--;
		if (i + 1 < rows || below(r, 2) == 0 || text[n - 1] == '\n')
			n += (size_t)sprintf(text + n, "%s",
			    below(r, 2) == 0 ? "\n" : "\r\n");
	}
	return n;
}

Test(table, what_was_written_is_read_back)
{
	static const size_t cols[] = { 0, 1, 2, 3 };
	static char text[30 * 4 * 64];
	struct table_how how;
	struct trace want, got;
	struct ask ask;
	struct rng r;
	int round;

	rng_seeded(&r, 3, "table");
	for (round = 0; round < 4000; round += STEP) {
		want = (struct trace){ NULL, 0, 0, 2 + below(&r, 3) };
		ask = (struct ask){ text, 0, cols, want.columns, ',', false,
		    false, 1 };
		ask.delimiter = ",;|\x1f"[below(&r, 4)];
		ask.len = random_table(&r, text, ask.delimiter, &want);
		how.read = reads[below(&r, COUNT(reads))];
		how.marks = below(&r, 4) == 0 ? NULL : any_marks(&r);
		how.piece = 0;
		got = trace_of(&ask, how);
		cr_assert(trace_equal(&want, &got), "round %d", round);
		free(want.text);
		free(got.text);
	}
}

/* Adds the records of the text, without a header, to the trace. */
static void
add_reading(struct trace *tr, const char *text, struct table_how how)
{
	static const size_t cols[] = { 0, 1 };
	struct ask ask = { text, strlen(text), cols, 2, ',', false, false,
	    1 };
	struct trace got = trace_of(&ask, how);

	/* what stands before the records is the width */
	trace_add(tr, got.text + sizeof(size_t), got.len - sizeof(size_t));
	free(got.text);
}

/*
 * What a record says is a map of its own bytes: any three of these read in one
 * file as each alone.  A byte-order mark is no exception.
 */
Test(table, a_record_reads_the_same_wherever_it_stands)
{
#define MARK "\xef\xbb\xbf"
	static const char *const record[] = { "1,2\n", MARK "1,2\n",
	    "\"3\",4\r\n", MARK "\"3\",4\n", "\n", MARK "\n", MARK MARK "5\n",
	    " " MARK "6, 7\n", "\"" MARK "8\",9\n", "1," MARK "2\n",
	    "\xef\xbb,1\n", MARK "a\"b,c\"\n", MARK "\r\n" };
	struct table_how how = { 131072, marks_best(0), 0 };
	struct trace want, got;
	size_t i, j, k, n = COUNT(record);
	char text[256];

	for (i = 0; i < 2 * n * n * n; i += STEP) {
		want = got = (struct trace){ .columns = 2 };
		for (j = i / 2, k = 0, text[0] = '\0'; k < 3; k++, j /= n) {
			strcat(text, record[j % n]);
			add_reading(&want, record[j % n], pure);
		}
		add_reading(&got, text, i % 2 == 0 ? how : pure);
		cr_assert(trace_equal(&want, &got), "%s", text);
		free(want.text);
		free(got.text);
	}
}
