/*
 * fixed_cell: the reader for machines without SSE2, compiled here under
 * another name, and the one of this machine read as fixed_cell does.
 */
#undef __SSE2__
#define fixed_cell portable_cell
#define fixed_whole portable_whole
#define fixed_cell_behind portable_behind
#define fixed_cell_wide portable_wide
#define fixed_is_plain portable_is_plain
#include "../../lib/number/fixed_cell.c"
#undef fixed_cell
#undef fixed_whole
#undef fixed_cell_behind
#undef fixed_cell_wide
#undef fixed_is_plain

#include <criterion/criterion.h>

#include "random/rng.h"

#include "../house/step.h"

bool fixed_cell(const char *cell, size_t n, int digits, int64_t *x);
bool fixed_cell_behind(const char *cell, size_t n, int digits, int64_t *x);

typedef bool behind(const char *cell, size_t n, int digits, int64_t *x);

/* Cells on which a reader and fixed_cell differ. */
static int
differences(behind *read, int cells)
{
	static const char rare[] = "..+-eE x,/:\xfa\xff\x2f\x3a\x80\0";
	char room[64];
	struct rng r;
	int i, bad = 0;

	rng_seeded(&r, 9, "portable");
	for (i = 0; i < cells; i++) {
		size_t n = (size_t)rng_below(&r, 20), j;
		uint64_t often = 1 + rng_below(&r, 30);
		char *cell = room + 20;
		int digits = (int)rng_below(&r, 19);
		int64_t x = 1, y = 1;
		bool ok;

		for (j = 0; j < sizeof(room); j++)
			room[j] = rng_below(&r, often) == 0 ?
			    rare[rng_below(&r, sizeof(rare))] :
			    (char)('0' + rng_below(&r, 10));
		ok = fixed_cell(cell, n, digits, &x);
		bad += read(cell, n, digits, &y) != ok || x != y;
	}
	return bad;
}

Test(fixed, cells_read_alike_with_and_without_vectors)
{
	cr_assert_eq(differences(fixed_cell_behind, 400000 / STEP), 0);
	cr_assert_eq(differences(portable_behind, 400000 / STEP), 0);
}
