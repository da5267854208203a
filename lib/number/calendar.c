/* calendar: days of the Gregorian calendar, in whole numbers. */
#include "calendar.h"

#define EPOCH 719468	/* 1970-01-01 in days from 1 March of year 0 */
#define YEARS 9999

/*
 * Years are taken to begin in March, so that a leap day ends a year.  Month 13
 * is the next January.  Unsigned numbers are divided faster.
 */
static const uint16_t from_march[] = { 0, 306, 337, 0, 31, 61, 92, 122, 153,
    184, 214, 245, 275, 306 };

static int64_t
calendar_count(int64_t year, int64_t month, int64_t day)
{
	uint32_t y = (uint32_t)(year - (month <= 2)), hundreds = y / 100;

	return (int64_t)(365 * y + y / 4 - hundreds + hundreds / 4 +
	    from_march[month]) + day - 1 - EPOCH;
}

bool
calendar_day(struct date t, int64_t *day)
{
	if (t.year < 1 || t.year > YEARS || t.month < 1 || t.month > 12 ||
	    t.day < 1)
		return false;
	*day = calendar_count(t.year, t.month, t.day);
	return t.day <= 28 || *day < calendar_count(t.year, t.month + 1, 1);
}

/*
 * Years that begin in March begin at most 1.5 days before, and .8 after, the
 * multiples of their mean, 146097 days in 400 years; so two days later the
 * multiple's number is the year or one more.
 */
struct date
calendar_date(int64_t day)
{
	uint32_t year = (uint32_t)((uint64_t)(day + EPOCH + 2) * 400 / 146097);
	uint32_t of_year, month;

	year -= calendar_count(year, 3, 1) > day;
	of_year = (uint32_t)(day - calendar_count(year, 3, 1));
	month = (5 * of_year + 2) / 153 + 3;
	month -= month > 12 ? 12 : 0;
	return (struct date){ .year = year + (month <= 2), .month = month,
	    .day = of_year - from_march[month] + 1 };
}

bool
calendar_digits(const char *s, size_t digits, int64_t *x)
{
	for (*x = 0; digits-- > 0; s++) {
		if (*s < '0' || *s > '9')
			return false;
		*x = *x * 10 + (*s - '0');
	}
	return true;
}

bool
calendar_read(const char *text, int64_t *day)
{
	struct date t;

	return text[4] == '-' && text[7] == '-' &&
	    calendar_digits(text, 4, &t.year) &&
	    calendar_digits(text + 5, 2, &t.month) &&
	    calendar_digits(text + 8, 2, &t.day) && calendar_day(t, day);
}

void
calendar_put(char *s, size_t digits, int64_t x)
{
	for (uint32_t m = (uint32_t)x; digits-- > 0; m /= 10)
		s[digits] = (char)('0' + m % 10);
}

void
calendar_write(char *s, int64_t day)
{
	struct date t = calendar_date(day);

	calendar_put(s, 4, t.year);
	calendar_put(s + 5, 2, t.month);
	calendar_put(s + 8, 2, t.day);
	s[4] = s[7] = '-';
}

/* Day 0 was a Thursday. */
int64_t
calendar_weekday(int64_t day)
{
	return (int64_t)(fixed_floor_div(day + 3, 7) * -7) + day + 4;
}

/* A week belongs to the year of its Thursday. */
int64_t
calendar_week(int64_t day, int64_t *year)
{
	int64_t thursday = day - calendar_weekday(day) + 4;

	*year = calendar_date(thursday).year;
	return (thursday - calendar_count(*year, 1, 1)) / 7 + 1;
}
