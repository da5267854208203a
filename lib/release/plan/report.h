/*
 * report: a release in public facts alone.
 *
 * --explain, --verbose and, beside each value, JSON print the facts.
 */
#pragma once

#include "random/knorm.h"
#include "tool/opts.h"

#define REPORT_NOTES 16
#define REPORT_NOTE 192

/* A further public fact: shown by --explain and --verbose only. */
struct note {
	const char *key;
	char text[REPORT_NOTE];
};

struct report {
	const struct opts *opts;
	const char *mechanism;
	const char *noise;		/* the noise's law in words, or NULL */
	const char *neighbors;		/* NULL: as in opts */
	const char *metric;		/* specification for a d_X release, or
					   NULL */
	const char *domain;		/* its --domain, or NULL */
	bool stated;			/* the user's -s names the neighbors */
	const char *fixed;		/* under swap: columns that neighbors
					   share beside --group's */
	struct rational eps;		/* den 0: nobody has said */
	int digits;			/* grid 10^-digits; -1: no grid */
	/* null in JSON with den 0: does not apply, or does not fit */
	struct rational sens;		/* under the stated neighbors */
	struct rational scale;		/* the noise's, in the value's unit */
	struct rational error95;
	i128 reach;			/* half width of --interval, in steps
					   of the noise's grid */
	struct rational half_width;	/* and in the value's unit */
	struct note notes[REPORT_NOTES];
	size_t nnotes;
};

/* Adds a note; text as by printf. */
void report_note(struct report *r, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Fills scale, error95 and the width of --interval from a noise scale in steps
 * of a grid with `digits' decimals, perhaps not the printed grid.
 */
void report_scale(struct report *r, const struct scale *t, int digits);

/* The same, but the scale, of number c's K-norm noise. */
void report_box(struct report *r, const struct knorm *k, size_t c, int digits);

/* Adds the standard lines to out: `key: value`, or one JSON object. */
void report_print(const struct report *r, struct text *out,
    enum format format);

/*
 * JSON members before or after an output line's value, for the caller to free;
 * NULL without JSON.
 */
char *report_before(const struct report *r);
char *report_behind(const struct report *r);

/* --explain: prints on stdout and exits 0. */
void report_explain(const struct report *r);

/* Prints on stderr where --verbose is given. */
void report_verbose(const struct report *r);
