/*
 * run: the gate's run.c once more under other names, with a gate that is killed
 * while its tool begins.
 */
#include <unistd.h>

static int late_setpgid(pid_t pid, pid_t group);

#define setpgid late_setpgid
#define gate_bytes late_bytes
#define gate_run late_run
#include "../../cmd/gate/run.c"
#undef setpgid
#undef gate_bytes
#undef gate_run

#include <criterion/criterion.h>

static pid_t gate;	/* 0: it lives on */

/* The call between a fork and the question whether the gate is there still. */
static int
late_setpgid(pid_t pid, pid_t group)
{
	while (getppid() == gate)
		poll(NULL, 0, 1);
	return setpgid(pid, group);
}

/* The bytes that a program prints whose gate dies, or doesn't. */
static ssize_t
printed(bool dies)
{
	static char *argv[] = { "/bin/echo", "a", NULL }, *env[] = { NULL };
	char bytes[8];
	int out[2];
	ssize_t n;

	cr_assert_eq(host_pipe(out), 0);
	if (fork() == 0) {
		gate = dies ? getpid() : 0;
		child_start(argv, env, (int[]){ -1, out[1], -1, -1 });
		if (!dies)
			wait(NULL);
		_exit(0);
	}
	close(out[1]);
	n = read(out[0], bytes, sizeof(bytes));
	close(out[0]);
	return n;
}

Test(run, a_tool_does_not_begin_after_its_gate_has_ended)
{
	cr_expect_eq(printed(false), 2);
	cr_expect_eq(printed(true), 0);
}
