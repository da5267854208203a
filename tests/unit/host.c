/*
 * host: random bytes from a kernel that is slow, interrupted, or has nothing:
 * lib/tool/host.c once more under other names, with getrandom(2) replaced; and
 * how much memory may be had.
 */
#include <setjmp.h>
#include <sys/random.h>
#include <sys/stat.h>

static ssize_t fake_getrandom(void *, size_t, unsigned);

#define getrandom fake_getrandom
#define err_die host_test_die
#define host_beside host_test_beside
#define host_file host_test_file
#define host_forgets host_test_forgets
#define host_guard host_test_guard
#define host_lock host_test_lock
#define host_lock_file host_test_lock_file
#define host_mounted host_test_mounted
#define host_pipe host_test_pipe
#define host_processors host_test_processors
#define host_random host_test_random
#define host_room host_test_room
#define host_touch host_test_touch
#define host_used host_test_used
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

/* Sanitizers have more room than this from the start, and want more at the end
   of the process: by then the limits are as they were. */
Test(host, room_is_the_least_limit)
{
	struct rlimit space, data, r;
	uint64_t all, less, half;

	cr_assert_eq(getrlimit(RLIMIT_AS, &space), 0);
	cr_assert_eq(getrlimit(RLIMIT_DATA, &data), 0);
	r = (struct rlimit){ 3ull << 40, space.rlim_max };
	cr_assert_eq(setrlimit(RLIMIT_AS, &r), 0);
	all = host_room();
	r = (struct rlimit){ all - 4096, data.rlim_max };
	cr_assert_eq(setrlimit(RLIMIT_DATA, &r), 0);
	less = host_room();
	r = (struct rlimit){ all / 2, space.rlim_max };
	cr_assert_eq(setrlimit(RLIMIT_AS, &r), 0);
	half = host_room();
	cr_assert_eq(setrlimit(RLIMIT_AS, &space), 0);
	cr_assert_eq(setrlimit(RLIMIT_DATA, &data), 0);
	cr_assert(all > 1 << 20 && all < 3ull << 40);
	cr_assert_eq(less, all - 4096);
	cr_assert_eq(half, all / 2);
}

Test(host, room_is_that_of_all_groups)
{
	char folder[] = "/tmp/host.XXXXXX", path[64], group[] = "/a/b";
	static const char *const said[][2] = { { "/a/b/m", "max" },
		{ "/a/m", "700" }, { "/m", "800" } };
	FILE *f;

	cr_assert_neq(mkdtemp(folder), NULL);
	for (int i = 1; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%.*s", folder, 2 * i, group);
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", folder, said[i][0]);
		cr_assert_neq(f = fopen(path, "w"), NULL);
		fprintf(f, "%s\n", said[i][1]);
		fclose(f);
	}
	cr_assert_eq(host_group(folder, group, "m"), 700);
	cr_assert_eq(host_group(folder, (char[]){ "" }, "m"), 800);
	cr_assert_eq(host_group(folder, (char[]){ "" }, "none"), UINT64_MAX);
}

Test(host, used_grows_by_what_is_taken)
{
	char *some;

	begun = host_space();
	some = malloc(64 << 20);
	cr_assert_neq(some, NULL);
#ifndef ERR_WATCHED
	cr_assert(host_used() >= 64 << 20 && host_used() < 80 << 20);
#endif
	free(some);
	begun = UINT64_MAX;		/* the second look says less */
	cr_assert_eq(host_used(), 0);
}
