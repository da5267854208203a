/* dx_plot: improvement factors as a picture, drawn by gnuplot. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "dx.h"
#include "tool/err.h"

/* Text between double quotes for gnuplot: no enhanced text, no escapes. */
static void
quoted(FILE *f, const char *text, size_t len)
{
	size_t i;

	putc('"', f);
	for (i = 0; i < len; i++)
		putc(strchr("\"\\`\r\n", text[i]) != NULL ||
		    (unsigned char)text[i] < ' ' ? '_' : text[i], f);
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
data(FILE *f, const struct dx *d, const double *improvement,
    const char *const *strategy, const size_t *query, size_t rows)
{
	size_t i;

	for (i = 0; i < rows; i++) {
		if (i == 0 || strcmp(strategy[i], strategy[i - 1]) != 0)
			fprintf(f, "%s$d%s << EOD\n", i > 0 ? "EOD\n" : "",
			    strategy[i]);
		if (!isfinite(improvement[i]))
			continue;
		fprintf(f, "%zu %.9g ", query[i] + 1, improvement[i]);
		quoted(f, d->u.name[query[i]].text, d->u.name[query[i]].len);
		fprintf(f, "\n");
	}
	fprintf(f, "EOD\nplot ");
	for (i = 0; i < rows; i++)
		if (i == 0 || strcmp(strategy[i], strategy[i - 1]) != 0)
			fprintf(f, "%s$d%s using 1:2%s pointtype 7 title "
			    "'strategy %s'", i > 0 ? ", " : "", strategy[i],
			    d->u.w.k <= 40 ? ":xtic(3)" : "", strategy[i]);
	fprintf(f, "\n");
}

void
dx_plot(const struct dx *d, const double *improvement,
    const char *const *strategy, const size_t *query, size_t rows)
{
	FILE *f;
	int status;

	/* NOLINTNEXTLINE(cert-env33-c): a fixed command */
	f = popen("gnuplot", "w");
	if (f == NULL)
		diesys(STATUS_INPUT, "--plot: gnuplot");
	head(f, d->plot);
	data(f, d, improvement, strategy, query, rows);
	status = pclose(f);
	if (status != 0)
		die(STATUS_INPUT, "--plot %s: gnuplot failed%s", d->plot,
		    WIFEXITED(status) && WEXITSTATUS(status) == 127 ?
		    " (is it installed?)" : "");
}
