/*
 * table under random bytes: no cell leaves its limits, and a column reads the
 * same alone and among others, from a file and through a pipe that hands it
 * out in small pieces.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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
	struct table *t = table_open_how(fd, "input", delimiter, false, &how);

	table_read(t, cols, k, on_record, &s);
	table_close(t);
	return s;
}

/* Always the same file: making one takes longer than reading it. */
static int
as_file(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", 0);
	if (fd < 0 || pwrite(fd, data, size, 0) != (ssize_t)size ||
	    ftruncate(fd, (off_t)size) != 0 || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

/* A packet pipe hands out what was written piece by piece. */
static int
as_pieces(const uint8_t *data, size_t size, size_t piece)
{
	int end[2];
	size_t i, n;

	if (pipe2(end, O_DIRECT) != 0)
		abort();
	for (i = 0; i < size; i += n) {
		n = size - i < piece ? size - i : piece;
		if (write(end[1], data + i, n) != (ssize_t)n)
			abort();
	}
	close(end[1]);
	return end[0];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum all, one, pieces;
	char delimiter;
	size_t piece;
	int end;

	if (size < 2)
		return 0;
	delimiter = "\t;,,,,,,"[data[0] & 7];
	piece = 1 + data[1];
	data += 2;
	size -= 2;
	all = read_all(as_file(data, size), delimiter, 3, 0);
	one = read_all(as_file(data, size), delimiter, 1, 0);
	if (all.hash != one.hash || all.records != one.records)
		abort();
	/* The packet pipe holds 16 pieces before its writer has to wait. */
	if (size <= 16 * piece) {
		end = as_pieces(data, size, piece);
		pieces = read_all(end, delimiter, 3, 0);
		close(end);
		if (pieces.hash != all.hash)
			abort();
	}
	return 0;
}
