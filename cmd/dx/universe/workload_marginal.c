/*
 * workload_marginal: the cells of every marginal of some order.
 *
 * A marginal is kept as a cell number for each element, whatever the number of
 * cells.
 */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"
#include "tool/text.h"

/*
 * Joins an attribute's codes into the cells of a marginal: cell numbers in
 * order of first appearance of (old cell, code), by sorting.
 */
struct cell_code {
	int64_t cell;
	int64_t code;
	size_t i;
};

static int
by_cell_code(const void *a, const void *b)
{
	const struct cell_code *p = a, *q = b;

	if (p->cell != q->cell)
		return p->cell < q->cell ? -1 : 1;
	if (p->code != q->code)
		return p->code < q->code ? -1 : 1;
	return (p->i > q->i) - (p->i < q->i);
}

static size_t
refine_sorted(int64_t *cell, const int64_t *x, size_t dims, size_t n,
    struct cell_code *scratch)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		scratch[i] = (struct cell_code){ cell[i], x[i * dims], i };
	qsort(scratch, n, sizeof(*scratch), by_cell_code);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || scratch[i].cell != scratch[i - 1].cell ||
		    scratch[i].code != scratch[i - 1].code)
			count++;
		cell[scratch[i].i] = (int64_t)count - 1;
	}
	return count;
}

/* These numbers from a table of every pair, for few pairs. */
static size_t
refine_table(int64_t *cell, const int64_t *x, size_t dims, size_t n,
    size_t codes, size_t *table, size_t room)
{
	size_t count = 0;

	memset(table, 0, room * sizeof(*table));
	for (size_t i = 0; i < n; i++)
		table[(size_t)cell[i] * codes + (size_t)x[i * dims]] = 1;
	for (size_t i = 0; i < room; i++)
		if (table[i] != 0)
			table[i] = count++;
	for (size_t i = 0; i < n; i++)
		cell[i] = (int64_t)table[(size_t)cell[i] * codes +
		    (size_t)x[i * dims]];
	return count;
}

/* Cells so far and codes from 0 up become new cells; returns how many. */
static size_t
refine(int64_t *cell, const int64_t *x, size_t dims, size_t n, size_t cells,
    struct cell_code *scratch)
{
	int64_t lo = 0, hi = 0;
	size_t codes;

	for (size_t i = 0; i < n; i++) {
		lo = x[i * dims] < lo ? x[i * dims] : lo;
		hi = x[i * dims] > hi ? x[i * dims] : hi;
	}
	codes = (size_t)hi + 1;
	if (lo < 0 || (size_t)hi > n || codes > 3 * n / cells)
		return refine_sorted(cell, x, dims, n, scratch);
	/* room for three numbers in each of n records of scratch */
	return refine_table(cell, x, dims, n, codes, (size_t *)(void *)scratch,
	    cells * codes);
}

/* The names of the chosen attributes, joined by commas. */
static char *
join_names(const char *const *names, const size_t *pick, size_t order)
{
	struct text s = TEXT_INIT;

	for (size_t i = 0; i < order; i++)
		text_printf(&s, "%s%s", i > 0 ? "," : "", names[pick[i]]);
	text_bytes(&s, "", 1);
	return s.buf;
}

static void
add_marginal(struct workload *w, const int64_t *x, size_t dims,
    const size_t *pick, size_t order, const char *const *names)
{
	struct block *b = workload_block(w, WORKLOAD_MARGINAL, 0);
	struct cell_code *scratch = err_alloc(NULL, w->n, sizeof(*scratch));
	size_t i;

	b->q = err_alloc(NULL, w->n, sizeof(*b->q));
	b->sample = err_alloc(NULL, w->n, sizeof(*b->sample));
	b->name = join_names(names, pick, order);
	for (b->count = w->n > 0, i = 0; i < order && w->n > 0; i++)
		b->count = refine(b->q, x + pick[i], dims, w->n, b->count,
		    scratch);
	for (i = w->n; i-- > 0;)
		b->sample[b->q[i]] = i;
	w->k += b->count;
	free(scratch);
}

/* The next choice of `order` of dims in lexicographic order. */
static bool
next_pick(size_t *pick, size_t order, size_t dims)
{
	size_t i = order;

	while (i > 0 && pick[i - 1] == dims - order + i - 1)
		i--;
	if (i == 0)
		return false;
	for (pick[i - 1]++; i < order; i++)
		pick[i] = pick[i - 1] + 1;
	return true;
}

void
workload_marginal(struct workload *w, const int64_t *x, size_t dims,
    size_t order, const char *const *names)
{
	size_t *pick;

	if (order == 0 || order > dims)
		return;
	pick = err_alloc(NULL, order, sizeof(*pick));
	for (size_t i = 0; i < order; i++)
		pick[i] = i;
	do
		add_marginal(w, x, dims, pick, order, names);
	while (next_pick(pick, order, dims));
	free(pick);
}
