/*
 * audit_event: features of outputs and the events made of them; audit only.
 */
#ifndef AUDIT_EVENT_H
#define AUDIT_EVENT_H

#include "audit.h"

#define AUDIT_NUMBERS 12	/* numbers looked at in one output */
/* status, length, count; value and lowest bit of each; differences; sum */
#define AUDIT_FEATURES (4 + 3 * AUDIT_NUMBERS)

/* One feature of one sample; NAN where the sample does not have it. */
struct features {
	double f[AUDIT_FEATURES];
};

void features_of(const struct sample *s, struct features *f);

/* Name of a feature in words. */
void feature_name(char *buf, size_t size, int feature);

enum event_kind { EVENT_AT_MOST, EVENT_AT_LEAST, EVENT_EQUAL, EVENT_MISSING };

struct event {
	enum event_kind kind;
	int feature;
	double at;
};

bool event_holds(const struct event *e, const struct features *f);
void event_words(char *buf, const struct event *e);

#endif
