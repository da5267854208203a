/*
 * Criterion, and when a comparison fails, both of its values: Criterion itself
 * prints their names.
 */
#ifndef SHOWN_H
#define SHOWN_H

/* Comparisons of any two types, and include_next, are nothing to warn of. */
#pragma GCC system_header
#include_next <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One of a few texts, which a later call takes again. */
static inline char *
shown_text(void)
{
	static char text[8][64];
	static unsigned at;

	return text[at++ % 8];
}

static inline const char *
shown_word(unsigned __int128 x)
{
	char *p = shown_text() + 63;

	*p = '\0';
	do
		*--p = (char)('0' + (int)(x % 10));
	while ((x /= 10) > 0);
	return p;
}

static inline const char *
shown_int(__int128 x)
{
	char *p = (char *)shown_word(x < 0 ? -(unsigned __int128)x :
	    (unsigned __int128)x);

	if (x < 0)
		*--p = '-';
	return p;
}

static inline const char *
shown_real(long double x)
{
	char *p = shown_text();

	snprintf(p, 64, "%.17Lg", x);
	return p;
}

static inline const char *
shown_pointer(const volatile void *x)
{
	char *p = shown_text();

	snprintf(p, 64, "%p", (const void *)x);
	return p;
}

#define SHOWN_OF(x) _Generic((x), \
	_Bool: shown_int, char: shown_int, signed char: shown_int, \
	short: shown_int, int: shown_int, long: shown_int, \
	long long: shown_int, __int128: shown_int, \
	unsigned char: shown_word, unsigned short: shown_word, \
	unsigned: shown_word, unsigned long: shown_word, \
	unsigned long long: shown_word, unsigned __int128: shown_word, \
	float: shown_real, double: shown_real, long double: shown_real, \
	default: shown_pointer)(x)

/* What was compared, its values, and what the test has to say. */
static inline const char *
shown_all(const char *what, const char *a, const char *b, const char *format,
    ...)
{
	static char text[4096];
	int n = snprintf(text, 2048, "%s: %s and %s", what, a, b);
	va_list args;

	n = n < 2048 ? n : 2047;
	if (*format != '\0')
		n += snprintf(text + n, 16, "; ");
	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, args);
	va_end(args);
	return text;
}

#define SHOWN(how, op, a, b, ...) do { \
	__auto_type shown_a = (a); \
	__auto_type shown_b = (b); \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wsign-compare\"") \
	int shown_good = shown_a op shown_b; \
	_Pragma("GCC diagnostic pop") \
	if (!shown_good) \
		how(0, "%s", shown_all(#a " " #op " " #b, SHOWN_OF(shown_a), \
		    SHOWN_OF(shown_b), __VA_ARGS__)); \
} while (0)
#define SHOWN_NEAR(how, a, b, d, ...) do { \
	__auto_type shown_a = (a); \
	__auto_type shown_b = (b); \
	__auto_type shown_d = (d); \
	if (!(shown_a - shown_b <= shown_d && shown_b - shown_a <= shown_d)) \
		how(0, "%s", shown_all(#a " is about " #b, \
		    SHOWN_OF(shown_a), SHOWN_OF(shown_b), __VA_ARGS__)); \
} while (0)
#define SHOWN_TEXT(how, a, b, ...) do { \
	const char *shown_a = (a), *shown_b = (b); \
	if (strcmp(shown_a, shown_b) != 0) \
		how(0, "%s", shown_all(#a " is " #b, shown_a, shown_b, \
		    __VA_ARGS__)); \
} while (0)

#undef cr_assert_eq
#undef cr_assert_neq
#undef cr_assert_lt
#undef cr_assert_leq
#undef cr_assert_gt
#undef cr_assert_geq
#undef cr_assert_float_eq
#undef cr_assert_str_eq
#undef cr_expect_eq
#undef cr_expect_neq
#undef cr_expect_lt
#undef cr_expect_leq
#undef cr_expect_gt
#undef cr_expect_geq
#undef cr_expect_float_eq
#undef cr_expect_str_eq
#define cr_assert_eq(...) SHOWN(cr_assert, ==, __VA_ARGS__, "")
#define cr_assert_neq(...) SHOWN(cr_assert, !=, __VA_ARGS__, "")
#define cr_assert_lt(...) SHOWN(cr_assert, <, __VA_ARGS__, "")
#define cr_assert_leq(...) SHOWN(cr_assert, <=, __VA_ARGS__, "")
#define cr_assert_gt(...) SHOWN(cr_assert, >, __VA_ARGS__, "")
#define cr_assert_geq(...) SHOWN(cr_assert, >=, __VA_ARGS__, "")
#define cr_assert_float_eq(...) SHOWN_NEAR(cr_assert, __VA_ARGS__, "")
#define cr_assert_str_eq(...) SHOWN_TEXT(cr_assert, __VA_ARGS__, "")
#define cr_expect_eq(...) SHOWN(cr_expect, ==, __VA_ARGS__, "")
#define cr_expect_neq(...) SHOWN(cr_expect, !=, __VA_ARGS__, "")
#define cr_expect_lt(...) SHOWN(cr_expect, <, __VA_ARGS__, "")
#define cr_expect_leq(...) SHOWN(cr_expect, <=, __VA_ARGS__, "")
#define cr_expect_gt(...) SHOWN(cr_expect, >, __VA_ARGS__, "")
#define cr_expect_geq(...) SHOWN(cr_expect, >=, __VA_ARGS__, "")
#define cr_expect_float_eq(...) SHOWN_NEAR(cr_expect, __VA_ARGS__, "")
#define cr_expect_str_eq(...) SHOWN_TEXT(cr_expect, __VA_ARGS__, "")

#endif
