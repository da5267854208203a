/* err: what a tool does before anything else. */
#include "tool/err.h"
#include "tool/host.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* A file that is opened later would be read as input, or written to. */
Test(err, no_file_takes_the_place_of_a_closed_descriptor)
{
	char c;
	int fd;

	for (int i = 0; i < 3; i++)
		close(i);
	err_guard();
	fd = open("/dev/zero", O_RDWR);
	cr_expect_gt(fd, 2);
	cr_expect(read(0, &c, 1) < 0 && errno == EBADF);
	cr_expect(write(1, &c, 1) < 0 && errno == EBADF);
	cr_expect(write(2, &c, 1) < 0 && errno == EBADF);
}

Test(err, no_core_is_dumped_and_no_other_process_may_attach)
{
	struct rlimit core;

	err_guard();
	host_guard();
	cr_assert_eq(getrlimit(RLIMIT_CORE, &core), 0);
	cr_expect(core.rlim_cur == 0 && core.rlim_max == 0);
#ifndef ERR_WATCHED
	cr_expect_eq(prctl(PR_GET_DUMPABLE), 0);
#endif
}
