/*
 * fixed_words: cells of up to 16 bytes of [+-]digits[.digits], as two words.
 *
 * The cell's last 16 bytes are loaded whatever its length, and what stands
 * before it is cleared, so that there is no branch on the length and next to
 * none on the place of the point.  Anything else goes to fixed_cell.
 */
#include <string.h>

#include "fixed_impl.h"

#define EACH(c) (UINT64_C(0x0101010101010101) * (c))
#define POINT (uint64_t)('.' ^ '0')

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

	if ((*t >> bit & 255) != POINT)
		return -1;
	*t = (*t ^ before ^ POINT << bit) | before << 8;
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
