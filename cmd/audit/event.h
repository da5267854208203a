/*
 * event: features of outputs and the events made of them; audit only.
 */
#ifndef EVENT_H
#define EVENT_H

#include "audit.h"

#define AUDIT_NUMBERS 12	/* numbers of one output looked at one by one */

enum feature {
	F_STATUS, F_LENGTH, F_TEXT, F_COUNT, F_SUM, F_LARGEST,
	F_JOINT, F_WORDS,	/* learned, see learn.c */
	F_VALUE,		/* of each number: itself, ... */
	F_LOW = F_VALUE + AUDIT_NUMBERS,	/* ... its lowest bit, */
	F_PART = F_LOW + AUDIT_NUMBERS,		/* its part after the point, */
	F_DECIMALS = F_PART + AUDIT_NUMBERS,	/* its decimals as written, */
	F_DIFF = F_DECIMALS + AUDIT_NUMBERS,	/* less the one before */
	AUDIT_FEATURES = F_DIFF + AUDIT_NUMBERS
};

/*
 * The samples of one side, feature by feature: col[f][i] is NAN where sample i
 * lacks the feature, and col[f] is NULL where every sample does.
 */
struct side {
	const struct sample *sample;
	size_t n;
	double *col[AUDIT_FEATURES];
};

/*
 * Makes both sides together.  Of a number that is constant in the first LOOK
 * samples of both sides, like most numbers in JSON, only the value is kept.
 */
void sides_make(struct side *left, struct side *right, size_t n);
void side_free(struct side *s);

/* The column of a feature; a new column holds NANs. */
double *side_column(struct side *s, int feature);

enum event_kind { EVENT_AT_MOST, EVENT_AT_LEAST, EVENT_EQUAL, EVENT_MISSING };

struct event {
	enum event_kind kind;
	int feature;
	double at;
};

/* For qsort. */
int sample_order(const void *a, const void *b);

/* How many of n rising values are below x, or at most x. */
size_t sample_below(const double *at, size_t n, double x, bool equal);

/* How many of the samples from..to-1 show the event. */
uint64_t event_count(const struct event *e, const struct side *s, size_t from,
    size_t to);

/* The event in words; a text is quoted from one of the samples. */
void event_words(char *buf, const struct event *e, const struct side *left,
    const struct side *right);

/*
 * Learns F_JOINT and F_WORDS from the first `train' samples of both sides, and
 * fills these columns.
 */
void audit_learn(struct side *left, struct side *right, size_t train);

/* Tests in one direction: two of single features, one of each score. */
#define AUDIT_TESTS 4

struct pick {
	struct event event[AUDIT_TESTS];
	double score[AUDIT_TESTS];	/* 0: none */
};

/*
 * Scores events on the first halves of both sides by about the bound of each
 * event at level alpha; chooses the best of left over right, then of right over
 * left.
 */
void audit_choose(struct side *left, struct side *right, double alpha,
    struct pick choice[2]);

#endif
