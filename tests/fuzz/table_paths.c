/*
 * The two paths of table under random bytes: whatever the delimiter, the
 * columns, the buffers, the pieces and the kind of marks, it reads an input as
 * libcsv alone reads it.  The first eight bytes choose; the rest is the CSV.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "../prop/table_trace.h"

#define CHOICES 8

/*
 * One file that memfd_create gives, without the kernel: system calls were half
 * of the time of a run.  Other files are what they were.
 */
#define MEMORY_FILE 1000000	/* its descriptor */

static struct {
	const void *text;	/* of the last pwrite, which stays there */
	off_t len;
	off_t at;
} memory;

int
memfd_create(const char *name, unsigned flags)
{
	(void)name;
	(void)flags;
	return MEMORY_FILE;
}

ssize_t
pwrite(int fd, const void *from, size_t n, off_t at)
{
	if (fd != MEMORY_FILE || at != 0)
		return syscall(SYS_pwrite64, fd, from, n, at);
	memory.text = from;
	memory.len = (off_t)n;
	return (ssize_t)n;
}

int
ftruncate(int fd, off_t len)
{
	if (fd != MEMORY_FILE)
		return (int)syscall(SYS_ftruncate, fd, len);
	return len == memory.len ? 0 : -1;
}

off_t
lseek(int fd, off_t to, int whence)
{
	if (fd != MEMORY_FILE)
		return syscall(SYS_lseek, fd, to, whence);
	memory.at = whence == SEEK_CUR ? memory.at + to : to;
	return memory.at;
}

ssize_t
pread(int fd, void *to, size_t n, off_t at)
{
	if (fd != MEMORY_FILE)
		return syscall(SYS_pread64, fd, to, n, at);
	if (at >= memory.len)
		return 0;
	if (n > (size_t)(memory.len - at))
		n = (size_t)(memory.len - at);
	memcpy(to, (const char *)memory.text + at, n);
	return (ssize_t)n;
}

ssize_t
read(int fd, void *to, size_t n)
{
	ssize_t got;

	if (fd != MEMORY_FILE)
		return syscall(SYS_read, fd, to, n);
	got = pread(fd, to, n, memory.at);
	memory.at += got;
	return got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/*
 * One input in 128, whichever the fuzzer likes: starting threads takes longer
 * than all else, and pieces need none.
 */
static unsigned
threads_for(const uint8_t *data, size_t n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ data[i]) * 16777619u;
	h >>= 16;
	return h % 128 > 0 ? 1 : 2 + h / 128 % (TRACE_THREADS - 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char delimiters[] = { ',', ',', ',', ';', '\t', ' ', 'a',
	    '\0', '\xff' };
	static const struct table_how pure = { 65536, NULL, 0 };
	size_t cols[3];
	struct table_how how;
	struct ask ask;

	if (n <= CHOICES)
		return 0;
	ask.text = (const char *)data + CHOICES;
	ask.len = n - CHOICES;
	ask.delimiter = delimiters[data[0] % sizeof(delimiters)];
	ask.header = data[1] % 2 == 1 && trace_header(&ask);
	ask.unquoted = data[1] % 8 >= 6 && ask.delimiter != '\0';
	ask.k = data[2] % 4;
	cols[0] = data[3] % 5;
	cols[1] = data[4] % 5;
	cols[2] = 1;
	ask.cols = cols;
	how.read = data[5] < 128 ? data[5] % 70 + 1 : 4096;
	how.marks = marks_best(data[7] % 2);
	how.piece = data[4] < 128 ? 0 : data[4] % 64 + 1;
	ask.threads = threads_for(data, n);
	if (!trace_agree(&ask, how, pure))
		abort();
	return 0;
}
