/*
 * rng_kernel against a kernel that is slow, interrupted, or has nothing:
 * lib/random/rng.c once more under other names, with getrandom(2) replaced.
 */
#include "trap.h"

#include <sys/random.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <setjmp.h>
#include <string.h>

static ssize_t fake_getrandom(void *, size_t, unsigned);

#define getrandom fake_getrandom
#define rng_kernel rng_test_kernel
#define rng_seeded rng_test_seeded
#define rng_wipe rng_test_wipe
#define rng_below rng_test_below
#define rng_bernoulli rng_test_bernoulli
#include "../../lib/random/rng.c"

#define NOTHING (-100000)	/* a call that returns 0 */

/* What the calls return: a count, or minus an errno; the last one repeats. */
static const int *plan;
static int call;
static unsigned char next_byte;
static jmp_buf failed;

static ssize_t
fake_getrandom(void *buf, size_t n, unsigned flags)
{
	int todo = plan[call];
	unsigned char *p = buf;
	ssize_t i;

	cr_assert_eq(flags, 0);
	cr_assert(n > 0 && n <= RNG_BUFFER);
	if (plan[call + 1] != 0)
		call++;
	if (todo == NOTHING) {
		errno = EINTR;		/* left over: no reason to go on */
		return 0;
	}
	if (todo < 0) {
		errno = -todo;
		return -1;
	}
	if ((size_t)todo > n)
		todo = (int)n;
	for (i = 0; i < todo; i++)
		p[i] = next_byte++;
	return todo;
}

static void
on_fail(void)
{
	longjmp(failed, 1);
}

static void
fail_returns(void)
{
}

/* True when the bytes come out in order and whole, false on failure. */
static bool
bytes_come(const int *todo)
{
	static struct rng r;
	int i;

	plan = todo;
	call = 0;
	next_byte = 0;
	rng_kernel(&r, on_fail);
	if (setjmp(failed) != 0)
		return false;
	for (i = 0; i < 3 * RNG_BUFFER; i++)
		cr_assert_eq(rng_byte(&r), (unsigned char)i);
	return true;
}

Test(rng_kernel, short_and_interrupted_reads_are_continued)
{
	static const int whole[] = { RNG_BUFFER, 0 };
	static const int single[] = { 1, 0 };
	static const int mixed[] = { -EINTR, 256, -EINTR, -EINTR, 1, 700,
		-EINTR, 66, 1, 2, 3, 500, 0 };

	cr_assert(bytes_come(whole));
	cr_assert(bytes_come(single));
	cr_assert(bytes_come(mixed));
}

Test(rng_kernel, any_other_error_fails_without_a_single_byte)
{
	static const int none[] = { -ENOSYS, 0 };
	static const int late[] = { 300, -EINTR, -EIO, 0 };
	static const int again[] = { -EAGAIN, 0 };
	static const int empty[] = { 10, NOTHING, 0 };
	static const int second[] = { RNG_BUFFER, -EPERM, 0 };

	cr_assert_not(bytes_come(none));
	cr_assert_not(bytes_come(late));
	cr_assert_not(bytes_come(again));
	cr_assert_not(bytes_come(empty));
	cr_assert_not(bytes_come(second));
}

Test(rng_kernel, a_fail_that_returns_ends_the_process, .signal = TRAP_SIGNAL)
{
	static const int none[] = { -ENOSYS, 0 };
	static struct rng r;

	plan = none;
	call = 0;
	rng_kernel(&r, fail_returns);
	rng_byte(&r);
}
