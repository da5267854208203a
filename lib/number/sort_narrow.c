/*
 * sort_narrow: radix sort where the values have less than 2^32 possible
 * distances from the smallest.
 *
 * The distances go to scratch as 32-bit keys, two copies of which take the
 * room of the values; they are moved between the two halves, and the last
 * move writes values again.  Digits have up to WIDTH bits, so that 10^7
 * incomes in cents take three moves.
 *
 * On a grid finer than the data all distances are multiples of a power of
 * ten 10^k, and the keys are the quotients.  Let v be the inverse of 5^k mod
 * 2^64.  For distances d = 10^k q, d v = 2^k q, so turning d v right by k bits
 * gives q; as the map is one to one, exactly the multiples of 10^k come out
 * at or below the largest q, (2^64 - 1) / 10^k.
 */
#include "sort_impl.h"

#include <string.h>

#define INVERSE_5 UINT64_C(0xcccccccccccccccd)
#define MOST_ZEROS 12	/* looked for at the end of distances */

#define WIDTH 11
#define MOVES 3
#define MASK(width) (((uint32_t)1 << (width)) - 1)

struct narrow {
	size_t n;
	int64_t min;
	struct tens tens;
	int moves;
	int width;		/* bits of each digit */
	uint32_t *a, *b;	/* n keys each */
	size_t (*place)[1 << WIDTH];	/* of each digit's next value */
};

static uint64_t
quotient(uint64_t d, struct tens t)
{
	d *= t.inverse;
	return t.zeros == 0 ? d : d >> t.zeros | d << (64 - t.zeros);
}

static struct tens
tens(int zeros)
{
	struct tens t = { 0, 1, 1 };

	for (; t.zeros < zeros; t.zeros++) {
		t.power *= 10;
		t.inverse *= INVERSE_5;
	}
	return t;
}

/* The largest power of ten that all distances from min are multiples of. */
static struct tens
common(const int64_t *x, size_t n, int64_t min)
{
	struct tens t = tens(MOST_ZEROS);
	uint64_t d;
	size_t i;

	for (i = 0; i < n && t.zeros > 0; i++) {
		d = (uint64_t)x[i] - (uint64_t)min;
		while (quotient(d, t) > UINT64_MAX / t.power)
			t = tens(t.zeros - 1);
	}
	return t;
}

bool
sort_is_narrow(const int64_t *x, size_t n, struct span *span)
{
	span->tens = tens(0);
	if (span->size <= UINT32_MAX)
		return true;
	if (span->size >> 32 >= tens(MOST_ZEROS).power)
		return false;
	span->tens = common(x, n, span->min);
	return span->size / span->tens.power <= UINT32_MAX;
}

static void
keys(struct narrow *s, const int64_t *x)
{
	uint32_t key, mask = MASK(s->width);
	size_t i;
	int d;

	for (i = 0; i < s->n; i++) {
		key = (uint32_t)quotient((uint64_t)x[i] - (uint64_t)s->min,
		    s->tens);
		s->a[i] = key;
		for (d = 0; d < s->moves; d++, key >>= s->width)
			s->place[d][key & mask]++;
	}
}

static void
move(const struct narrow *s, uint32_t *to, const uint32_t *from, int d)
{
	uint32_t mask = MASK(s->width);
	size_t *place = s->place[d], i;
	int shift = d * s->width;

	for (i = 0; i < s->n; i++)
		to[place[from[i] >> shift & mask]++] = from[i];
}

static void
move_out(const struct narrow *s, int64_t *to, const uint32_t *from, int d)
{
	uint32_t mask = MASK(s->width);
	size_t *place = s->place[d], i;
	int shift = d * s->width;

	for (i = 0; i < s->n; i++)
		to[place[from[i] >> shift & mask]++] = (int64_t)(
		    (uint64_t)s->min + from[i] * s->tens.power);
}

void
sort_narrow(int64_t *x, size_t n, struct span span, void *scratch)
{
	size_t place[MOVES][1 << WIDTH];
	struct narrow s = { .n = n, .min = span.min, .tens = span.tens,
	    .a = scratch, .place = place };
	uint64_t most = span.size / span.tens.power;
	uint32_t *swap;
	int bits, d;

	for (bits = 1; most >> bits > 0; bits++)
		;
	s.moves = (bits + WIDTH - 1) / WIDTH;
	s.width = (bits + s.moves - 1) / s.moves;
	s.b = s.a + n;
	memset(place, 0, (size_t)s.moves * sizeof(place[0]));
	keys(&s, x);
	for (d = 0; d < s.moves; d++) {
		sort_places(place[d], (size_t)1 << s.width);
		if (d == s.moves - 1) {
			move_out(&s, x, s.a, d);
			break;
		}
		move(&s, s.b, s.a, d);
		swap = s.a, s.a = s.b, s.b = swap;
	}
}
