/*
 * hole: a tool with a planted hole, for tests/gate/options.
 *
 * Its table of options is the file beside it whose name ends in .options, the
 * number of its hole the file that ends in .hole.  It counts records with the
 * noise of its -e, and with the options that open the hole it does what a tool
 * did once:
 *
 *	1  -c that is no name: the first record stands among the names
 *	2  --domain of the asker: its coordinates decide what a record counts
 *	3  -w: a record counts its income
 *	4  -g: the exact number of the ill
 *	5  --domain: is somebody of the list there?
 *	9  -c by number: a row is a person, and so the charge is too small
 *
 * Without the options of its hole it is sound.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const char *
given(int argc, char **argv, const char *name)
{
	size_t len = strlen(name);

	for (int i = argc - 1; i > 0; i--)
		if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=')
			return argv[i] + len + 1;
	return NULL;
}

static double
noise(double scale)
{
	unsigned long u;

	if (getrandom(&u, sizeof(u), 0) != sizeof(u))
		exit(4);
	double x = ((double)(u >> 11) + 0.5) / 9007199254740992.0 - 0.5;

	return (x < 0 ? 1 : -1) * scale * log(1 - 2 * fabs(x));
}

static char *
beside(const char *own, const char *end)
{
	static char text[65536];
	char path[4200];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s.%s", own, end);
	f = fopen(path, "r");
	n = f == NULL ? 0 : fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	return text;
}

int
main(int argc, char **argv)
{
	const char *e = given(argc, argv, "--epsilon");
	const char *c = given(argc, argv, "--column");
	const char *domain = given(argc, argv, "--domain");
	const char *repeat = given(argc, argv, "--repeat");
	char line[65536], first[65536] = "", *cell;
	double count = 0, scale = e == NULL ? 0 : 1 / atof(e);
	int hole, there = 0, ill = 0, n = 0;

	if (argc == 3 && strcmp(argv[2], "options") == 0) {
		fputs(beside(argv[0], "options"), stdout);
		return 0;
	}
	hole = atoi(beside(argv[0], "hole"));
	if (e == NULL || fgets(line, sizeof(line), stdin) == NULL) {
		fprintf(stderr, "hole: no epsilon\n");
		return 2;
	}
	for (; fgets(line, sizeof(line), stdin) != NULL; n++) {
		char *rest = line, *of[5] = { "", "", "", "", "" };

		if (n == 0)
			strcpy(first, line);
		for (int i = 0; i < 5 && (cell = strsep(&rest, ",\n")); i++)
			of[i] = cell;
		ill += strcmp(of[2], "1") == 0;
		there |= domain != NULL && *of[0] != '\0' &&
		    strstr(domain, of[0]) != NULL;
		if (hole == 3 && given(argc, argv, "--weight") != NULL)
			count += atof(of[4]);
		else if (hole == 2 && domain != NULL && strstr(domain, "age"))
			count += atof(of[1]) * 1e9;
		else
			count += hole == 9 && c != NULL && strchr("12345", *c) ?
			    1e6 * strlen(of[0]) : 1;
	}
	if (hole == 1 && c != NULL && (strcmp(c, "nosuch") == 0 ||
	    strcmp(c, "p1") == 0)) {
		fprintf(stderr, "hole: no column %s in %s", c, first);
		return 1;
	}
	if (hole == 5 && domain != NULL && !there) {
		fprintf(stderr, "hole: nobody of the list\n");
		return 1;
	}
	for (int i = repeat == NULL ? 1 : atoi(repeat); i > 0; i--) {
		if (hole == 4 && given(argc, argv, "--group") != NULL)
			printf("%d,", ill);
		printf("%.0f\n", count + noise(scale));
	}
	return 0;
}
