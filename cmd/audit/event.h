/*
 * event: features of outputs and the events made from features; audit only.
 */
#pragma once

#include "audit.h"

#define AUDIT_NUMBERS 12	/* numbers in an output looked at one by one */

enum feature {
	F_STATUS, F_LENGTH, F_TEXT, F_COUNT, F_SUM,
	F_VALUE,		/* for each number: itself, ... */
	F_LOW = F_VALUE + AUDIT_NUMBERS,	/* ... the lowest bit, */
	F_PART = F_LOW + AUDIT_NUMBERS,		/* the part after the point, */
	F_DECIMALS = F_PART + AUDIT_NUMBERS,	/* the decimals as written, */
	F_DIFF = F_DECIMALS + AUDIT_NUMBERS,	/* less the number before */
	AUDIT_FEATURES = F_DIFF + AUDIT_NUMBERS
};

/*
 * A side's samples, feature by feature: col[f][i] is NAN where sample i lacks
 * the feature, and col[f] is NULL if every sample does.
 */
struct side {
	const struct sample *sample;
	size_t n;
	double *col[AUDIT_FEATURES];
};

/* Makes the two sides of n samples. */
void sides_make(struct side side[2], size_t n);
void side_free(struct side *s);

enum event_kind { EVENT_AT_MOST, EVENT_AT_LEAST, EVENT_EQUAL, EVENT_MISSING };

struct event {
	enum event_kind kind;
	int feature;
	double at;
};

/* Copies the values of the first samples that have the feature; how many? */
size_t side_values(const struct side *s, int feature, size_t samples,
    double *x);

/* How many samples from..to-1 show the event. */
size_t event_count(const struct event *e, const struct side *s, size_t from,
    size_t to);

/* The event in words; a text is quoted from a sample. */
void event_words(char *buf, const struct event *e, const struct side side[2]);

/* Tests in a direction. */
#define AUDIT_TESTS 2

struct pick {
	struct event event[AUDIT_TESTS];
	double score[AUDIT_TESTS];	/* 0: none */
};

/*
 * Scores events on the sides' first halves by about each event's bound at level
 * alpha; chooses the best left over right, then right over left.
 */
void audit_choose(struct side side[2], double alpha, struct pick choice[2]);
