/* limits: what a program of the gate may take, and nobody may take away. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gate.h"
#include "number/fixed.h"

#define GIB ((rlim_t)1 << 30)

/* Room, time, files and descriptors for the gate's programs. */
static const struct {
	int what;
	rlim_t most;
	const char *option;	/* of ulimit */
} limits[] = {
	{ RLIMIT_CORE, 0, "-c" }, { RLIMIT_CPU, 600, "-t" },
	{ RLIMIT_NOFILE, 64, "-n" }, { RLIMIT_FSIZE, GIB, "-f" },
	{ RLIMIT_STACK, 8 << 20, "-s" },
#ifndef ERR_WATCHED
	{ RLIMIT_AS, 8 * GIB, "-v" }, { RLIMIT_DATA, 8 * GIB, "-d" },
#endif
};

/*
 * A group of processes, from the root of groups down, and the groups that it is
 * in: whoever has such a folder may limit its programs, at any time.
 */
bool
gate_foreign(const char *folder, char *group)
{
	char path[4096], *end;
	struct stat s;

	for (;;) {
		snprintf(path, sizeof(path), "%s%s", folder, group);
		if (stat(path, &s) == 0 && s.st_uid != 0 &&
		    s.st_uid != geteuid())
			return true;
		end = strrchr(group, '/');
		if (end == NULL)
			return false;
		*end = '\0';
	}
}

/* A line is a number, controllers and a group, with colons between. */
static bool
limits_line(char *line)
{
	char folder[4096];

	line[strcspn(line, "\n")] = '\0';
	text_field(&line, ":");
	snprintf(folder, sizeof(folder), "/sys/fs/cgroup/%s",
	    text_field(&line, ":"));
	return line != NULL && gate_foreign(folder, line);
}

static void
limits_groups(void)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char *line = NULL;
	size_t cap = 0;

	while (f != NULL && getline(&line, &cap, f) >= 0)
		if (limits_line(line))
			err_die(STATUS_INPUT, "the control group belongs to "
			    "another user, who could end the tool by the "
			    "data; start dp-gate in a group of root's");
	free(line);
	if (f != NULL)
		fclose(f);
}

/*
 * A program that an asker's limit ends tells how many records there are.  One
 * that ends the gate after an answer, which a limit of today may do, too, would
 * keep the answer from the witness.
 */
void
gate_limits(void)
{
	struct rlimit now;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if (getrlimit(limits[i].what, &now) != 0)
			err_sys("limits");
		if (now.rlim_max < limits[i].most)
			err_die(STATUS_INPUT, "the limit of ulimit %s is below "
			    "the %llu that a tool may have, and could end the "
			    "tool by the data", limits[i].option,
			    (unsigned long long)limits[i].most);
		now.rlim_cur = FIXED_MOST(now.rlim_cur, limits[i].most);
		if (setrlimit(limits[i].what, &now) != 0)
			err_sys("limits");
	}
	limits_groups();
}

bool
gate_limit(void)
{
	struct rlimit to;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		to.rlim_cur = to.rlim_max = limits[i].most;
		if (setrlimit(limits[i].what, &to) != 0)
			return false;
	}
	return true;
}
