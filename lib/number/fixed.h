/*
 * fixed: decimal text <-> exact rationals and 64-bit grid integers.
 *
 * A grid is named by a number k of decimals, 0 to FIXED_DIGITS: the step is
 * 10^-k, and a value x on the grid is the integer x * 10^k.  Public parameters
 * are exact rationals.  Nothing here uses floating point or the locale.
 *
 * The header brings the types for counts and sizes: bool, size_t, int64_t.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef __SIZEOF_INT128__
#error dputils computes with 128-bit integers: use a compiler for 64 bits
#endif
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

#define FIXED_DIGITS 18			/* finest grid: 10^-18 */
#define FIXED_MAX ((int64_t)1 << 62)	/* grid integers saturate at
					   +-FIXED_MAX */
#define FIXED_TEXT 64			/* room for any formatted number */
#define RATIONAL_TEXT 96	/* the same for p/q */
#define FIXED_LONG 21		/* most digits that print a rational */

/* num/den in lowest terms, den > 0, both below 2^126 in magnitude. */
struct rational {
	i128 num;
	i128 den;
};

enum fixed_mode { FIXED_FLOOR, FIXED_NEAREST, FIXED_CEIL };

/* 256-bit unsigned number, for products of two 128-bit numbers. */
struct wide {
	u128 hi;
	u128 lo;
};

/*
 * Parses a parameter: a decimal with at most 18 significant digits and an
 * optional exponent (first place up to 10^36, last from 10^-18), or a fraction
 * p/q, q > 0, where p and q have at most 18 digits.  A sign is allowed.  The
 * whole string must match; nan, inf, hex, blanks and empty text do not.  On
 * failure returns false and leaves *r alone.
 */
bool rational_parse(const char *text, struct rational *r);

/* A word's bytes in memory, the lowest first, from the word, and back. */
static inline uint64_t
fixed_low_first(uint64_t word)
{
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		return __builtin_bswap64(word);
	return word;
}

/* Reduces num/den; false when den is 0 or a part leaves 126 bits. */
bool rational_make(struct rational *r, i128 num, i128 den);

/* Exact results, or false (and *r untouched) when they leave 126 bits. */
bool rational_add(struct rational *r, struct rational a, struct rational b);
bool rational_sub(struct rational *r, struct rational a, struct rational b);
bool rational_mul(struct rational *r, struct rational a, struct rational b);
bool rational_div(struct rational *r, struct rational a, struct rational b);

/* -1, 0, 1 as a < b, a = b, a > b; exact for every pair. */
int rational_cmp(struct rational a, struct rational b);
int rational_sign(struct rational a);

/* A close number, for reports and for bounds that exact numbers confirm. */
static inline double
rational_real(struct rational a)
{
	return (double)a.num / (double)a.den;
}

/* Smallest k in 0..18 with a a multiple of 10^-k, else -1. */
int rational_digits(struct rational a);

/*
 * a on the grid of k decimals, rounded down, to the nearest (halves up:
 * floor(x + 1/2)) or up.  False when the result exceeds FIXED_MAX in size.
 */
bool rational_grid(struct rational a, int digits, enum fixed_mode mode,
    int64_t *x);

/*
 * Writes a: exactly if a is a decimal with at most FIXED_LONG digits, else
 * rounded up to 17 significant digits.  buf holds FIXED_TEXT.
 */
char *rational_text(char *buf, struct rational a);

/*
 * Writes a as p/q, or as a decimal where exact: nothing is rounded.  buf holds
 * RATIONAL_TEXT.
 */
char *rational_fraction(char *buf, struct rational a);
char *rational_exact(char *buf, struct rational a);

/* Reads a text by rational_fraction; false for any text by another writer. */
bool rational_read(const char *text, struct rational *r);

/*
 * Reads a cell with n bytes (not terminated; NULs allowed): blanks around a
 * C-locale decimal with optional sign, point and exponent.  The value is
 * rounded to the grid by floor(x / step + 1/2), exactly, digit by digit, and
 * saturates at +-FIXED_MAX.  False (and *x untouched) if the cell is no number.
 */
bool fixed_cell(const char *cell, size_t n, int digits, int64_t *x);

/*
 * fixed_cell with room for 10^18 and 10^-18 at once: saturates at 10^FIXED_WIDE
 * steps, fixed_wide_most.
 */
#define FIXED_WIDE 37
bool fixed_cell_wide(const char *cell, size_t n, int digits, i128 *x);

static inline i128
fixed_wide_most(void)
{
	return (i128)1000000000000000000 * 1000000000000000000 * 10;
}

/* fixed_cell, faster, where FIXED_BEFORE bytes before the cell are readable. */
#define FIXED_BEFORE 16
bool fixed_cell_behind(const char *cell, size_t n, int digits, int64_t *x);

/*
 * With the same bytes readable: is the cell at most 16 digits, or, if not
 * whole, a point and digits?  Other cells may be numbers, too.
 */
bool fixed_is_plain(const char *cell, size_t n, bool whole);

/*
 * fixed_cell for whole numbers ("12", "12.0", "1.2e1"); false for others, too.
 */
bool fixed_whole(const char *cell, size_t n, int64_t *x);

/* The lesser and the greater of two numbers without side effects. */
#define FIXED_LEAST(a, b) ((a) < (b) ? (a) : (b))
#define FIXED_MOST(a, b) ((a) > (b) ? (a) : (b))

/* |a|, and the number of a sign and a size. */
static inline u128
fixed_size(i128 a)
{
	return a < 0 ? -(u128)a : (u128)a;
}

static inline i128
fixed_signed(bool neg, u128 size)
{
	return neg ? -(i128)size : (i128)size;
}

/* Clamps x to [lo, hi]; for cells, and for longer numbers. */
static inline int64_t
fixed_clamp(int64_t x, int64_t lo, int64_t hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

static inline int64_t
fixed_clamp_wide(i128 x, int64_t lo, int64_t hi)
{
	return (int64_t)FIXED_MOST(lo, FIXED_LEAST(x, hi));
}

/* 10^k for k in 0..18. */
extern const int64_t fixed_tens[FIXED_DIGITS + 1];

static inline int64_t
fixed_pow10(int k)
{
	return fixed_tens[k];
}

/*
 * a / b, b > 0, to a whole number: down; up; as mode says, halves up.  C's
 * division truncates towards zero.
 */
static inline i128
fixed_floor_div(i128 a, i128 b)
{
	return a / b - (a % b < 0);
}

static inline i128
fixed_ceil_div(i128 a, i128 b)
{
	return a / b + (a % b > 0);
}

i128 fixed_div(i128 a, i128 b, enum fixed_mode mode);

/* a + b saturated to +-2^126. */
i128 fixed_add_sat(i128 a, i128 b);

/*
 * x on a grid of `from` decimals, on one of `to`: down, to the nearest (halves
 * up: floor(x + 1/2)) or up; saturates at +-2^126.
 */
i128 fixed_round(i128 x, int from, int to, enum fixed_mode mode);

/* The square root, rounded down. */
u128 fixed_root(u128 x);

/*
 * Writes x * 10^-digits with exactly `digits' decimals, no exponent and no
 * "-0"; buf holds FIXED_TEXT bytes; returns buf.
 */
char *fixed_text(char *buf, i128 x, int digits);

/*
 * a * b in full, the order (-1, 0, 1), sums mod 2^256, and the quotient by 0 <
 * d < 2^127, with the remainder.
 */
struct wide wide_mul(u128 a, u128 b);
struct wide wide_add(struct wide a, struct wide b);
struct wide wide_sub(struct wide a, struct wide b);
struct wide wide_div(struct wide a, u128 d, u128 *rem);

static inline int
wide_cmp(struct wide a, struct wide b)
{
	if (a.hi != b.hi)
		return (a.hi > b.hi) - (a.hi < b.hi);
	return (a.lo > b.lo) - (a.lo < b.lo);
}

/* The greatest common divisor; b for 0 and b. */
u128 wide_gcd(u128 a, u128 b);

/*
 * A scanned number: +-0.d1d2d3... * 10^place, where d1 is the digit at first
 * and the last digit that is not zero stands just before last.  A '.' may lie
 * between them.  first == last means zero.
 */
struct decimal {
	const char *first;
	const char *last;
	int64_t place;
	bool neg;
};

static inline bool
decimal_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Scans [+-]digits[.digits][e[+-]digits] at p, with a digit before or after
 * the point.  Returns the number's end, at `end' or before, or NULL where no
 * number is.
 */
const char *decimal_scan(const char *p, const char *end, struct decimal *d);

/*
 * The decimals of a grid being chosen, 0 at first: the coarsest that is fine
 * enough for every limit and holds every parameter given.  -1 once 18 decimals
 * are too few.
 */

/* Asks for 10^-digits <= limit / parts, limit > 0. */
void grid_limit(int *digits, struct rational limit, uint64_t parts);

/*
 * Asks for a decimal x to lie on the grid; a fraction like 1/3 lies on no grid,
 * and the user rounds.
 */
void grid_hold(int *digits, struct rational x);
