/*
 * intake_batch: whatever the options, the records that a tool takes are the
 * same ones in the same order for any number of threads; a trace of them is
 * compared byte by byte.
 */
#include "input/intake_parts.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "random/rng.h"

#define ROWS 30000	/* several pieces */

struct seen {
	char *text;
	size_t len, k;
	u128 total;
};

static void
see(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct seen *s = arg;

	memcpy(s->text + s->len, &group, sizeof(group));
	s->len += sizeof(group);
	memcpy(s->text + s->len, x, s->k * sizeof(*x));
	s->len += s->k * sizeof(*x);
	memcpy(s->text + s->len, &w, sizeof(w));
	s->len += sizeof(w);
}

/* The same of many records at once. */
static void
see_all(void *arg, const int64_t *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		see(arg, 0, &x[i], 1);
}

static int
file_of(const char *text, size_t n)
{
	int fd = memfd_create("intake", 0);

	if (fd < 0 || write(fd, text, n) != (ssize_t)n ||
	    lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

/* What a tool is given of the text that standard input then is. */
static struct seen
seen_by(struct opts *o, unsigned threads, size_t k, bool many)
{
	struct seen s = { malloc((size_t)ROWS * 64), 0, k, 0 };
	struct intake in;

	o->threads = threads;
	cr_assert(lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
	intake_open(&in, table_input(o), o, k, k, 2);
	intake_read(&in, &(struct intake_use){ .take = see,
	    .take_all = many ? see_all : NULL, .arg = &s });
	s.total = in.total;
	intake_close(&in);
	return s;
}

static size_t
write_rows(struct rng *r, char *text)
{
	static const char *const odd[] = { "x", "", "\"1\n2\"", "\"7.5\"",
	    " 8 ", "1e9", "a\"", "\"", "-3.999", "\"9\"\"\"" };
	size_t n = (size_t)sprintf(text, "a,b,w,g\n"), i;
	size_t rare = 2 + (size_t)rng_below(r, 2000);

	for (i = 0; i < ROWS; i++) {
		if (rng_below(r, rare) == 0)
			n += (size_t)sprintf(text + n, "%s",
			    odd[rng_below(r, sizeof(odd) / sizeof(odd[0]))]);
		else
			n += (size_t)sprintf(text + n, "%d",
			    (int)rng_below(r, 1000) - 500);
		n += (size_t)sprintf(text + n, ",%d.%02d,%d,%c\n",
		    (int)rng_below(r, 100), (int)rng_below(r, 100),
		    (int)rng_below(r, 3), (int)('p' + rng_below(r, 4)));
	}
	return n;
}

Test(intake, the_number_of_threads_does_not_show)
{
	char *text = malloc((size_t)ROWS * 40), path[64];
	struct seen one, more;
	struct rng r;
	int round, keys = file_of("p\nq\ns\n", 6);

	rng_seeded(&r, 6, "batch");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", keys);
	for (round = 0; round < 48; round++) {
		static const struct tool test = { .name = "test" };
		struct opts o = OPTS_INIT(&test);
		size_t k = (size_t)round % 3;

		o.columns = k == 0 ? NULL : k == 1 ? "a" : "b,a";
		if (round & 4)
			o.weight = "w";
		if (round & 8)
			o.group = "g", o.groups = path;
		o.on_bad = round & 16 ? ON_BAD_NUMBER : ON_BAD_DROP;
		dup2(file_of(text, write_rows(&r, text)), STDIN_FILENO);
		one = seen_by(&o, 1, k, (round & 2) > 0);
		more = seen_by(&o, 2 + round / 4 % 3, k, (round & 1) > 0);
		cr_assert_gt(one.len, 0);
		cr_assert_eq(one.len, more.len);
		cr_assert_eq(memcmp(one.text, more.text, one.len), 0);
		cr_assert(one.total == more.total);
		free(one.text);
		free(more.text);
	}
	free(text);
}
