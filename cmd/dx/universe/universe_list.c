/*
 * universe_list: a universe written on the command line (attributes.h).
 *
 * Every combination of attribute values is an element; the last attribute
 * changes fastest.  The product is handed on as CSV, so that lists are read
 * like files.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool/err.h"
#include "universe_build.h"

/* A record of the product, 0 the header; quoted, so no delimiter matters. */
static void
record(struct text *out, const struct attributes *l, size_t elements, size_t i,
    char delimiter)
{
	for (size_t c = 0; c < l->n; c++) {
		size_t values = l->of[c].value.n, len = strlen(l->of[c].name);
		const char *p = l->of[c].name;

		elements /= values;
		if (c > 0)
			text_bytes(out, &delimiter, 1);
		if (i > 0)
			p = cells_at(&l->of[c].value, (i - 1) / elements %
			    values, &len);
		text_quoted(out, p, len);
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
universe_list(struct universe *u)
{
	struct text out = TEXT_INIT;
	struct table *t;
	size_t elements;

	if (u->listing.n == 0)
		attributes_read(&u->listing, u->domain);
	if (attributes_elements(&u->listing) > (double)WORKLOAD_ELEMENTS)
		die(STATUS_USAGE, "--domain: more than 2^24 elements");
	elements = (size_t)attributes_elements(&u->listing);
	for (size_t i = 0; i <= elements; i++)
		record(&out, &u->listing, elements, i, u->o->delimiter);
	t = table_open(to_file(&out), "--domain", u->o->delimiter,
	    HEADER_NUMBERS);
	text_free(&out);
	return t;
}
