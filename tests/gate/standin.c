/*
 * standin: a tool that says what it got, for tests/gate/words.  Its table of
 * options is the file beside it whose name ends in .options.
 *
 * A record is a word and its value, both ended by a NUL: arg, env, cwd, fd
 * (number, access, file), limit.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

static int
table(const char *own)
{
	char path[4200];
	FILE *f;
	int c;

	snprintf(path, sizeof(path), "%s.options", own);
	f = fopen(path, "r");
	while (f != NULL && (c = getc(f)) != EOF)
		putchar(c);
	return 0;
}

static void
descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	struct dirent *e;
	char to[4096], path[300];
	ssize_t n;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || atoi(e->d_name) == dirfd(d))
			continue;
		snprintf(path, sizeof(path), "/proc/self/fd/%s", e->d_name);
		n = readlink(path, to, sizeof(to));
		printf("fd%c%s %d %.*s%c", 0, e->d_name,
		    fcntl(atoi(e->d_name), F_GETFL) & O_ACCMODE, (int)n, to, 0);
	}
}

int
main(int argc, char **argv)
{
	static const int limits[] = { RLIMIT_CORE, RLIMIT_CPU, RLIMIT_NOFILE,
		RLIMIT_FSIZE, RLIMIT_AS };
	char cwd[4096];
	struct rlimit r;

	if (argc == 3 && strcmp(argv[1], "--help") == 0 &&
	    strcmp(argv[2], "options") == 0)
		return table(argv[0]);
	for (int i = 0; i < argc; i++)
		printf("arg%c%s%c", 0, argv[i], 0);
	for (char **e = environ; *e != NULL; e++)
		printf("env%c%s%c", 0, *e, 0);
	printf("cwd%c%s%c", 0, getcwd(cwd, sizeof(cwd)), 0);
	for (int i = 0; i < 5; i++) {
		getrlimit(limits[i], &r);
		printf("limit%c%llu%c", 0, (unsigned long long)r.rlim_max, 0);
	}
	descriptors();
	return 7;
}
