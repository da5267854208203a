/*
 * fixed_cell: cell text to grid integers; fixed.c says which integers and why.
 *
 * Two readers.  The fast reader takes 16 bytes of [+-]digits[.digits] at once,
 * and up to three bytes before: most cells.  The slow reader takes decimals,
 * however long, with any exponent, and decides every cell that the fast reader
 * leaves.  tests/prop/fixed.c holds the two against one reference.
 *
 * Hazards: every sum and product here is bounded in the comment beside it.
 */
#include "fixed.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif


#define MOST 18	/* digits: 10^18 < 2^60, sums and halves fit 64 bits */

/* Adds the sign to a rounded magnitude, and saturates. */
static inline int64_t
fixed_saturate(bool neg, uint64_t m)
{
	int64_t x = (int64_t)FIXED_LEAST(m, (uint64_t)FIXED_MAX);

	return neg ? -x : x;
}

/* v / 10^k, k >= 1; a division by a constant is a multiplication. */
static inline uint64_t
fixed_shorten(uint64_t v, int k)
{
	switch (k) {
	case 1:
		return v / 10;
	case 2:
		return v / 100;
	case 3:
		return v / 1000;
	case 4:
		return v / 10000;
	default:
		return v / (uint64_t)fixed_tens[k];
	}
}

/*
 * +-m * 10^-frac on the grid, m <= 10^18 or frac = 0.  Where digits go, p =
 * 10^(frac - digits) is even and floor(+-m / p + 1/2) has the magnitude (m +
 * p/2) div p above zero; below, ceil(m/p - 1/2) = (m + p/2 - 1) div p.
 */
static inline int64_t
fixed_to_grid(bool neg, uint64_t m, int frac, int digits)
{
	uint64_t p10;

	if (frac > digits) {
		p10 = (uint64_t)fixed_tens[frac - digits];
		m = fixed_shorten(m + p10 / 2 - neg, frac - digits);
	} else {
		p10 = (uint64_t)fixed_tens[digits - frac];
		if (__builtin_mul_overflow(m, p10, &m))
			m = UINT64_MAX;
	}
	return fixed_saturate(neg, m);
}

/* Next digit of d at *p, 0 after the last one. */
static unsigned
next_digit(const struct decimal *d, const char **p)
{
	if (*p < d->last && **p == '.')
		++*p;
	return *p < d->last ? (unsigned)(*(*p)++ - '0') : 0;
}

/*
 * A scanned number's size in steps, the first n digits of which stand before
 * the point, 0 <= n <= 37: below 10^37 < 2^123.  The digit after the point
 * decides; below zero an exact half goes up, towards zero.
 */
static u128
round_digits(const struct decimal *d, int64_t n)
{
	const char *p = d->first;
	u128 m = 0;
	unsigned c;

	while (n-- > 0)
		m = m * 10 + next_digit(d, &p);
	c = next_digit(d, &p);
	return m + (c > 5 || (c == 5 && (!d->neg || p < d->last)));
}

/*
 * Rounds a scanned number.  In grid steps n = place + digits digits stand
 * before the point.  With n <= 19 the steps stay below 10^19 < 2^64; with more
 * the first digit, not 0, carries the number above FIXED_MAX.
 */
static int64_t
round_decimal(const struct decimal *d, int digits)
{
	int64_t n = d->place + digits;

	if (d->first == d->last || n < 0)
		return 0;
	if (n > 19)
		return fixed_saturate(d->neg, UINT64_MAX);
	return fixed_saturate(d->neg, (uint64_t)round_digits(d, n));
}

static bool
cell_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Is the cell a number, blanks at either end left out? */
static bool
scan(const char *cell, size_t n, struct decimal *d)
{
	const char *p = cell, *end = cell + n;

	while (p < end && cell_blank(*p))
		p++;
	while (p < end && cell_blank(end[-1]))
		end--;
	return decimal_scan(p, end, d) == end;
}

bool
fixed_cell(const char *cell, size_t n, int digits, int64_t *x)
{
	struct decimal d;

	if (!scan(cell, n, &d))
		return false;
	*x = round_decimal(&d, digits);
	return true;
}

bool
fixed_cell_wide(const char *cell, size_t n, int digits, i128 *x)
{
	struct decimal d;
	int64_t before;

	if (!scan(cell, n, &d))
		return false;
	before = d.place + digits;
	*x = 0;
	if (d.first == d.last || before < 0)
		return true;
	*x = fixed_signed(d.neg, before > FIXED_WIDE ?
	    (u128)fixed_wide_most() : round_digits(&d, before));
	return true;
}

/*
 * Whole: the last digit that is not 0 stands before the point.  Up to MOST
 * digits alone, as most weights are, need no scan.
 */
bool
fixed_whole(const char *cell, size_t n, int64_t *x)
{
	struct decimal d;
	int64_t count;
	size_t i = 0;

	for (*x = 0; i < n && i < MOST && cell[i] >= '0' && cell[i] <= '9';)
		*x = *x * 10 + (cell[i++] - '0');
	if (i == n && n > 0)
		return true;
	if (!scan(cell, n, &d))
		return false;
	count = d.last - d.first;
	if (count > 0 && memchr(d.first, '.', (size_t)count) != NULL)
		count--;
	if (count > 0 && count > d.place)
		return false;
	*x = round_decimal(&d, 0);
	return true;
}

/* --- up to 16 bytes of [+-]digits[.digits] at once ----------------------- */

/*
 * With SSE2, as on every x86-64, these bytes are a vector; without SSE2 no cell
 * is read at once.  The last 16 bytes are loaded, however long the cell is, and
 * bytes before the cell are cleared, so that no branch depends on the length
 * and hardly any on the point's place.
 */
#ifdef __SSE2__
#define POINT ('.' ^ '0')

/*
 * Bytes 0, 255 and 0 again: among the 16 bytes from place n on the last n bytes
 * are 255.
 */
static const unsigned char ramp[48] = {
	[16] = 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255,
};

/* 16 bytes from the ramp: the last n, or the first n, are 255. */
static inline __m128i
last_ones(size_t n)
{
	return _mm_loadu_si128((const void *)(ramp + n));
}

static inline __m128i
first_ones(size_t n)
{
	return _mm_loadu_si128((const void *)(ramp + 32 - n));
}

/* The value in 16 digits: by pairs, fours, eights, then 16. */
static inline uint64_t
value(__m128i t)
{
	uint64_t eights;

	t = _mm_add_epi16(_mm_mullo_epi16(_mm_and_si128(t,
	    _mm_set1_epi16(255)), _mm_set1_epi16(10)), _mm_srli_epi16(t, 8));
	t = _mm_madd_epi16(t, _mm_set1_epi32(1 << 16 | 100));
	t = _mm_packs_epi32(t, t);
	t = _mm_madd_epi16(t, _mm_set1_epi32(1 << 16 | 10000));
	eights = (uint64_t)_mm_cvtsi128_si64(t);
	return (eights & UINT32_MAX) * 100000000 + (eights >> 32);
}

/*
 * The n <= 16 bytes before end, [digits][.digits] with n >= 1, or false; 16
 * readable bytes. *m < 10^16.  Digits before the point move up into the point's
 * place.
 */
static inline bool
read_words(const char *end, size_t n, uint64_t *m, int *frac)
{
	__m128i t = _mm_loadu_si128((const void *)(end - 16)), up;
	unsigned other, point;

	t = _mm_and_si128(_mm_xor_si128(t, _mm_set1_epi8('0')), last_ones(n));
	other = 65535 ^ (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(
	    _mm_min_epu8(t, _mm_set1_epi8(9)), t));
	*frac = 0;
	if (other != 0) {
		point = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(t,
		    _mm_set1_epi8(POINT)));
		if (other != point || (other & (other - 1)) != 0 || n == 1)
			return false;
		*frac = 15 - __builtin_ctz(other);
		up = first_ones(16 - (size_t)*frac);
		t = _mm_or_si128(_mm_and_si128(up, _mm_slli_si128(t, 1)),
		    _mm_andnot_si128(up, t));
	}
	*m = value(t);
	return true;
}

#else
static inline bool
read_words(const char *end, size_t n, uint64_t *m, int *frac)
{
	(void)end, (void)n, (void)m, (void)frac;
	return false;
}
#endif

/* The value is not needed, and not computed. */
bool
fixed_is_plain(const char *cell, size_t n, bool whole)
{
	uint64_t m;
	int frac;

	return n - 1 < FIXED_BEFORE && read_words(cell + n, n, &m, &frac) &&
	    (!whole || (frac == 0 && cell[n - 1] != '.'));
}

/*
 * Cells that are not read at once.  They are rare, so this is a function of its
 * own.  In a cell with 17 to MOST + 1 bytes the bytes before the last 16 must
 * be digits or the point, too; m is then below 10^MOST, or below 10^19 without
 * a point.
 */
static __attribute__((noinline)) bool
cell_other(const char *cell, size_t n, int digits, int64_t *x)
{
	bool neg = *cell == '-';
	const char *p = cell + (neg || *cell == '+'), *end = cell + n;
	uint64_t m, high = 0, scale;
	int frac, points;

	if (end - p <= 16 || end - p > MOST + 1 ||
	    !read_words(end, 16, &m, &frac))
		return fixed_cell(cell, n, digits, x);
	points = frac > 0 || end[-1] == '.';
	scale = (uint64_t)fixed_tens[16 - points];
	for (; end - p > 16; p++) {
		if (*p == '.' && points++ == 0)
			frac = (int)(end - p - 1);
		else if (*p >= '0' && *p <= '9')
			high = high * 10 + (uint64_t)(*p - '0');
		else
			return fixed_cell(cell, n, digits, x);
	}
	*x = fixed_to_grid(neg, m + high * scale, frac, digits);
	return true;
}

bool
fixed_cell_behind(const char *cell, size_t n, int digits, int64_t *x)
{
	uint64_t m;
	size_t left;
	bool neg;
	int frac;

	if (n == 0)
		return false;
	neg = *cell == '-';
	left = n - (neg || *cell == '+');
	if (left - 1 >= FIXED_BEFORE || !read_words(cell + n, left, &m, &frac))
		return cell_other(cell, n, digits, x);
	*x = fixed_to_grid(neg, m, frac, digits);
	return true;
}
