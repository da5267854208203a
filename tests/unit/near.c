/* near: the word that was meant. */
#include <criterion/criterion.h>

#include "../../lib/tool/names.c"

#define WORDS(...) (const char *[]){ __VA_ARGS__ }, \
	sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *)

Test(near, counts_changes_of_letters)
{
	cr_expect_eq(distance("", ""), 0);
	cr_expect_eq(distance("age", "Age"), 0);
	cr_expect_eq(distance("rnage", "range"), 1);
	cr_expect_eq(distance("kitten", "sitting"), 3);
	cr_expect_eq(distance("", "abc"), 3);
	cr_expect_eq(distance("abcd", ""), 4);
}

Test(near, the_nearest_word_or_none)
{
	cr_expect_str_eq(names_near("incom", WORDS("id", "age", "income")),
	    "income");
	cr_expect_str_eq(names_near("Age", WORDS("age", "wage")), "age");
	cr_expect_str_eq(names_near("wge", WORDS("age", "wage")), "age");
	cr_expect_null(names_near("salary", WORDS("id", "age", "income")));
	cr_expect_null(names_near("x", WORDS("y", "z")));
	cr_expect_null(names_near("x", NULL, 0));
}
