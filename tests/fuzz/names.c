/*
 * Column names under random headers: up to the first NUL an argument of
 * --column, after it the CSV.  What is accepted are columns of the header.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "death.h"
#include "input/table_state.h"

/* Small buffers: what dies in table_open is lost. */
static struct table *t;

static void
check(int fd, const char *arg, bool header)
{
	struct table_how how = { 64, NULL, 0 };
	size_t *cols, k, i;

	t = NULL;
	t = table_open(fd, "input",
	    &(struct table_form){ ',', header }, &how);
	k = table_columns(t, arg, &cols);
	for (i = 0; i < k; i++) {
		if (header && cols[i] >= table_width(t))
			abort();
		if (table_name(t, cols[i]) == NULL)
			abort();
	}
	if (k == 0)
		abort();
	free(cols);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = memchr(data, '\0', size);
	size_t rest;
	int fd;

	if (nul == NULL)
		return 0;
	rest = size - (size_t)(nul + 1 - data);
	fd = memfd_create("input", 0);
	if (fd < 0 || write(fd, nul + 1, rest) != (ssize_t)rest ||
	    lseek(fd, 0, SEEK_SET) != 0)
		abort();
	if (setjmp(death) == 0)
		check(fd, (const char *)data, rest % 4 != 0);
	else if (death_status != STATUS_INPUT && death_status != STATUS_USAGE)
		abort();
	if (t != NULL)
		table_close(t);
	close(fd);
	return 0;
}
