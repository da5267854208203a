/*
 * table under random bytes: no cell leaves its limits, and a column reads the
 * same alone and among others, from a file and from one that hands it, as a
 * pipe does, out in small pieces.
 */
#include <stdint.h>
#include <stdlib.h>

#include "input/table_state.h"
#include "memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sum {
	uint64_t hash;
	size_t records;
	size_t which;		/* the cell that is looked at */
};

static uint64_t
mix(uint64_t h, uint64_t x)
{
	return (h ^ x) * 1099511628211u;
}

static void
on_record(void *arg, const struct cell *cells, size_t fields)
{
	struct sum *s = arg;
	const struct cell *c = &cells[s->which];
	size_t i;

	if (c->missing ? c->len != 0 : c->len > TABLE_CELL)
		abort();
	s->records++;
	s->hash = mix(s->hash, fields);
	s->hash = mix(s->hash, c->missing);
	for (i = 0; i < c->len; i++)
		s->hash = mix(s->hash, (unsigned char)c->text[i] + 2u);
	s->hash = mix(s->hash, 1);
}

static struct sum
read_all(int fd, char delimiter, size_t k, size_t which)
{
	static const size_t cols[] = { 1, 0, 2 };
	struct sum s = { 1469598103934665603u, 0, which };
	/* Small buffers: otherwise filling them is most of the work. */
	struct table_how how = { 4096, 512, marks_best(0), 0 };
	struct table *t = table_open(fd, "input", delimiter, false, &how);

	table_read(t, cols, k, on_record, &s);
	table_close(t);
	return s;
}

/* A file that hands out so many bytes at once, as a pipe may do; 0: all. */
static int
as_file(const uint8_t *data, size_t size, size_t piece)
{
	int fd = memfd_create("input", 0);

	if (pwrite(fd, data, size, 0) != (ssize_t)size ||
	    ftruncate(fd, (off_t)size) != 0 || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	memory.piece = piece;
	return fd;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum all, one, pieces;
	char delimiter;
	size_t piece;

	if (size < 2)
		return 0;
	delimiter = "\t;,,,,,,"[data[0] & 7];
	piece = 1 + data[1];
	data += 2;
	size -= 2;
	all = read_all(as_file(data, size, 0), delimiter, 3, 0);
	one = read_all(as_file(data, size, 0), delimiter, 1, 0);
	pieces = read_all(as_file(data, size, piece), delimiter, 3, 0);
	if (all.hash != one.hash || all.records != one.records ||
	    pieces.hash != all.hash)
		abort();
	return 0;
}
