/*
 * audit: what the outputs of a command on two neighbouring inputs prove about
 * the epsilon that it really has.
 *
 * If the command is epsilon-private, P[output in S | left] is at most
 * e^epsilon P[output in S | right] for every event S.  Events are found on one
 * half of the runs and tested on the other, so that the bound holds with the
 * stated probability whatever was tried in the search.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/opts.h"

#define AUDIT_TEXT 160		/* room for the words of an event */

/* One run: what it printed (owned) and its exit status. */
struct sample {
	char *text;
	size_t len;
	int status;
};

struct verdict {
	double bound;		/* lower bound on epsilon, at least 0 */
	char event[AUDIT_TEXT];	/* the event that shows it */
	bool swapped;		/* more probable on the right */
	uint64_t left, right;	/* how often, in how many tested runs each */
	uint64_t runs;
	char pair[AUDIT_TEXT];	/* the inputs in words */
};

/*
 * [CP34] One-sided Clopper-Pearson bounds of a probability after k hits in n
 * trials: each is wrong with probability at most alpha.
 */
double audit_lower(uint64_t k, uint64_t n, double alpha);
double audit_upper(uint64_t k, uint64_t n, double alpha);

/*
 * Judges n runs on each side (n >= 4).  The bound is wrong (above the true
 * epsilon) with probability at most error.
 */
void audit_judge(const struct sample *left, const struct sample *right,
    size_t n, double error, struct verdict *v);

/* --- running ----------------------------------------------------- */

struct audit_job {
	char **argv;		/* the command, NULL at the end */
	const char *input;	/* file that it reads */
	unsigned jobs;		/* processes at once */
	bool batch;		/* the command makes N draws at once */
	size_t lines;		/* output lines of a draw under batch */
	bool errors;		/* standard error is output too */
	const char *what;	/* for the progress line */
};

/*
 * Runs the command until there are n samples.  Exits with status 1 when it
 * cannot be run, or, under batch, does not print what was asked.
 */
struct sample *audit_run(const struct audit_job *job, size_t n);
void audit_free(struct sample *s, size_t n);

/* --- the whole --------------------------------------------------- */

struct audit_plan {
	struct audit_job job;
	size_t runs;		/* on each side */
	double error;
	const char *plot;	/* file, or NULL */
};

/* Status 2 or 1 where the inputs that options name make no sense. */
void audit_check(const struct opts *o, bool search, const char *left,
    const char *right);

/* Runs and judges one pair of input files. */
void audit_pair(const struct audit_plan *a, const char *left,
    const char *right, size_t n, struct verdict *v);

/*
 * Looks through the built-in family for o->ranges[0] and judges the most
 * telling pair anew.
 */
void audit_family(const struct audit_plan *a, const struct opts *o,
    struct verdict *v);

/* Prints the verdict; true when the claim o->eps is refuted. */
bool audit_show(const struct opts *o, const struct audit_plan *a,
    const struct verdict *v);

/* Status 2 unless the name ends in .svg or .png. */
void audit_plot_check(const char *path);

/* Draws the histograms of the first number of both sides with gnuplot. */
void audit_plot(const char *path, const struct sample *left,
    const struct sample *right, size_t n);

#endif
