/* plot: the two histograms, drawn by gnuplot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "audit.h"
#include "tool/err.h"

#define BINS 80

static bool
first_number(const struct sample *s, double *x)
{
	char *end;

	*x = strtod(s->text, &end);
	return end != s->text && isfinite(*x);
}

static int
order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The middle 99 % of both sides together. */
static bool
limits(const struct sample *l, const struct sample *r, size_t n, double *lo,
    double *hi)
{
	double *x = err_alloc(NULL, 2 * n, sizeof(*x));
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		k += first_number(&l[i], &x[k]);
		k += first_number(&r[i], &x[k]);
	}
	if (k > 0) {
		qsort(x, k, sizeof(*x), order);
		*lo = x[k / 200];
		*hi = x[k - 1 - k / 200];
	}
	free(x);
	return k > 0 && *lo < *hi;
}

static void
histogram(FILE *f, const struct sample *s, size_t n, double lo, double hi)
{
	size_t bin[BINS] = { 0 }, i;
	double x, width = (hi - lo) / BINS;

	for (i = 0; i < n; i++)
		if (first_number(&s[i], &x) && x >= lo && x < hi)
			bin[(size_t)((x - lo) / width)]++;
	for (i = 0; i < BINS; i++)
		fprintf(f, "%.9g %.9g\n", lo + ((double)i + 0.5) * width,
		    (double)bin[i] / (double)n / width);
	fprintf(f, "e\n");
}

void
audit_plot_check(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot == NULL || (strcmp(dot, ".svg") != 0 &&
	    strcmp(dot, ".png") != 0))
		die(STATUS_USAGE, "--plot '%s' does not end in .svg or .png",
		    path);
	if (strchr(path, '\'') != NULL)
		die(STATUS_USAGE, "--plot takes no name with a quote");
}

void
audit_plot(const char *path, const struct sample *left,
    const struct sample *right, size_t n)
{
	const char *dot = strrchr(path, '.');
	double lo, hi;
	FILE *f;

	if (!limits(left, right, n, &lo, &hi)) {
		warn("no numbers to plot");
		return;
	}
	/* NOLINTNEXTLINE(cert-env33-c): a fixed command */
	f = popen("gnuplot", "w");
	if (f == NULL)
		diesys(STATUS_INPUT, "gnuplot");
	fprintf(f, "set terminal %s size 900,500\nset output '%s'\n"
	    "set xlabel 'first number of the output'\n"
	    "set ylabel 'density'\nset yrange [0:*]\nset key top right\n"
	    "plot '-' with steps lw 2 title 'left', "
	    "'-' with steps lw 2 title 'right'\n",
	    strcmp(dot, ".svg") == 0 ? "svg" : "pngcairo", path);
	histogram(f, left, n, lo, hi);
	histogram(f, right, n, lo, hi);
	if (pclose(f) != 0)
		die(STATUS_INPUT, "gnuplot could not draw %s", path);
}
