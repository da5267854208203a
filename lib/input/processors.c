/*
 * processors: how many this process may use.
 *
 * A control group limits time: quota microseconds in each period.  That of
 * the process and those around it hold; what cannot be read sets no limit.
 */
#include "processors.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define ROOT "/sys/fs/cgroup"
#define PATH 4096

/* Processors that quota and period stand for, from one up. */
static unsigned
limit(unsigned n, long long quota, long long period)
{
	if (quota <= 0 || period <= 0 || quota / period >= n)
		return n;
	return quota < period ? 1 : (unsigned)(quota / period);
}

/* A file of one or two numbers; returns how many could be read. */
static int
numbers(const char *path, long long *a, long long *b)
{
	FILE *f = fopen(path, "re");
	int n;

	if (f == NULL)
		return 0;
	n = fscanf(f, "%lld %lld", a, b);
	fclose(f);
	return n;
}

/* The path of the process below ROOT: what follows 0:: in its list. */
static void
own_group(char path[PATH])
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[PATH];

	path[0] = '\0';
	if (f == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "0::/", 4) == 0) {
			line[strcspn(line, "\n")] = '\0';
			strcpy(path, line + 3);
		}
	fclose(f);
}

static unsigned
limit_of_groups(unsigned n)
{
	char group[PATH], path[PATH + sizeof(ROOT "/cpu.max")];
	long long quota, period;
	char *slash;

	own_group(group);
	do {
		snprintf(path, sizeof(path), ROOT "%s/cpu.max", group);
		if (numbers(path, &quota, &period) == 2)
			n = limit(n, quota, period);
		slash = strrchr(group, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
	/* the older kind, as a container sees it */
	if (numbers(ROOT "/cpu/cpu.cfs_quota_us", &quota, &period) == 1 &&
	    numbers(ROOT "/cpu/cpu.cfs_period_us", &period, &period) == 1)
		n = limit(n, quota, period);
	return n;
}

unsigned
processors(unsigned most)
{
	cpu_set_t set;
	unsigned n = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = (unsigned)CPU_COUNT(&set);
	n = n > most ? most : n;
	return n > 1 ? limit_of_groups(n) : 1;
}
