/*
 * fixed_words: cells of up to 16 bytes of [+-]digits[.digits], at once.
 *
 * Where there is SSE2, which every x86-64 has, they are one vector, else two
 * words; both read the same.
 * The cell's last 16 bytes are loaded whatever its length, and what stands
 * before it is cleared, so that there is no branch on the length and next to
 * none on the place of the point.  Anything else goes to fixed_cell.
 */
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "fixed_impl.h"

#define EACH(c) (UINT64_C(0x0101010101010101) * (c))
#define POINT ('.' ^ '0')

#ifdef __SSE2__
/* Bytes that are 0, then bytes of ones, then bytes that are 0. */
static const unsigned char ramp[48] = {
	[16] = 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255,
};

/* 16 bytes of the ramp: the last n, or the first n, are ones. */
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

/* Value of 16 digits: pairs, fours and eights of them, then all. */
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
 * bytes there are readable.  *m < 10^16.  Digits before the point move up
 * into its place.
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
/* Eight bytes, the first lowest. */
static inline uint64_t
eight(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

/*
 * Marks bytes above 9 in bits 4 to 7.  A byte of 0xfa or more may carry into
 * the next and mark that one wrongly, so only the lowest mark is certain.
 */
static inline uint64_t
above_nine(uint64_t t)
{
	return ((t + EACH(6)) | t) & EACH(0xf0);
}

/* Value of eight digits: pairs, then fours, then all.  Below 10^8. */
static inline uint64_t
value(uint64_t t)
{
	const uint64_t mask = UINT64_C(0x000000ff000000ff);

	t = t * 10 + (t >> 8);
	return (((t & mask) * UINT64_C(0x000f424000000064)) +
	    ((t >> 16 & mask) * UINT64_C(0x0000271000000001))) >> 32;
}

/*
 * Takes the point, which is the lowest mark, out of t; the digits before it
 * move up.  Returns the number of bytes behind it, or -1 if it is no point.
 */
static inline int
close_up(uint64_t *t, uint64_t mark)
{
	int bit = __builtin_ctzll(mark) & ~7;
	uint64_t before = *t & ((UINT64_C(1) << bit) - 1);

	if ((*t >> bit & 255) != (uint64_t)POINT)
		return -1;
	*t = (*t ^ before ^ (uint64_t)POINT << bit) | before << 8;
	return 7 - bit / 8;
}

/*
 * The n <= 16 bytes before end, [digits][.digits] with n >= 1, or false; 16
 * bytes there are readable.  *m < 10^16.
 */
static inline bool
read_words(const char *end, size_t n, uint64_t *m, int *frac)
{
	static const char keep[] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	    "\377\377\377\377\377\377\377\377"
	    "\377\377\377\377\377\377\377\377";
	uint64_t high = (eight(end - 16) ^ EACH('0')) & eight(keep + n);
	uint64_t low = (eight(end - 8) ^ EACH('0')) & eight(keep + n + 8);
	uint64_t scale = 100000000, mark;

	*frac = 0;
	if ((mark = above_nine(high)) != 0) {
		*frac = close_up(&high, mark) + 8;
		if (*frac < 8 || above_nine(high) != 0 || above_nine(low) != 0)
			return false;
	} else if ((mark = above_nine(low)) != 0) {
		*frac = close_up(&low, mark);
		if (*frac < 0 || above_nine(low) != 0 || n == 1)
			return false;
		scale = 10000000;
	}
	*m = value(high) * scale + value(low);
	return true;
}
#endif

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
	if (left - 1 >= FIXED_BEFORE ||
	    !read_words(cell + n, left, &m, &frac))
		return fixed_cell(cell, n, digits, x);
	*x = fixed_to_grid(neg, m, frac, digits);
	return true;
}
