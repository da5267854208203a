/*
 * The macros that stand for Criterion must notice each way to fail: what the
 * name of a test says is what its line of the results has to say.
 */
#include <criterion/criterion.h>

Test(ok, assertions)
{
	cr_assert_str_eq("a", "a");
	cr_assert_float_eq(0.5, 0.75, 0.25);
}

Test(ok, status, .exit_code = 3)
{
	exit(3);
}

Test(not_ok, expectation)
{
	cr_expect_eq(1, 2, "%d", 3);
}

Test(not_ok, assertion)
{
	cr_assert(0);
	bare_failures = 0;
}

Test(not_ok, status, .exit_code = 1)
{
	exit(2);
}

Test(not_ok, no_signal, .signal = SIGSEGV)
{
	cr_assert_not(0);
}

Test(not_ok, signal)
{
	abort();
}
