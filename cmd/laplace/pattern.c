/* pattern: a public set of keys, described instead of listed. */
#include "pattern.h"

#include <string.h>

#include "number/calendar.h"

bool
pattern_day(const char *text, size_t len, int64_t *day)
{
	bool date = len == CALENDAR_DATE || (len > CALENDAR_DATE &&
	    (text[CALENDAR_DATE] == 'T' || text[CALENDAR_DATE] == ' '));

	return date && calendar_read(text, day);
}

/* A whole number's cell; a cut cell is in no pattern. */
static bool
read_integer(const char *text, size_t len, int64_t *x)
{
	return fixed_whole(text, len, x) && *x > -FIXED_MAX && *x < FIXED_MAX;
}

static bool
parse_range(struct pattern *p, const char *text, struct pattern_error *error)
{
	const char *dots = strstr(text, ".."), *end = dots + 2;
	size_t n = (size_t)(dots - text);
	int64_t last;

	*error = (struct pattern_error){ "a range is A..B of whole numbers "
	    "below 2^62 or of dates YYYY-MM-DD", n };
	if (pattern_day(text, n, &p->first) &&
	    pattern_day(end, strlen(end), &last))
		p->kind = PATTERN_DATES;
	else if (read_integer(text, n, &p->first) &&
	    read_integer(end, strlen(end), &last))
		p->kind = PATTERN_INTEGERS;
	else
		return false;
	error->why = "a range goes from the lower to the higher";
	if (last < p->first)
		return false;
	error->why = PATTERN_LARGE;
	p->keys = (uint64_t)last - (uint64_t)p->first + 1;
	return p->keys < PATTERN_KEYS;
}

bool
pattern_parse(struct pattern *p, const char *text,
    struct pattern_error *error)
{
	*p = (struct pattern){ .kind = PATTERN_WORDS };
	if (*text == '\0') {
		*error = (struct pattern_error){ "it is empty", 0 };
		return false;
	}
	if (strstr(text, "..") != NULL &&
	    strspn(text, "0123456789+-.") == strlen(text))
		return parse_range(p, text, error);
	return words_parse(p, text, error);
}

uint64_t
pattern_rank(const struct pattern *p, const char *text, size_t len)
{
	int64_t x;
	uint64_t rank;
	bool known;

	if (p->kind == PATTERN_WORDS)
		return words_rank(p->state, text, len);
	if (p->kind == PATTERN_DATES)
		known = pattern_day(text, len, &x);
	else
		known = read_integer(text, len, &x);
	if (!known || x < p->first)
		return PATTERN_NONE;
	rank = (uint64_t)x - (uint64_t)p->first;
	return rank < p->keys ? rank : PATTERN_NONE;
}

size_t
pattern_key(const struct pattern *p, uint64_t rank, char *buf)
{
	int64_t x = (int64_t)((uint64_t)p->first + rank);

	if (p->kind == PATTERN_WORDS)
		return words_key(p->state, rank, buf);
	if (p->kind == PATTERN_DATES) {
		calendar_write(buf, x);
		return CALENDAR_DATE;
	}
	return strlen(fixed_text(buf, x, 0));
}
