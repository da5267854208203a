/*
 * fixed: decimal text <-> exact rationals and 64-bit grid integers.
 *
 * A grid is named by its number of decimals k, 0 to FIXED_DIGITS: its step is
 * 10^-k and a value x on it is the integer x * 10^k.  Public parameters are
 * exact rationals.  Nothing here uses floating point or the locale.
 *
 * It brings what every count and size is made of: bool, size_t, int64_t.
 */
#ifndef FIXED_H
#define FIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef __SIZEOF_INT128__
#error dputils computes with 128-bit integers: use a compiler for 64 bits
#endif
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

#define FIXED_DIGITS 18			/* finest grid: 10^-18 */
#define FIXED_MAX ((int64_t)1 << 62)	/* grid integers saturate at +-this */
#define FIXED_TEXT 64			/* room for any formatted number */
#define RATIONAL_TEXT 96	/* the same for p/q */
#define FIXED_LONG 21		/* digits of a rational printed at most */

/* num/den in lowest terms, den > 0, both below 2^126 in magnitude. */
struct rational {
	i128 num;
	i128 den;
};

enum fixed_mode { FIXED_FLOOR, FIXED_NEAREST, FIXED_CEIL };

/* 256-bit unsigned number, for products of two 128-bit ones. */
struct wide {
	u128 hi;
	u128 lo;
};

/*
 * Parses a parameter: a decimal of at most 18 significant digits with an
 * optional exponent (value between 10^-18 and 10^36 in its last and first
 * place), or a fraction p/q of integers of at most 18 digits, q > 0.  A sign
 * is allowed.  The whole string must match; nan, inf, hex, blanks and empty
 * text do not.  On failure returns false and leaves *r alone.
 */
bool rational_parse(const char *text, struct rational *r);

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

/* Close to it, for reports and for bounds that exact numbers confirm. */
static inline double
rational_real(struct rational a)
{
	return (double)a.num / (double)a.den;
}

/* Smallest k in 0..18 such that a is a multiple of 10^-k, or -1 if none is. */
int rational_digits(struct rational a);

/*
 * a on the grid of k decimals, rounded down, to the nearest (halves up:
 * floor(x + 1/2)) or up.  False when the result exceeds FIXED_MAX in size.
 */
bool rational_grid(struct rational a, int digits, enum fixed_mode mode,
    int64_t *x);

/*
 * Writes a: exactly as a decimal where it is one of at most FIXED_LONG
 * digits, else rounded up to 17 significant digits.  buf holds FIXED_TEXT.
 */
char *rational_text(char *buf, struct rational a);

/*
 * Writes a as p/q, or so only where it is no decimal: nothing is rounded.  buf
 * holds RATIONAL_TEXT.
 */
char *rational_fraction(char *buf, struct rational a);
char *rational_exact(char *buf, struct rational a);

/* Reads what rational_fraction wrote; false for what it never writes. */
bool rational_read(const char *text, struct rational *r);

/*
 * Reads a cell of n bytes (not terminated; NULs allowed): blanks around a
 * C-locale decimal with optional sign, point and exponent.  The value is
 * rounded to the grid by floor(x / step + 1/2), exactly, digit by digit, and
 * saturates at +-FIXED_MAX.  False (and *x untouched) when it is no number.
 */
bool fixed_cell(const char *cell, size_t n, int digits, int64_t *x);

/* The same, faster, where FIXED_BEFORE bytes before the cell are readable. */
#define FIXED_BEFORE 16
bool fixed_cell_behind(const char *cell, size_t n, int digits, int64_t *x);

/*
 * The same for a cell that must be a whole number ("12", "12.0", "1.2e1");
 * false, too, for any other.
 */
bool fixed_whole(const char *cell, size_t n, int64_t *x);

/* Clamps x to [lo, hi]. */
static inline int64_t
fixed_clamp(int64_t x, int64_t lo, int64_t hi)
{
	return x < lo ? lo : x > hi ? hi : x;
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

/*
 * Writes x * 10^-digits with exactly that many decimals, no exponent and no
 * "-0"; buf holds FIXED_TEXT bytes; returns buf.
 */
char *fixed_text(char *buf, i128 x, int digits);

/*
 * a * b in full, the order of two such numbers (-1, 0, 1), sums mod 2^256, and
 * the quotient by 0 < d < 2^127, with the remainder.
 */
struct wide wide_mul(u128 a, u128 b);
struct wide wide_add(struct wide a, struct wide b);
struct wide wide_sub(struct wide a, struct wide b);
struct wide wide_div(struct wide a, u128 d, u128 *rem);

static inline int
wide_cmp(struct wide a, struct wide b)
{
	if (a.hi != b.hi)
		return a.hi < b.hi ? -1 : 1;
	return (a.lo > b.lo) - (a.lo < b.lo);
}

/* The greatest common divisor; that of 0 and b is b. */
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

/*
 * Scans [+-]digits[.digits][e[+-]digits] at p, with a digit on at least one
 * side of the point.  Returns the end of the number, which may come before
 * end, or NULL when there is none.
 */
const char *decimal_scan(const char *p, const char *end, struct decimal *d);

/*
 * A grid being chosen: the coarsest one that is fine enough for every limit
 * and holds every parameter given to it.  -1 once no grid of 18 decimals
 * will do.
 */
struct grid {
	int digits;
};

#define GRID_INIT { 0 }

/* Asks for 10^-digits <= limit / parts, limit > 0. */
void grid_limit(struct grid *g, struct rational limit, uint64_t parts);

/* Asks for x to lie on the grid where it is a decimal; a fraction such as
   1/3 lies on none and is rounded by its user. */
void grid_hold(struct grid *g, struct rational x);

#endif
