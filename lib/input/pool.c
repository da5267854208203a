/* pool: many small pieces of memory that stay where they are. */
#include "pool.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "tool/err.h"

#define BLOCK ((size_t)1 << 24)
#define LINE 64			/* bytes that memory is fetched by */
#define PAGE 4096
#define FEW ((size_t)1 << 18)	/* less is not worth large pages */

void
pool_open(struct pool *p, size_t unit)
{
	*p = (struct pool){ .unit = unit, .n = 1 };
	while (p->shift < 31 && unit << (p->shift + 1) <= BLOCK)
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
	size_t bytes = p->unit << p->shift;
	char *raw = err_alloc(NULL, bytes + LINE, 1);
	char *at = raw + LINE - (uintptr_t)raw % LINE;

	p->block = err_alloc(p->block, p->blocks + 1, sizeof(*p->block));
	at[-1] = (char)(at - raw);
	p->block[p->blocks++] = at;
	if (bytes > 2 * FEW)
		ask_large_pages(at + (p->blocks > 1 ? 0 : FEW), at + bytes);
}

uint32_t
pool_take(struct pool *p, size_t units)
{
	size_t size = (size_t)1 << p->shift, left = size - (p->n & (size - 1));
	size_t i = p->n + (units > left ? left : 0);

	if (i + units > UINT32_MAX)
		die(STATUS_INPUT, "out of memory");
	if ((i >> p->shift) == p->blocks)
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
		free(p->block[i] - p->block[i][-1]);
	free(p->block);
}
