/* event: events made of features, counted and put into words. */
#include "event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "number/fixed.h"

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
