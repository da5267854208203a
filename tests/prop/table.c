/*
 * The fast path of table against libcsv alone, on random and hostile CSV, at
 * many sizes of read buffer and window; and both against what was written.
 */
#include <criterion/criterion.h>

#include "random/rng.h"
#include "table_trace.h"

#define INPUTS 1500
#define LONGEST 700

static const size_t reads[] = { 1, 2, 3, 5, 16, 63, 64, 65, 200, 131072 };
static const size_t windows[] = { 1, 7, 64, 100, 512, 16384 };
static const char delimiters[] = { ',', ',', ',', ';', '\t', ' ', '|', 'a',
    '\0', '\x1f', '\xff', '!' };
/* Bytes with a meaning, and their neighbours in value. */
static const char hard[] = ",,\n\n\"\" \t\r\r\n\0\x0b\x1f!#;|a1.-\x7f\x80\xff";

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct table_how pure = { 65536, 1, NULL };

static size_t
below(struct rng *r, size_t n)
{
	return (size_t)rng_below(r, n);
}

static marks_fn *
any_marks(struct rng *r)
{
	switch (below(r, 3)) {
#ifdef __x86_64__
	case 0:
		if (__builtin_cpu_supports("avx2"))
			return marks_avx2;
		return marks_sse2;
	case 1:
		return marks_sse2;
#endif
	default:
		return marks_portable;
	}
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

/* Ordinary lines, some of them with something hard in them. */
static size_t
line_text(struct rng *r, char *text, char delimiter)
{
	static const char *odd[] = { "\"x,y\"", "\"a\"\"b\"", " 7", "7 ",
	    "\"l\nm\"", "5\r", "\"q", "q\"", "\"q\" ", "", "\t", "\"\"",
	    "\"\r\n\"", "\xef\xbb\xbf", " \t7 8\t ", "  ", "\t\"q\"\t",
	    "\r", "\t\r", "7\x0b" };
	size_t n = 0, rare = 1 + below(r, 40), fields, i;
	const char *end = below(r, 2) == 0 ? "\n" : "\r\n";

	while (n + 100 < LONGEST) {
		fields = below(r, 9) == 0 ? below(r, 7) + 1 : 3;
		for (i = 0; i < fields; i++) {
			if (below(r, rare) == 0)
				n += (size_t)sprintf(text + n, "%s",
				    odd[below(r, COUNT(odd))]);
			else
				n += (size_t)sprintf(text + n, "%zu",
				    below(r, 1000));
			if (i + 1 < fields)
				text[n++] = delimiter;
		}
		n += (size_t)sprintf(text + n, "%s", end);
		if (below(r, 30) == 0)
			break;
	}
	return n - below(r, 3);
}

/* Cells among blanks, and line endings of every kind. */
static size_t
blank_text(struct rng *r, char *text, char delimiter)
{
	static const char *parts[] = { " ", "\t", "  \t", "7", "x y", "\r\n",
	    "\n", " \r\n", "\r", "\r \n", "\"\"" };
	size_t n = 0, use = 5 + below(r, COUNT(parts) - 4);

	while (n + 8 < LONGEST && below(r, 200) > 0)
		if (below(r, 3) == 0)
			text[n++] = delimiter;
		else
			n += (size_t)sprintf(text + n, "%s",
			    parts[below(r, use)]);
	return n;
}

static void
fill_ask(struct rng *r, struct ask *ask, char *text, size_t *cols)
{
	size_t i;

	ask->text = text;
	ask->cols = cols;
	ask->delimiter = delimiters[below(r, sizeof(delimiters))];
	i = below(r, 3);
	ask->len = i == 0 ? noise_text(r, text) :
	    (i == 1 ? line_text : blank_text)(r, text, ask->delimiter);
	ask->header = ask->len > 3 && below(r, 2) == 0;
	ask->k = below(r, 5);
	for (i = 0; i < ask->k; i++)
		cols[i] = below(r, 6);
}

/* Inputs on which marks (or any, if NULL) and libcsv disagree. */
static int
disagreements(uint64_t seed, int inputs, marks_fn *marks)
{
	char text[LONGEST + 64];
	struct rng r;
	size_t cols[8];
	struct ask ask;
	struct table_how how;
	int i, bad = 0;

	rng_seeded(&r, seed, "table");
	for (i = 0; i < inputs; i++) {
		fill_ask(&r, &ask, text, cols);
		how.read = reads[below(&r, COUNT(reads))];
		how.window = windows[below(&r, COUNT(windows))];
		how.marks = marks != NULL ? marks : any_marks(&r);
		bad += !trace_agree(&ask, how, pure);
	}
	return bad;
}

Test(table, plain_records_read_as_libcsv_reads_them)
{
	uint64_t seed;

	for (seed = 1; seed <= 20; seed++)
		cr_assert_eq(disagreements(seed, INPUTS, NULL), 0,
		    "seed %d", (int)seed);
}

Test(table, libcsv_alone_is_blind_to_buffer_sizes)
{
	struct table_how how = { 0, 1, NULL };
	char text[LONGEST + 64];
	size_t cols[8], i;
	struct ask ask;
	struct rng r;
	int n;

	rng_seeded(&r, 7, "table");
	for (n = 0; n < 300; n++) {
		fill_ask(&r, &ask, text, cols);
		for (i = 0; i < COUNT(reads); i++) {
			how.read = reads[i];
			cr_assert(trace_agree(&ask, how, pure));
		}
	}
}

/* Broken twins: a byte too few called hard, a delimiter overlooked. */
static void
forget(struct marks *m, const char *s, char c)
{
	size_t i, n = 0;

	for (i = 0; m->hard[i] != UINT32_MAX; i++)
		if (s[m->hard[i]] != c)
			m->hard[n++] = m->hard[i];
	m->hard[n] = UINT32_MAX;
}

static void
no_quote(struct marks *m, const char *s, size_t n, char delimiter)
{
	marks_portable(m, s, n, delimiter);
	forget(m, s, '"');
}

static void
no_return(struct marks *m, const char *s, size_t n, char delimiter)
{
	marks_portable(m, s, n, delimiter);
	forget(m, s, '\r');
}

/* A delimiter that is a block's last byte is overlooked. */
static void
no_edge(struct marks *m, const char *s, size_t n, char delimiter)
{
	size_t i, seps = 0;

	marks_portable(m, s, n, delimiter);
	for (i = 0; i < m->seps; i++)
		if (s[m->sep[i]] == '\n' || m->sep[i] % 64 != 63)
			m->sep[seps++] = m->sep[i];
	m->seps = seps;
}

/*
 * Inputs on which a fast path that leaves these blanks on cells would agree:
 * it sees another byte in their place.
 */
static int
unstripped(char blank, int inputs)
{
	static const char other = '\xfe';
	char text[LONGEST + 64], with[LONGEST + 64];
	struct table_how how = { 131072, 512, marks_portable };
	struct trace kept, want;
	size_t cols[8], j;
	struct ask ask;
	struct rng r;
	int i, same = 0;

	rng_seeded(&r, 5, "table");
	for (i = 0; i < inputs; i++) {
		fill_ask(&r, &ask, text, cols);
		want = trace_of(&ask, pure);
		for (j = 0; j < ask.len; j++)
			with[j] = text[j] == blank && ask.delimiter != blank ?
			    other : text[j];
		ask.text = with;
		kept = trace_of(&ask, how);
		for (j = 0; j < kept.len; j++)
			kept.text[j] = kept.text[j] == other ? blank :
			    kept.text[j];
		same += trace_equal(&kept, &want);
		free(kept.text);
		free(want.text);
	}
	return same;
}

Test(table, the_comparison_catches_blanks_left_on_cells)
{
	cr_assert_lt(unstripped(' ', 300), 200);
	cr_assert_lt(unstripped('\t', 300), 200);
	cr_assert_eq(unstripped('\x02', 300), 300);
}

Test(table, the_comparison_catches_broken_marks)
{
	cr_assert_gt(disagreements(1, 300, no_quote), 0);
	cr_assert_gt(disagreements(1, 300, no_return), 0);
	cr_assert_gt(disagreements(1, 300, no_edge), 0);
}

static bool
same_marks(const struct marks *a, const struct marks *b)
{
	size_t i, h = 0;

	if (a->lines != b->lines || a->seps != b->seps)
		return false;
	for (i = 0; i < a->lines; i++)
		if (a->line[i] != b->line[i])
			return false;
	for (i = 0; i < a->seps; i++)
		if (a->sep[i] != b->sep[i])
			return false;
	while (a->hard[h] != UINT32_MAX && a->hard[h] == b->hard[h])
		h++;
	return a->hard[h] == b->hard[h];
}

/* Marks by looking at one byte after the other. */
static void
naive(struct marks *m, const char *s, size_t n, char delimiter)
{
	size_t i, seps = 0, hards = 0;
	unsigned char c;

	m->lines = 0;
	for (i = 0; i < n; i++) {
		c = (unsigned char)s[i];
		if (s[i] == '\n')
			m->line[m->lines++] = (uint32_t)i;
		if (s[i] == '\n' || s[i] == delimiter)
			m->sep[seps++] = (uint32_t)i;
		else if (c == '"' || (c == '\r' && s[i + 1] != '\n'))
			m->hard[hards++] = (uint32_t)i;
	}
	m->hard[hards] = UINT32_MAX;
	m->seps = seps;
}

Test(table, every_kind_of_marks_is_the_naive_one)
{
	enum { MOST = 400 };
	static uint32_t room[6][MOST + 64];
	struct marks a = { room[0], room[1], room[2], 0, 0 };
	struct marks b = { room[3], room[4], room[5], 0, 0 };
	char text[MOST + 64] = { 0 }, delimiter;
	struct rng r;
	size_t n, i;
	int round;

	rng_seeded(&r, 11, "table");
	for (round = 0; round < 20000; round++) {
		n = below(&r, MOST);
		for (i = 0; i < n + 64; i++)
			text[i] = below(&r, 2) == 0 ? (char)below(&r, 256) :
			    hard[below(&r, sizeof(hard) - 1)];
		delimiter = delimiters[below(&r, sizeof(delimiters))];
		naive(&a, text, n, delimiter);
		any_marks(&r)(&b, text, n, delimiter);
		cr_assert(same_marks(&a, &b));
	}
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
	for (round = 0; round < 4000; round++) {
		want = (struct trace){ NULL, 0, 0, 2 + below(&r, 3) };
		ask = (struct ask){ text, 0, cols, want.columns, ',', false };
		ask.delimiter = ",;|\x1f"[below(&r, 4)];
		ask.len = random_table(&r, text, ask.delimiter, &want);
		how.read = reads[below(&r, COUNT(reads))];
		how.window = windows[below(&r, COUNT(windows))];
		how.marks = below(&r, 4) == 0 ? NULL : any_marks(&r);
		got = trace_of(&ask, how);
		cr_assert(trace_equal(&want, &got), "round %d", round);
		free(want.text);
		free(got.text);
	}
}
