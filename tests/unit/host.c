/*
 * host: random bytes from a kernel that is slow, interrupted, or has nothing:
 * lib/tool/host.c once more under other names, with getrandom(2) replaced.
 */
#include <setjmp.h>
#include <sys/random.h>

static ssize_t fake_getrandom(void *, size_t, unsigned);

#define getrandom fake_getrandom
#define err_die host_test_die
#define host_file host_test_file
#define host_forgets host_test_forgets
#define host_guard host_test_guard
#define host_lock host_test_lock
#define host_lock_file host_test_lock_file
#define host_mounted host_test_mounted
#define host_pipe host_test_pipe
#define host_processors host_test_processors
#define host_random host_test_random
#include "../../lib/tool/host.c"

#include <criterion/criterion.h>

#define SIZE 1024
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
	cr_assert(n > 0 && n <= SIZE);
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

void
err_die(int status, const char *format, ...)
{
	(void)format;
	cr_assert_eq(status, STATUS_ENTROPY);
	longjmp(failed, 1);
}

/* Do the bytes come in order and whole?  Else the program has ended. */
static bool
bytes_come(const int *todo)
{
	unsigned char got[3 * SIZE];

	plan = todo;
	call = 0;
	next_byte = 0;
	if (setjmp(failed) != 0)
		return false;
	for (int i = 0; i < 3; i++)
		host_random(got + i * SIZE, SIZE);
	for (int i = 0; i < 3 * SIZE; i++)
		cr_assert_eq(got[i], (unsigned char)i);
	return true;
}

Test(host, short_and_interrupted_reads_are_continued)
{
	static const int whole[] = { SIZE, 0 };
	static const int single[] = { 1, 0 };
	static const int mixed[] = { -EINTR, 256, -EINTR, -EINTR, 1, 700,
		-EINTR, 66, 1, 2, 3, 500, 0 };

	cr_assert(bytes_come(whole));
	cr_assert(bytes_come(single));
	cr_assert(bytes_come(mixed));
}

Test(host, any_other_error_ends_the_program_with_status_4)
{
	static const int none[] = { -ENOSYS, 0 };
	static const int late[] = { 300, -EINTR, -EIO, 0 };
	static const int again[] = { -EAGAIN, 0 };
	static const int empty[] = { 10, NOTHING, 0 };
	static const int second[] = { SIZE, -EPERM, 0 };

	cr_assert_not(bytes_come(none));
	cr_assert_not(bytes_come(late));
	cr_assert_not(bytes_come(again));
	cr_assert_not(bytes_come(empty));
	cr_assert_not(bytes_come(second));
}
