/* near: the word that was meant. */
#include <criterion/criterion.h>

#include "tool/names.h"

#define WORDS(...) (const char *[]){ __VA_ARGS__ }, \
	sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *)

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
