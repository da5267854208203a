/*
 * universe_list: a universe written on the command line.
 *
 *	sex=F,M;age=17..90;"job; title"="clerk, junior",boss
 *
 * Every combination of one value of each attribute is an element; the last
 * attribute changes fastest.  A..B stands for the whole numbers from A to B.
 * Names and values that hold a comma, a semicolon or an equals sign, and two
 * dots that are no list of numbers, stand in quotes, doubled inside.  Blanks
 * around a name or a value do not count, as they do not in the cells that are
 * compared with it.  The product is handed on as CSV, so that a list is read
 * as a file is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool/err.h"
#include "universe_build.h"

struct attribute {
	struct cells value;	/* the name is the first */
};

struct product {
	struct attribute *of;
	size_t n;
	const char *p;		/* what is still to be read */
};

static void
bad_list(const char *what)
{
	die(STATUS_USAGE, "--domain: %s; a list is written as "
	    "'sex=F,M;age=17..90'", what);
}

static const char *
blanks(const char *p)
{
	return p + strspn(p, " \t");
}

/* One name or value, up to a separator; true where it was in quotes. */
static bool
take(struct product *l, struct text *to)
{
	to->len = 0;
	text_bytes(to, "", 0);
	l->p = blanks(l->p);
	if (*l->p != '"') {
		size_t len = strcspn(l->p, ",;=\"");
		struct label word = text_trim(l->p, len);

		text_bytes(to, word.text, word.len);
		l->p += len;
		return false;
	}
	for (l->p++; *l->p != '\0' && (*l->p != '"' || l->p[1] == '"');
	    l->p++) {
		l->p += *l->p == '"';
		text_bytes(to, l->p, 1);
	}
	if (*l->p++ != '"')
		bad_list("a quote is not closed");
	l->p = blanks(l->p);
	return true;
}

static void
add(struct attribute *a, const char *text, size_t len)
{
	size_t other;

	for (size_t i = 1; i < a->value.n; i++) {
		const char *p = cells_at(&a->value, i, &other);

		if (other == len && memcmp(p, text, len) == 0)
			bad_list("an attribute lists a value twice");
	}
	if (!cells_add(&a->value, text, len))
		die(STATUS_INPUT, "out of memory");
}

/* A..B, whole numbers of at most nine digits; false where it is none. */
static bool
add_numbers(struct attribute *a, const struct text *t)
{
	struct text from = TEXT_INIT;
	char buf[24], *end;
	long lo, hi;

	text_bytes(&from, t->buf, t->len);
	text_bytes(&from, "", 1);
	lo = strtol(from.buf, &end, 10);
	if (end == from.buf || end - from.buf > 10 ||
	    strncmp(blanks(end), "..", 2) != 0) {
		text_free(&from);
		return false;
	}
	hi = strtol(blanks(end) + 2, &end, 10);
	if (*end != '\0' || end[-1] == '.' || hi < lo || hi - lo >=
	    (long)WORKLOAD_ELEMENTS)
		bad_list("A..B stands for the whole numbers from A up to B, "
		    "at most 2^24");
	for (long x = lo; x <= hi; x++) {
		int len = snprintf(buf, sizeof(buf), "%ld", x);

		if (!cells_add(&a->value, buf, (size_t)len))
			die(STATUS_INPUT, "out of memory");
	}
	text_free(&from);
	return true;
}

/* 17-90 and 17:90 alone are one value, and seldom what was meant. */
static void
doubt(const struct attribute *a)
{
	size_t len, all;
	const char *name = cells_at(&a->value, 0, &all);
	const char *text = cells_at(&a->value, 1, &len);
	size_t from = 0, to;

	while (from < len && text[from] >= '0' && text[from] <= '9')
		from++;
	for (to = from + 1; to < len && text[to] >= '0' && text[to] <= '9';)
		to++;
	if (from > 0 && to == len && to > from + 1 && (text[from] == '-' ||
	    text[from] == ':'))
		warn("--domain: %.*s has one value, %.*s; whole numbers are "
		    "%.*s..%.*s", (int)all, name, (int)len, text, (int)from,
		    text, (int)(len - from - 1), text + from + 1);
}

static void
take_attribute(struct product *l, struct text *word)
{
	struct attribute *a;
	bool quoted;

	l->of = err_alloc(l->of, l->n + 1, sizeof(*l->of));
	a = &l->of[l->n++];
	a->value = (struct cells)CELLS_INIT;
	(void)take(l, word);
	if (word->len == 0 || *l->p++ != '=')
		bad_list("an attribute is a name, an equals sign and values");
	if (!cells_add(&a->value, word->buf, word->len))
		die(STATUS_INPUT, "out of memory");
	do {
		quoted = take(l, word);
		if (quoted || !add_numbers(a, word))
			add(a, word->buf, word->len);
	} while (*l->p++ == ',');
	l->p--;
	if (a->value.n == 2)
		doubt(a);
	if (*l->p != '\0' && *l->p++ != ';')
		bad_list("a comma or a semicolon is missing, or quotes "
		    "around a value that holds an equals sign");
}

/* A cell in quotes, so that no delimiter matters. */
static void
quote(struct text *out, const struct cells *c, size_t i)
{
	size_t len;
	const char *p = cells_at(c, i, &len);

	text_quoted(out, p, len);
}

/* Record number i of the product, 0 for the header. */
static void
record(struct text *out, const struct product *l, size_t elements, size_t i,
    char delimiter)
{
	for (size_t c = 0; c < l->n; c++) {
		size_t values = l->of[c].value.n - 1;

		elements /= values;
		if (c > 0)
			text_bytes(out, &delimiter, 1);
		quote(out, &l->of[c].value, i == 0 ? 0 :
		    1 + (i - 1) / elements % values);
	}
	text_bytes(out, "\n", 1);
}

static int
to_file(const struct text *t)
{
	int fd = memfd_create("domain", MFD_CLOEXEC);
	size_t done = 0;
	ssize_t n;

	if (fd < 0)
		diesys(STATUS_INPUT, "--domain");
	while (done < t->len) {
		n = write(fd, t->buf + done, t->len - done);
		if (n < 0)
			diesys(STATUS_INPUT, "--domain");
		done += (size_t)n;
	}
	if (lseek(fd, 0, SEEK_SET) != 0)
		diesys(STATUS_INPUT, "--domain");
	return fd;
}

struct table *
universe_list(const struct universe *u)
{
	struct product l = { .p = u->domain };
	struct text word = TEXT_INIT, out = TEXT_INIT;
	size_t elements = 1;
	struct table *t;

	do
		take_attribute(&l, &word);
	while (*l.p != '\0');
	for (size_t c = 0; c < l.n; c++) {
		if (l.of[c].value.n - 1 > WORKLOAD_ELEMENTS / elements)
			die(STATUS_USAGE, "--domain: more than 2^24 elements");
		elements *= l.of[c].value.n - 1;
	}
	for (size_t i = 0; i <= elements; i++)
		record(&out, &l, elements, i, u->o->delimiter);
	t = table_open(to_file(&out), "--domain", u->o->delimiter,
	    HEADER_NUMBERS);
	for (size_t c = 0; c < l.n; c++)
		cells_free(&l.of[c].value);
	free(l.of);
	text_free(&word);
	text_free(&out);
	return t;
}
