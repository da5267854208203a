/* dx_plot: improvement factors as a picture, drawn by gnuplot. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "dx.h"
#include "tool/err.h"
#include "tool/text.h"

/* Text between double quotes for gnuplot: no enhanced text, no escapes. */
static void
quoted(FILE *f, const char *text, size_t len)
{
	size_t i;

	putc('"', f);
	for (i = 0; i < len; i++)
		if (strchr("\"\\`\r\n", text[i]) != NULL ||
		    (unsigned char)text[i] < ' ')
			putc('_', f);
		else
			putc(text[i], f);
	putc('"', f);
}

static void
head(FILE *f, const char *path)
{
	size_t n = strlen(path);

	fprintf(f, "set terminal %s size 800,480 noenhanced\n",
	    n > 4 && strcmp(path + n - 4, ".png") == 0 ? "png" : "svg");
	fprintf(f, "set output ");
	quoted(f, path, n);
	fprintf(f, "\nset style data points\nset key outside\n"
	    "set ylabel 'improvement over the plain mechanism'\n"
	    "set yrange [0:*]\nset grid ytics\nset xtics rotate by -45\n"
	    "set offsets 0.5, 0.5, 0, 0\n");
}

static void
data(FILE *f, struct dx *d, const struct scaled *row, size_t rows)
{
	const char *names = d->u.w.k <= 40 ? ":xtic(3)" : "";

	for (size_t i = 0; i < rows; i++) {
		struct label name = universe_name(&d->u, row[i].query);

		if (i == 0 || row[i].strategy != row[i - 1].strategy)
			fprintf(f, "%s$d%s << EOD\n", i > 0 ? "EOD\n" : "",
			    dx_names[row[i].strategy]);
		if (!isfinite(row[i].improvement))
			continue;
		fprintf(f, "%zu %.9g ", row[i].query + 1, row[i].improvement);
		quoted(f, name.text, name.len);
		fprintf(f, "\n");
	}
	fprintf(f, "EOD\nplot ");
	for (size_t i = 0; i < rows; i++)
		if (i == 0 || row[i].strategy != row[i - 1].strategy)
			fprintf(f, "%s$d%s using 1:2%s pointtype 7 title "
			    "'strategy %s'", i > 0 ? ", " : "",
			    dx_names[row[i].strategy], names,
			    dx_names[row[i].strategy]);
	fprintf(f, "\n");
}

void
dx_plot(struct dx *d, const struct scaled *row, size_t rows)
{
	const char *hint = "";
	FILE *f;
	int status;

	/* NOLINTNEXTLINE(cert-env33-c): a fixed command */
	f = popen("gnuplot", "w");
	if (f == NULL)
		err_sys("--plot: gnuplot");
	head(f, d->plot);
	data(f, d, row, rows);
	status = pclose(f);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		hint = " (is it installed?)";
	if (status != 0)
		err_die(STATUS_INPUT, "--plot %s: gnuplot failed%s", d->plot,
		    hint);
}
