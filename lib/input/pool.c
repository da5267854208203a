/* pool: many small pieces of memory that stay where they are. */
#include "pool.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "tool/err.h"

#define FIRST ((size_t)1 << 12)	/* bytes of the first block */
#define LINE 64			/* bytes that memory is fetched by */
#define PAGE 4096
#define LARGE ((size_t)1 << 22)	/* less is not worth large pages */

void
pool_open(struct pool *p, size_t unit)
{
	*p = (struct pool){ .unit = unit, .n = 1 };
	while (unit << (p->shift + 1) <= FIRST)
		p->shift++;
}

/*
 * Many pieces are many pages, each visited at random: large ones save most
 * of the time that looking up addresses takes.  Without them all is the same.
 */
static void
ask_large_pages(char *from, const char *end)
{
	from += PAGE - (uintptr_t)from % PAGE;
	madvise(from, (size_t)(end - from) / PAGE * PAGE, MADV_HUGEPAGE);
}

/* One more block, from a line's begin on; the byte before tells how far. */
static void
new_block(struct pool *p)
{
	size_t bytes = p->unit << (p->shift + p->blocks);
	char *raw = err_alloc(NULL, bytes + LINE, 1);
	char *at = raw + LINE - (uintptr_t)raw % LINE;

	at[-1] = (char)(at - raw);
	p->block[p->blocks++] = at;
	if (bytes >= LARGE)
		ask_large_pages(at, at + bytes);
}

/* A piece that does not fit into a block begins the next that holds it. */
uint32_t
pool_take(struct pool *p, size_t units)
{
	size_t first = (size_t)1 << p->shift, i = p->n, end = first;

	while (i >= end)
		end += end + first;
	while (end - i < units) {
		i = end;
		end += end + first;
	}
	if (end > UINT32_MAX)
		die(STATUS_INPUT, "out of memory");
	while ((first << p->blocks) - first < end)
		new_block(p);
	p->n = i + units;
	return (uint32_t)i;
}

void
pool_clear(struct pool *p)
{
	p->n = 1;
}

void
pool_close(struct pool *p)
{
	for (size_t i = 0; i < p->blocks; i++)
		/* cppcheck-suppress negativeIndex; see new_block */
		free(p->block[i] - p->block[i][-1]);
}
