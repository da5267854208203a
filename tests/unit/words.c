/*
 * words, pattern: counts and ranks against brute force: all short texts over a
 * few letters, and the regular expressions of the C library.
 */
#include "laplace/pattern.h"

#include <criterion/criterion.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

/* The next text over letters, in the order of bytes, up to `most` long. */
static bool
next(char *text, const char *letters, size_t most)
{
	size_t n = strlen(text);

	if (n < most) {
		text[n] = letters[0];
		text[n + 1] = '\0';
		return true;
	}
	while (n-- > 0) {
		const char *at = strchr(letters, text[n]) + 1;

		text[n] = '\0';
		if (*at != '\0') {
			text[n] = *at;
			return true;
		}
	}
	return false;
}

/* All texts over letters: ranks are those of what `extended' matches. */
static void
expect(const char *pattern, const char *extended, const char *letters,
    size_t most)
{
	struct pattern p;
	struct pattern_error error;
	char text[16] = "", key[PATTERN_LONG], whole[256];
	uint64_t rank = 0;
	regex_t form;

	snprintf(whole, sizeof(whole), "^(%s)$", extended);
	cr_assert_eq(regcomp(&form, whole, REG_EXTENDED | REG_NOSUB), 0);
	cr_assert(pattern_parse(&p, pattern, &error), "%s: %s", pattern,
	    error.why);
	do {
		size_t n = strlen(text);

		if (regexec(&form, text, 0, NULL, 0) != 0) {
			cr_assert_eq(pattern_rank(&p, text, n), PATTERN_NONE,
			    "%s has '%s'", pattern, text);
			continue;
		}
		cr_assert_eq(pattern_rank(&p, text, n), rank, "%s: '%s'",
		    pattern, text);
		cr_assert_eq(pattern_key(&p, rank, key), n, "%s", pattern);
		cr_assert_eq(memcmp(key, text, n), 0, "%s: rank %llu", pattern,
		    (unsigned long long)rank);
		rank++;
	} while (next(text, letters, most));
	cr_assert_eq(p.keys, rank, "%s has %llu keys, not %llu", pattern,
	    (unsigned long long)p.keys, (unsigned long long)rank);
	free(p.state);
	regfree(&form);
}

Test(words, counts_ranks_and_keys_equal_brute_force)
{
	static const char *const patterns[] = { "a", "abc", "[ab]", "[a-c]{3}",
	    "[ac]{1,2}b{0,2}", "(a|b|ab)c", "(a|b){2}c?", "(ab|b|ca){1,3}",
	    "a{0,4}", "(a)?b(c)?", "(a|b|c|aa)", "(cab|c|caba)b?",
	    "(ac|bc){1,2}", "[a-b]?c?", "(b|a|bb)", "a?c?(ba|bb)?",
	    "(aa|ba|aab)c{0,2}", "(aa|ab)?" };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		expect(patterns[i], patterns[i], "abc", 6);
	expect("[\\d]{1,3}", "[0-9]{1,3}", "0123456789a", 3);
	expect("\\d-[0-1]", "[0-9]-[0-1]", "-0123456789", 3);
	expect("[-a\\\\]{2}\\.?", "[a\\-]{2}[.]?", "-.\\ab", 4);
}

/* What may follow begins with a byte that may also go on. */
Test(words, expressions_that_make_a_word_in_two_ways_are_refused)
{
	static const char *const none[] = { "a?a", "[ab]{1,2}[bc]", "a{0,2}a?",
	    "(a|ab)(c|bc)", "(a|a)", "(a|aa){1,2}", "a?b?a?", "(ab|a)b?",
	    "(a|ba)?b", "[a-c]{2,3}(cab|b)", "a?[a-z]{3}" };
	static const char ways[] = "a word could be made in two ways";
	struct pattern p;
	struct pattern_error error;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		cr_assert_not(pattern_parse(&p, none[i], &error), "%s",
		    none[i]);
		cr_expect_eq(memcmp(error.why, ways, sizeof(ways) - 1), 0,
		    "%s: %s", none[i], error.why);
	}
	cr_assert_not(pattern_parse(&p, "xa?a", &error));
	cr_expect_eq(error.at, 1);
}

Test(words, what_an_expression_does_not_have)
{
	static const char *const none[] = { "a|b", "((a|b)c)", "(a[bc])",
	    "(a{2})", "(a?)", "(a|)", "()", "(|a)", "(a\\d)", "(a", "a)",
	    "(a|b", "", "{2}", "a{0}", "a{2,1}", "a{1,}", "a**", "^a", "a.b" };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct pattern p;
		struct pattern_error error;

		cr_expect_not(pattern_parse(&p, none[i], &error), "%s",
		    none[i]);
		cr_expect_neq(error.why, NULL);
	}
}

static uint64_t
keys(const char *text)
{
	struct pattern p;
	struct pattern_error error;

	if (!pattern_parse(&p, text, &error))
		return 0;
	free(p.state);
	return p.keys;
}

/* A range has two ends, each one character, also behind a backslash. */
Test(words, ranges_have_an_end_and_a_beginning)
{
	static const char *const none[] = { "[\\d-z]", "[a-\\d]", "[\\d-\\d]",
	    "[!-\\d]", "[b-a]", "[\\.-+]", "[a-", "[a-\\", "[\x80]",
	    "[a-\x80]", "[\xff]" };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		cr_expect_eq(keys(none[i]), 0, "%s", none[i]);
	cr_expect_eq(keys("[a-a]"), 1);
	cr_expect_eq(keys("[a-b]"), 2);
	cr_expect_eq(keys("[+-\\.]"), 4);
	cr_expect_eq(keys("[\\+-.]"), 4);
	cr_expect_eq(keys("[\\--\\.]"), 2);
	cr_expect_eq(keys("[\\\\-a]"), 6);
	cr_expect_eq(keys("[\\d-]"), 11);
	cr_expect_eq(keys("[d-\\d]"), 0);
	cr_expect_eq(keys("[!-~]"), 94);
	cr_expect_eq(keys("[\x7f]"), 1);
}

/* Of letters and digits only d has a meaning behind a backslash. */
Test(words, what_follows_a_backslash)
{
	char text[] = "\\x", class[] = "[\\x]";

	for (int c = 1; c < 128; c++) {
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		uint64_t want = c == 'd' ? 10 : !letter && (c < '0' || c >
		    '9');

		text[1] = class[2] = (char)c;
		cr_expect_eq(keys(text), want, "%s", text);
		cr_expect_eq(keys(class), want, "%s", class);
	}
	cr_expect_eq(keys("\\"), 0);
}

/* Words are bytes: those of other alphabets come last, in their order. */
Test(words, bytes_beyond_ascii_are_characters)
{
	struct pattern p;
	struct pattern_error error;

	cr_assert(pattern_parse(&p, "\xc3\xa4?", &error));
	cr_expect_eq(p.keys, 2);
	free(p.state);
	cr_assert(pattern_parse(&p, "(\xc3\xa4|b|\xc3\xbc){1,2}", &error));
	cr_expect_eq(p.keys, 12);
	cr_expect_eq(pattern_rank(&p, "b", 1), 0);
	cr_expect_eq(pattern_rank(&p, "bb", 2), 1);
	cr_expect_eq(pattern_rank(&p, "\xc3\xa4", 2), 4);
	cr_expect_eq(pattern_rank(&p, "\xc3\xbc\xc3\xbc", 4), 11);
	cr_expect_eq(pattern_rank(&p, "\xc3", 1), PATTERN_NONE);
	free(p.state);
}

/* A byte that the expression does not name is in no word, be it a NUL. */
Test(words, other_bytes_are_in_no_word)
{
	struct pattern p;
	struct pattern_error error;
	char text[3];

	cr_assert(pattern_parse(&p, "(a|aa|aaa|ab)?", &error));
	for (int c = 0; c < 256; c++)
		for (size_t n = 0; n < 3; n++) {
			memcpy(text, "aaa", 3);
			text[n] = (char)c;
			if (c != 'a' && (c != 'b' || n != 1))
				cr_expect_eq(pattern_rank(&p, text, n + 1),
				    PATTERN_NONE, "%d at %zu", c, n);
		}
	free(p.state);
}

Test(words, large_counts_are_exact)
{
	cr_assert_eq(keys("[0-9]{15}"), UINT64_C(1000000000000000));
	cr_assert_eq(keys("[a-z]{2,8}"), UINT64_C(217180147132));
	cr_assert_eq(keys("[0-9a-z]{10}"), UINT64_C(3656158440062976));
	cr_assert_eq(keys("[01]{61}"), UINT64_C(1) << 61);
	cr_assert_eq(keys("[01]{62}"), 0);
	cr_assert_eq(keys("[01]{0,61}"), (UINT64_C(1) << 62) - 1);
	cr_assert_eq(keys("x?[01]{0,61}"), 0);
	cr_assert_eq(keys("[0-9]{1000}"), 0);
	cr_assert_eq(keys("x{1000}"), 1);
	cr_assert_eq(keys("x{2000}"), 0);
	cr_assert_eq(keys("[\\]\\[-]"), 3);
}

Test(words, far_ranks_come_back)
{
	static const char *const patterns[] = { "[0-9]{15}", "[a-z]{2,8}",
	    "(ab|ca|b|dd){1,8}", "0..4611686018427387902",
	    "-4611686018427387903..-3", "0001-01-01..9999-12-31" };
	char key[PATTERN_LONG];
	struct pattern_error error;

	for (size_t i = 0; i < 6; i++) {
		struct pattern p;

		cr_assert(pattern_parse(&p, patterns[i], &error), "%s",
		    patterns[i]);
		for (uint64_t k = 0; k < 5000; k++) {
			uint64_t rank = (k * (p.keys / 5000 + 1) + k) % p.keys;
			size_t n = pattern_key(&p, rank, key);

			cr_assert_eq(pattern_rank(&p, key, n), rank);
		}
		cr_assert_eq(pattern_rank(&p, key, pattern_key(&p, p.keys - 1,
		    key)), p.keys - 1);
		free(p.state);
	}
}

Test(pattern, integers_in_any_form)
{
	struct pattern p;
	struct pattern_error error;
	char key[PATTERN_LONG];

	cr_assert(pattern_parse(&p, "-2..11", &error));
	cr_assert_eq(p.keys, 14);
	cr_assert_eq(pattern_rank(&p, "-2", 2), 0);
	cr_assert_eq(pattern_rank(&p, "007", 3), 9);
	cr_assert_eq(pattern_rank(&p, "1.1e1", 5), 13);
	cr_assert_eq(pattern_rank(&p, "12", 2), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "-3", 2), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "1.5", 3), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "", 0), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "9999999999999999999999", 22),
	    PATTERN_NONE);
	cr_assert_eq(pattern_key(&p, 1, key), 2);
	cr_assert_eq(memcmp(key, "-1", 2), 0);
}

/* Day by day through all years, by the rule for leap years. */
Test(pattern, dates_follow_the_calendar)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
	    31 };
	struct pattern p;
	struct pattern_error error;
	char key[PATTERN_LONG], date[32];
	uint64_t rank = 0;

	cr_assert(pattern_parse(&p, "0001-01-01..9999-12-31", &error));
	for (int y = 1; y <= 9999; y++)
		for (int m = 1; m <= 12; m++)
			for (int d = 1; d <= days[m - 1] + (m == 2 && y % 4 ==
			    0 && (y % 100 != 0 || y % 400 == 0)); d++) {
				snprintf(date, sizeof(date), "%04d-%02d-%02d",
				    y, m, d);
				if (pattern_rank(&p, date, 10) != rank ||
				    pattern_key(&p, rank, key) != 10 ||
				    memcmp(key, date, 10) != 0)
					cr_assert(false, "%s", date);
				rank++;
			}
	cr_assert_eq(p.keys, rank);
	cr_assert_eq(pattern_rank(&p, "2023-02-29", 10), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "2023-04-31", 10), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "2023-13-01", 10), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "2023-1-01", 9), PATTERN_NONE);
	cr_assert_eq(pattern_rank(&p, "0000-12-31", 10), PATTERN_NONE);
}
