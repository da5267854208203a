/* event: events made of features, counted and put into words. */
#include "event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/fixed.h"
#include "number/hash.h"
#include "tool/err.h"

static bool
event_holds(const struct event *e, double x)
{
	const bool is[] = { [EVENT_AT_MOST] = x <= e->at,
	    [EVENT_AT_LEAST] = x >= e->at,
	    [EVENT_EQUAL] = x <= e->at && x >= e->at,
	    [EVENT_MISSING] = isnan(x) };

	return is[e->kind];
}

size_t
side_values(const struct side *s, int feature, size_t samples, double *x)
{
	const double *col = s->col[feature];
	size_t n = 0;

	if (col != NULL)
		for (size_t i = 0; i < samples; i++)
			if (!isnan(col[i]))
				x[n++] = col[i];
	return n;
}

size_t
event_count(const struct event *e, const struct side *s, size_t from, size_t to)
{
	const double *x = s->col[e->feature];
	size_t k = 0;

	if (x == NULL)
		return e->kind == EVENT_MISSING ? to - from : 0;
	for (size_t i = from; i < to; i++)
		k += event_holds(e, x[i]);
	return k;
}

/* A feature in words; for each number, before and after the place. */
static void
feature_name(char *buf, size_t size, int feature)
{
	static const char *const single[] = { "exit status",
	    "length of the text", "text", "count of numbers",
	    "sum of numbers" };
	static const char *const each[][2] = { { "", "" },
	    { "lowest bit of ", "" }, { "", " modulo 1" },
	    { "decimals of ", "" }, { "", " less the one before" } };
	int kind = (feature - F_VALUE) / AUDIT_NUMBERS;
	int place = (feature - F_VALUE) % AUDIT_NUMBERS + 1;

	if (feature < F_VALUE)
		snprintf(buf, size, "%s", single[feature]);
	else
		snprintf(buf, size, "%snumber %d%s", each[kind][0], place,
		    each[kind][1]);
}

#define QUOTED ((size_t)40)	/* bytes shown from a text */

/* The text itself, without the last newline and unprintable bytes. */
static void
quote(char *buf, const struct event *e, const struct side *s)
{
	const struct sample *a = s->sample;
	size_t i = 0, n, whole;
	bool cut;

	while (i < s->n && !event_holds(e, s->col[F_TEXT][i]))
		i++;
	if (i == s->n)
		return;
	whole = a[i].len;
	if (whole > 0 && a[i].text[whole - 1] == '\n')
		whole--;
	cut = whole > QUOTED;
	n = FIXED_LEAST(whole, QUOTED);
	while (cut && n > 0 && ((unsigned char)a[i].text[n] & 0xc0) == 0x80)
		n--;		/* not inside a UTF-8 character */
	n = (size_t)snprintf(buf, AUDIT_TEXT, "text equal to '%.*s'%s", (int)n,
	    a[i].text, cut ? " ..." : "");
	for (i = 0; i < n; i++)
		if ((unsigned char)buf[i] < ' ')
			buf[i] = ' ';
}

void
event_words(char *buf, const struct event *e, const struct side side[2])
{
	static const char *const words[] = { "at most ", "at least ",
	    "equal to ", "missing" };
	char name[64], at[32];

	feature_name(name, sizeof(name), e->feature);
	snprintf(at, sizeof(at), "%.15g", e->at);
	if (strtod(at, NULL) < e->at || strtod(at, NULL) > e->at)
		snprintf(at, sizeof(at), "%.17g", e->at);
	if (e->kind == EVENT_MISSING)
		at[0] = '\0';
	snprintf(buf, AUDIT_TEXT, "%s %s%s", name, words[e->kind], at);
	if (e->feature == F_TEXT && e->kind == EVENT_EQUAL) {
		quote(buf, e, &side[1]);
		quote(buf, e, &side[0]);
	}
}

/* --- features ------------------------------------------------------------ */

/* A number as written. */
struct number {
	double value;
	int decimals;
};

/* The lowest bit's exponent, where gaps in the noise of doubles show. */
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

static int
count_decimals(const char *p, const char *end)
{
	const char *point = memchr(p, '.', (size_t)(end - p));
	int n = 0;

	while (point != NULL && ++point < end && *point >= '0' && *point <= '9')
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
		x->decimals = count_decimals(*p, after);
		*p = after;
		if (isfinite(x->value))
			return true;
		--*p;
	}
	return false;
}

/* The column of a feature; a new column holds NANs. */
static double *
side_column(struct side *s, int feature)
{
	double *x = s->col[feature];

	if (x != NULL)
		return x;
	x = err_alloc(NULL, s->n, sizeof(*x));
	s->col[feature] = x;
	for (size_t i = 0; i < s->n; i++)
		x[i] = (double)NAN;
	return x;
}

static void
set_number(struct side *s, size_t i, int k, const struct number *x)
{
	side_column(s, F_VALUE + k)[i] = x->value;
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
	double sum = 0;
	struct number x;
	int n = 0;

	for (; next_number(&p, end, &x); n++) {
		if (n < AUDIT_NUMBERS)
			set_number(s, i, n, &x);
		sum += x.value;
	}
	side_column(s, F_STATUS)[i] = a->status;
	side_column(s, F_LENGTH)[i] = (double)a->len;
	/* equal texts, equal numbers, whatever the text */
	side_column(s, F_TEXT)[i] = (double)(hash_bytes(a->text, a->len) >> 12);
	side_column(s, F_COUNT)[i] = n;
	if (n > 1)
		side_column(s, F_SUM)[i] = sum;
}

void
sides_make(struct side side[2], size_t n)
{
	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < n; i++)
			set_sample(&side[s], i);
}

void
side_free(struct side *s)
{
	for (int f = 0; f < AUDIT_FEATURES; f++)
		free(s->col[f]);
}
