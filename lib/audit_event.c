/* audit_event: features of outputs and the events made of them. */
#include "audit_event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { F_STATUS, F_TEXT, F_COUNT, F_SUM, F_VALUE,
	F_LOW = F_VALUE + AUDIT_NUMBERS, F_DIFF = F_LOW + AUDIT_NUMBERS };

/*
 * Exponent of the lowest bit that is set.  Noise from doubles leaves gaps
 * that depend on the value it was added to; they show here.
 */
static double
lowest_bit(double x)
{
	int e;
	double m = frexp(x, &e);
	int64_t bits = (int64_t)ldexp(m, 53);

	if (bits == 0)
		return 64;
	return e - 53 + __builtin_ctzll((unsigned long long)bits);
}

/* A hash as a feature: equal texts, equal numbers, whatever they say. */
static double
text_hash(const struct sample *s)
{
	uint64_t h = 0xcbf29ce484222325U;
	size_t i;

	for (i = 0; i < s->len; i++)
		h = (h ^ (unsigned char)s->text[i]) * 0x100000001b3U;
	return (double)(h >> 12);
}

/* The numbers in the text; what is no number is passed over. */
static int
numbers_of(const struct sample *s, double *x)
{
	const char *p = s->text, *end = s->text + s->len;
	char *after;
	int n = 0;

	while (p < end && n < AUDIT_NUMBERS) {
		x[n] = strtod(p, &after);
		if (after == p)
			p++;
		else {
			p = after;
			n += isfinite(x[n]) != 0;
		}
	}
	return n;
}

void
features_of(const struct sample *s, struct features *f)
{
	double x[AUDIT_NUMBERS], sum = 0;
	int i, n = numbers_of(s, x);

	for (i = 0; i < AUDIT_FEATURES; i++)
		f->f[i] = (double)NAN;
	f->f[F_STATUS] = s->status;
	f->f[F_TEXT] = text_hash(s);
	f->f[F_COUNT] = n;
	for (i = 0; i < n; i++) {
		sum += x[i];
		f->f[F_VALUE + i] = x[i];
		f->f[F_LOW + i] = lowest_bit(x[i]);
		if (i > 0)
			f->f[F_DIFF + i] = x[i] - x[i - 1];
	}
	if (n > 1)
		f->f[F_SUM] = sum;
}

void
feature_name(char *buf, size_t size, int feature)
{
	static const char *const single[] = { "exit status", "text (hash)",
	    "count of numbers", "sum of numbers" };

	if (feature < F_VALUE)
		snprintf(buf, size, "%s", single[feature]);
	else if (feature < F_LOW)
		snprintf(buf, size, "number %d", feature - F_VALUE + 1);
	else if (feature < F_DIFF)
		snprintf(buf, size, "lowest bit of number %d",
		    feature - F_LOW + 1);
	else
		snprintf(buf, size, "number %d less number %d",
		    feature - F_DIFF + 1, feature - F_DIFF);
}

bool
event_holds(const struct event *e, const struct features *f)
{
	double x = f->f[e->feature];

	switch (e->kind) {
	case EVENT_AT_MOST:
		return x <= e->at;
	case EVENT_AT_LEAST:
		return x >= e->at;
	case EVENT_EQUAL:
		return !(x < e->at || x > e->at) && !isnan(x);
	default:
		return isnan(x);
	}
}

void
event_words(char *buf, const struct event *e)
{
	static const char *const words[] = { "at most", "at least", "equal to",
	    "missing" };
	char name[64];

	feature_name(name, sizeof(name), e->feature);
	if (e->kind == EVENT_MISSING)
		snprintf(buf, AUDIT_TEXT, "%s missing", name);
	else
		snprintf(buf, AUDIT_TEXT, "%s %s %.17g", name, words[e->kind],
		    e->at);
}
