/*
 * The two paths of table under random bytes: whatever the delimiter, the
 * columns, the buffers, the pieces and the kind of marks, it reads an input as
 * libcsv alone reads it.  The first eight bytes choose; the rest is the CSV.
 */
#include <stdint.h>

#include "../prop/table_trace.h"
#include "memory.h"

#define CHOICES 8

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
	static const struct table_how pure = { 65536, 1, NULL, 0 };
	size_t cols[3];
	struct table_how how;
	struct ask ask;

	if (n <= CHOICES)
		return 0;
	ask.text = (const char *)data + CHOICES;
	ask.len = n - CHOICES;
	ask.delimiter = delimiters[data[0] % sizeof(delimiters)];
	ask.header = data[1] % 2 == 1 && trace_header(&ask);
	ask.k = data[2] % 4;
	cols[0] = data[3] % 5;
	cols[1] = data[4] % 5;
	cols[2] = 1;
	ask.cols = cols;
	how.read = data[5] < 128 ? data[5] % 70 + 1 : 4096;
	how.window = data[6] < 128 ? data[6] % 70 + 1 : 512;
	how.marks = marks_best(data[7] % 2);
	how.piece = data[4] < 128 ? 0 : data[4] % 64 + 1;
	ask.threads = threads_for(data, n);
	if (!trace_agree(&ask, how, pure))
		abort();
	return 0;
}
