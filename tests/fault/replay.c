/*
 * replay: runs a fuzz target without a fuzzer, on seeds and on random changes
 * of them: bytes replaced, cut out, doubled, or taken from another seed.
 * Usage: NAME SEED...; always the same inputs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4096
#define TIMES 4000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t state = 1;

static size_t
below(size_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return n == 0 ? 0 : (size_t)(state >> 33) % n;
}

static size_t
load(const char *path, uint8_t *data)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	if (f == NULL) {
		perror(path);
		exit(1);
	}
	n = fread(data, 1, SIZE / 2, f);
	fclose(f);
	return n;
}

static size_t
change(uint8_t *data, size_t n, const uint8_t *other, size_t others)
{
	static const uint8_t bytes[] = "\0\0\n\r\",;\t 0123456789-+./eE:=xnif";
	size_t at = below(n), len = below(9) + 1;

	switch (below(5)) {
	case 0:
		if (n > 0)
			data[at] = (uint8_t)below(256);
		return n;
	case 1:
		if (n > 0)
			data[at] = bytes[below(sizeof(bytes))];
		return n;
	case 2:
		len = len > n - at ? n - at : len;
		memmove(data + at, data + at + len, n - at - len);
		return n - len;
	case 3:
		len = len > n - at ? n - at : len;
		memmove(data + at + len, data + at, n - at);
		return n + len;
	default:
		len = below(others + 1);
		if (at + len > SIZE / 2)
			return n;
		memcpy(data + at, other + below(others - len + 1), len);
		return at + len > n ? at + len : n;
	}
}

int
main(int argc, char **argv)
{
	static uint8_t seed[SIZE], other[SIZE];
	uint8_t *data;
	size_t n, others, i, times;

	for (i = 0; i < TIMES; i++) {
		n = load(argv[1 + i % (size_t)(argc - 1)], seed);
		others = load(argv[1 + below((size_t)(argc - 1))], other);
		if (i >= (size_t)argc)
			for (times = 1 + below(6); times > 0; times--)
				if (n + 16 < SIZE / 2)
					n = change(seed, n, other, others);
		/* A block of its own, so that reading past it shows. */
		data = malloc(n + (n == 0));
		if (data == NULL)
			return 1;
		memcpy(data, seed, n);
		LLVMFuzzerTestOneInput(data, n);
		free(data);
	}
	return 0;
}
