/*
 * pattern under random texts: a pattern, a zero byte, a cell.  A text is
 * refused with words and a place in it, or has keys: each rank below their
 * number is that of its key, keys are in order, and a cell that has a rank is
 * that key (a number may be written in other ways).
 */
#include "death.h"
#include "laplace/pattern.h"

#define TRIED 32	/* ranks of a pattern */

static char key[PATTERN_LONG], last[PATTERN_LONG];

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* The key of a rank has this rank, and others behind it have none. */
static size_t
there_and_back(const struct pattern *p, uint64_t rank)
{
	size_t len = pattern_key(p, rank, key);

	must(len <= PATTERN_LONG);
	must(pattern_rank(p, key, len) == rank);
	return len;
}

/* Words stand in the order of their bytes. */
static void
in_order(const struct pattern *p, uint64_t rank)
{
	size_t a, b;
	int order;

	if (rank + 1 >= p->keys || p->kind != PATTERN_WORDS)
		return;
	a = there_and_back(p, rank);
	memcpy(last, key, a);
	b = there_and_back(p, rank + 1);
	order = memcmp(last, key, a < b ? a : b);
	must(order < 0 || (order == 0 && a < b));
}

static void
look_up(const struct pattern *p, const char *cell, size_t len)
{
	uint64_t rank = pattern_rank(p, cell, len);
	size_t n;

	if (rank == PATTERN_NONE)
		return;
	must(rank < p->keys);
	n = there_and_back(p, rank);
	if (p->kind == PATTERN_WORDS)
		must(n == len && memcmp(key, cell, len) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct pattern p;
	struct pattern_error error = { NULL, 0 };
	uint64_t rank = 0;
	size_t len;

	memcpy(text, data, size);
	text[size] = '\0';
	len = strlen(text);
	if (pattern_parse(&p, text, &error)) {
		must(p.keys > 0 && p.keys < PATTERN_KEYS);
		for (int i = 0; i < TRIED; i++) {
			there_and_back(&p, rank % p.keys);
			in_order(&p, rank % p.keys);
			rank = rank * UINT64_C(6364136223846793005) + 1 +
			    size;
		}
		there_and_back(&p, p.keys - 1);
		must(pattern_rank(&p, text, len) < p.keys ||
		    pattern_rank(&p, text, len) == PATTERN_NONE);
		if (len < size)
			look_up(&p, text + len + 1, size - len - 1);
		free(p.state);
	} else
		must(error.why != NULL && error.at <= len);
	free(text);
	return 0;
}
