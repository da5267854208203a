/* audit_event: features of outputs and the events made of them. */
#include "audit_event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

/* As it was written. */
struct number {
	double value;
	int decimals;
};

/* Exponent of the lowest bit: where gaps in the noise of doubles show. */
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

/* A hash: equal texts, equal numbers, whatever they say. */
static double
text_hash(const struct sample *s)
{
	uint64_t h = 0xcbf29ce484222325U;
	size_t i;

	for (i = 0; i < s->len; i++)
		h = (h ^ (unsigned char)s->text[i]) * 0x100000001b3U;
	return (double)(h >> 12);
}

static int
decimals(const char *p, const char *end)
{
	const char *point = memchr(p, '.', (size_t)(end - p));
	int n = 0;

	while (point != NULL && ++point < end && *point >= '0' &&
	    *point <= '9')
		n++;
	return n;
}

/* The next number at or after *p; false at the end of the text. */
static bool
next_number(const char **p, const char *end, struct number *x)
{
	char *after;

	for (; *p < end; ++*p) {
		if (strchr("+-.0123456789", **p) == NULL || **p == '\0')
			continue;
		x->value = strtod(*p, &after);
		if (after == *p)
			continue;
		x->decimals = decimals(*p, after);
		*p = after;
		if (isfinite(x->value))
			return true;
		--*p;
	}
	return false;
}

double *
side_column(struct side *s, int feature)
{
	double *x = s->col[feature];
	size_t i;

	if (x != NULL)
		return x;
	x = s->col[feature] = err_alloc(NULL, s->n, sizeof(*x));
	for (i = 0; i < s->n; i++)
		x[i] = (double)NAN;
	return x;
}

static void
set_number(struct side *s, size_t i, int k, const struct number *x)
{
	double *value = side_column(s, F_VALUE + k);

	value[i] = x->value;
	side_column(s, F_LOW + k)[i] = lowest_bit(x->value);
	side_column(s, F_PART + k)[i] = x->value - floor(x->value);
	side_column(s, F_DECIMALS + k)[i] = x->decimals;
	if (k > 0)
		side_column(s, F_DIFF + k)[i] = x->value -
		    s->col[F_VALUE + k - 1][i];
}

static void
set_sample(struct side *s, size_t i)
{
	const struct sample *a = &s->sample[i];
	const char *p = a->text, *end = a->text + a->len;
	double sum = 0, most = -HUGE_VAL;
	struct number x;
	int n = 0, at = 0;

	for (; next_number(&p, end, &x); n++) {
		if (n < AUDIT_NUMBERS)
			set_number(s, i, n, &x);
		sum += x.value;
		if (x.value > most) {
			most = x.value;
			at = n;
		}
	}
	side_column(s, F_STATUS)[i] = a->status;
	side_column(s, F_LENGTH)[i] = (double)a->len;
	side_column(s, F_TEXT)[i] = text_hash(a);
	side_column(s, F_COUNT)[i] = n;
	if (n < 2)
		return;
	side_column(s, F_SUM)[i] = sum;
	side_column(s, F_LARGEST)[i] = at + 1;
}

void
side_make(struct side *s, const struct sample *sample, size_t n)
{
	size_t i;

	*s = (struct side){ .sample = sample, .n = n };
	for (i = 0; i < n; i++)
		set_sample(s, i);
}

void
side_free(struct side *s)
{
	int f;

	for (f = 0; f < AUDIT_FEATURES; f++)
		free(s->col[f]);
}

static bool
holds(const struct event *e, double x)
{
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

uint64_t
event_count(const struct event *e, const struct side *s, size_t from,
    size_t to)
{
	const double *x = s->col[e->feature];
	uint64_t k = 0;
	size_t i;

	if (x == NULL)
		return e->kind == EVENT_MISSING ? to - from : 0;
	for (i = from; i < to; i++)
		k += holds(e, x[i]);
	return k;
}

static void
feature_name(char *buf, size_t size, int feature)
{
	static const char *const single[] = { "exit status",
	    "length of the text", "text", "count of numbers", "sum of numbers",
	    "place of the largest number", "joint score of the numbers",
	    "score of the text" };

	if (feature < F_VALUE)
		snprintf(buf, size, "%s", single[feature]);
	else if (feature < F_LOW)
		snprintf(buf, size, "number %d", feature - F_VALUE + 1);
	else if (feature < F_PART)
		snprintf(buf, size, "lowest bit of number %d",
		    feature - F_LOW + 1);
	else if (feature < F_DECIMALS)
		snprintf(buf, size, "number %d modulo 1",
		    feature - F_PART + 1);
	else if (feature < F_DIFF)
		snprintf(buf, size, "decimals of number %d",
		    feature - F_DECIMALS + 1);
	else
		snprintf(buf, size, "number %d less number %d",
		    feature - F_DIFF + 1, feature - F_DIFF);
}

/* The text itself, its last newline and what cannot be shown apart. */
static void
quote(char *buf, const struct event *e, const struct side *s)
{
	const struct sample *a = s->sample;
	size_t i = 0, n;

	while (i < s->n && !holds(e, s->col[F_TEXT][i]))
		i++;
	if (i == s->n)
		return;
	n = a[i].len > 40 ? 40 : a[i].len;
	if (n > 0 && n == a[i].len && a[i].text[n - 1] == '\n')
		n--;
	n = (size_t)snprintf(buf, AUDIT_TEXT, "text equal to '%.*s'%s", (int)n,
	    a[i].text, n < a[i].len - 1 ? " ..." : "");
	for (i = 0; i < n; i++)
		if (buf[i] < ' ' && buf[i] >= 0)
			buf[i] = ' ';
}

void
event_words(char *buf, const struct event *e, const struct side *left,
    const struct side *right)
{
	static const char *const words[] = { "at most", "at least", "equal to",
	    "missing" };
	char name[64], at[32];

	feature_name(name, sizeof(name), e->feature);
	snprintf(at, sizeof(at), "%.15g", e->at);
	if (strtod(at, NULL) < e->at || strtod(at, NULL) > e->at)
		snprintf(at, sizeof(at), "%.17g", e->at);
	if (e->kind == EVENT_MISSING)
		snprintf(buf, AUDIT_TEXT, "%s missing", name);
	else
		snprintf(buf, AUDIT_TEXT, "%s %s %s", name, words[e->kind],
		    at);
	if (e->feature == F_TEXT && e->kind == EVENT_EQUAL) {
		quote(buf, e, right);
		quote(buf, e, left);
	}
}
