/*
 * tally: count, sum, sum of squares and extremes for a column in one pass.
 *
 * [D24 Lemma 5.3] asks for the c smallest and c largest values, a sum and a sum
 * of squares, in O(n + c log c).  Candidates gather in a buffer for 2c + SLACK
 * pairs (value, weight).  When full, the buffer is sorted and keeps only the
 * lightest prefix and suffix of weight c; from then on only values strictly
 * outside prefix and suffix are candidates, because a record equal to the c-th
 * smallest leaves the multiset of the c smallest unchanged.  A sort sees at
 * least SLACK new candidates, so with the radix sort each record costs O(1) on
 * average in whatever order records come.
 *
 * Sizes: |x| <= 2^62 and a total weight below 2^41 bound the sum by 2^103 and
 * the squares by 2^165, and sizes up to 2^126 have a sum below 2^167, so
 * nothing overflows.  Beyond this weight the gathered
 * data are forgotten, in whatever order they came.
 */
#include "tally.h"

#include <string.h>

#include "asm/size/code.h"
#include "number/memory.h"
#include "number/sort.h"

#define SLACK 4096

enum end { LOW, HIGH };

void
tally_init(struct tally *t, size_t c)
{
	*t = (struct tally){ .c = c };
}

/*
 * How many entries from one end hold a weight of c; without enough, every
 * entry.
 */
static size_t
end_length(const struct tally *t, enum end end)
{
	uint64_t sum = 0;
	size_t k = 0;

	while (k < t->used && sum < t->c) {
		sum += end == LOW ? t->w[k] : t->w[t->used - 1 - k];
		k++;
	}
	return k;
}

static void
compact(struct tally *t)
{
	size_t left, right;

	sort_pairs(t->x, t->w, t->used);
	t->used = sort_merge(t->x, t->w, t->used);
	left = end_length(t, LOW);
	right = end_length(t, HIGH);
	if (left + right < t->used) {
		memmove(t->x + left, t->x + t->used - right,
		    right * sizeof(*t->x));
		memmove(t->w + left, t->w + t->used - right,
		    right * sizeof(*t->w));
		t->used = left + right;
	}
	if (t->n >= t->c) {
		t->full = true;
		t->below = t->x[left - 1];
		t->above = t->x[t->used - right];
	}
}

/* A further candidate.  Buffers grow, so that many small groups stay small. */
static __attribute__((noinline)) void
keep_candidate(struct tally *t, int64_t x, uint64_t w)
{
	size_t cap = t->cap;

	t->x = err_grow(t->x, t->used, &cap, sizeof(*t->x));
	t->w = err_grow(t->w, t->used, &t->cap, sizeof(*t->w));
	t->x[t->used] = x;
	t->w[t->used] = w;
	t->used++;
	if (t->used == 2 * t->c + SLACK)
		compact(t);
}

void
tally_add(struct tally *t, int64_t x, uint64_t w)
{
	u128 square = (u128)((i128)x * x);

	if (w >= TALLY_RECORDS - t->n) {
		t->n = TALLY_RECORDS;
		t->sum = 0;
		t->squares = t->total = (struct wide){ 0, 0 };
		t->used = 0;
		return;
	}
	t->n += w;
	if (t->coded) {
		t->total = wide_add(t->total, wide_mul(code_size(x), w));
	} else if (w == 1) {
		t->sum += x;
		t->squares.lo += square;
		t->squares.hi += t->squares.lo < square;
	} else {
		t->sum += (i128)x * (i128)w;
		t->squares = wide_add(t->squares, wide_mul(square, w));
	}
	if (!t->full || x < t->below || x > t->above)
		keep_candidate(t, x, w);
}

void
tally_done(struct tally *t)
{
	bool known = t->n < TALLY_RECORDS;
	size_t i, k;
	uint64_t left;

	if (known) {
		compact(t);
		t->ends = (size_t)FIXED_LEAST(t->n, t->c);
	}
	t->low = err_alloc(NULL, t->ends, sizeof(*t->low));
	t->high = err_alloc(NULL, t->ends, sizeof(*t->high));
	for (i = 0, k = 0; k < t->ends; i++)
		for (left = t->w[i]; left > 0 && k < t->ends; left--)
			t->low[k++] = t->x[i];
	for (i = t->used, k = 0; k < t->ends; i--)
		for (left = t->w[i - 1]; left > 0 && k < t->ends; left--)
			t->high[k++] = t->x[i - 1];
}
