/* pattern: a public set of keys, described instead of listed. */
#include "pattern.h"

#include <string.h>

/*
 * Days since 1 March of year 0 in the Gregorian calendar: years are taken to
 * begin in March, so that a leap day ends a year.  Month 13 is the next
 * January.
 */
static int64_t
day_of(int64_t y, int64_t m, int64_t d)
{
	int64_t from_march = (m + 9) % 12;

	y -= m <= 2;
	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * from_march + 2) / 5
	    + d - 1;
}

static void
put(char *buf, size_t digits, int64_t x)
{
	for (; digits-- > 0; x /= 10)
		buf[digits] = (char)('0' + x % 10);
}

/* The inverse: the last year, and the year's last month, that begin by then. */
static void
put_date(char *buf, int64_t day)
{
	int64_t y = day / 366, m = 1;

	while (day_of(y + 1, 1, 1) <= day)
		y++;
	while (day_of(y, m + 1, 1) <= day)
		m++;
	put(buf, 4, y);
	buf[4] = buf[7] = '-';
	put(buf + 5, 2, m);
	put(buf + 8, 2, day - day_of(y, m, 1) + 1);
}

static bool
get(const char *s, size_t digits, int64_t *x)
{
	for (*x = 0; digits-- > 0; s++) {
		if (*s < '0' || *s > '9')
			return false;
		*x = *x * 10 + (*s - '0');
	}
	return true;
}

bool
pattern_day(const char *text, size_t len, int64_t *day)
{
	int64_t y, m, d;

	if (len < 10 || (len > 10 && text[10] != 'T' && text[10] != ' ') ||
	    text[4] != '-' || text[7] != '-' ||
	    !get(text, 4, &y) || !get(text + 5, 2, &m) ||
	    !get(text + 8, 2, &d) || y < 1 || m < 1 || m > 12 || d < 1)
		return false;
	*day = day_of(y, m, d);
	return *day < day_of(y, m + 1, 1);
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
		put_date(buf, x);
		return 10;
	}
	return strlen(fixed_text(buf, x, 0));
}
