/* near: the word that was meant. */
#include <criterion/criterion.h>

#include "tool/near.h"

#define WORDS(...) (const char *[]){ __VA_ARGS__ }, \
	sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *)

Test(near, counts_changes_of_letters)
{
	cr_expect_eq(near_distance("", ""), 0);
	cr_expect_eq(near_distance("age", "Age"), 0);
	cr_expect_eq(near_distance("rnage", "range"), 1);
	cr_expect_eq(near_distance("kitten", "sitting"), 3);
	cr_expect_eq(near_distance("", "abc"), 3);
	cr_expect_eq(near_distance("abcd", ""), 4);
}

Test(near, the_nearest_word_or_none)
{
	cr_expect_str_eq(near_word("incom", WORDS("id", "age", "income")),
	    "income");
	cr_expect_str_eq(near_word("Age", WORDS("age", "wage")), "age");
	cr_expect_str_eq(near_word("wge", WORDS("age", "wage")), "age");
	cr_expect_null(near_word("salary", WORDS("id", "age", "income")));
	cr_expect_null(near_word("x", WORDS("y", "z")));
	cr_expect_null(near_word("x", NULL, 0));
}
