/*
 * text: output where the kernel takes a byte at a time, is interrupted, or says
 * at the end that nothing was kept: lib/tool/text.c once more under other
 * names, with write(2) and close(2) replaced.
 */
#include <unistd.h>

static ssize_t fake_write(int, const void *, size_t);
static int fake_close(int);

#define write fake_write
#define close fake_close
#define text_add text_test_add
#define text_bytes text_test_bytes
#define text_cell text_test_cell
#define text_exact text_test_exact
#define text_field text_test_field
#define text_file text_test_file
#define text_free text_test_free
#define text_json text_test_json
#define text_output text_test_output
#define text_printf text_test_printf
#define text_quoted text_test_quoted
#define text_read text_test_read
#define text_room text_test_room
#define text_some text_test_some
#define text_string text_test_string
#define text_trim text_test_trim
#define text_write text_test_write
#include "../../lib/tool/text.c"

#include <criterion/criterion.h>

static char got[100];
static size_t len, most, calls;
static int last;		/* what close says */
static bool file;		/* to a file in memory */

static ssize_t
fake_write(int fd, const void *p, size_t n)
{
	cr_assert(file ? fd > STDERR_FILENO : fd == STDOUT_FILENO);
	if (calls++ % 3 == 1) {
		errno = EINTR;
		return -1;
	}
	n = n < most ? n : most;
	memcpy(got + len, p, n);
	len += n;
	return (ssize_t)n;
}

static int
fake_close(int fd)
{
	cr_assert_eq(fd, STDOUT_FILENO);
	errno = EIO;
	return last;
}

Test(text, all_bytes_are_written_once_however_many_at_a_time)
{
	static const char text[] = "count,x_mean\n12,3.50\n";

	for (most = 1; most <= sizeof(text); most++) {
		len = 0;
		text_output(text, sizeof(text) - 1);
		cr_assert_eq(len, sizeof(text) - 1);
		cr_assert_arr_eq(got, text, len);
	}
}

Test(text, a_file_in_memory_gets_all_bytes)
{
	file = true;
	for (most = 1; most <= 6; most++) {
		struct text t = TEXT_INIT;

		len = 0;
		text_add(&t, "1,2\n3\n");
		cr_assert(text_file(&t, "a file") > STDERR_FILENO);
		cr_assert_eq(len, 6);
		cr_assert_arr_eq(got, "1,2\n3\n", len);
		cr_assert_null(t.buf);
	}
}

Test(text, a_close_that_fails_is_an_output_that_failed,
    .exit_code = STATUS_INPUT)
{
	most = 100;
	last = -1;
	text_output("1\n", 2);
}
