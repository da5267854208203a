/*
 * cost [-n TIMES] FILE COMMAND [ARGUMENT ...]: what a command costs.
 *
 * Runs it TIMES with FILE as its standard input, and prints the means of its
 * wall, user and system seconds and its largest resident size in KiB.  What it
 * prints is dropped.
 * Being small itself it does not disturb the resident size, which a child
 * inherits at first.  Status 1 where the command fails.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void
fail(const char *what)
{
	perror(what);
	exit(1);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void
become(char **argv, int in)
{
	int null = open("/dev/null", O_WRONLY);

	if (dup2(in, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(126);
	execvp(argv[0], argv);
	_exit(127);
}

int
main(int argc, char **argv)
{
	double wall = 0, user = 0, system = 0;
	long most = 0, times = 1, i;
	int option, in, status;
	struct rusage use;
	pid_t child;

	while ((option = getopt(argc, argv, "+n:")) != -1) {
		if (option != 'n')
			return 2;
		times = strtol(optarg, NULL, 10);
	}
	if (argc - optind < 2 || times < 1)
		return 2;
	for (i = 0; i < times; i++) {
		if ((in = open(argv[optind], O_RDONLY)) < 0)
			fail(argv[optind]);
		wall -= now();
		if ((child = fork()) == 0)
			become(argv + optind + 1, in);
		if (child < 0 || wait4(child, &status, 0, &use) != child)
			fail("fork");
		wall += now();
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
			fprintf(stderr, "cost: %s failed\n", argv[optind + 1]);
			return 1;
		}
		close(in);
		user += seconds(use.ru_utime);
		system += seconds(use.ru_stime);
		if (use.ru_maxrss > most)
			most = use.ru_maxrss;
	}
	printf("%.6f %.6f %.6f %ld\n", wall / (double)times,
	    user / (double)times, system / (double)times, most);
	return 0;
}
