/* calendar: days of the Gregorian calendar, in whole numbers. */
#include "calendar.h"

#define EPOCH 719468	/* 1970-01-01 in days from 1 March of year 0 */
#define YEARS 9999

/*
 * Years are taken to begin in March, so that a leap day ends a year.  Month 13
 * is the next January.
 */
static int64_t
calendar_count(int64_t y, int64_t m, int64_t d)
{
	int64_t from_march = (m + 9) % 12;

	y -= m <= 2;
	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * from_march + 2) / 5
	    + d - 1 - EPOCH;
}

bool
calendar_day(struct date t, int64_t *day)
{
	if (t.year < 1 || t.year > YEARS || t.month < 1 || t.month > 12 ||
	    t.day < 1)
		return false;
	*day = calendar_count(t.year, t.month, t.day);
	return *day < calendar_count(t.year, t.month + 1, 1);
}

/*
 * Years that begin in March begin at most 1.5 days before, and .8 after, the
 * multiples of their mean, 146097 days in 400 years; so two days later the
 * multiple's number is the year or one more.
 */
struct date
calendar_date(int64_t day)
{
	int64_t year = (day + EPOCH + 2) * 400 / 146097, of_year, from_march;

	year -= calendar_count(year, 3, 1) > day;
	of_year = day - calendar_count(year, 3, 1);
	from_march = (5 * of_year + 2) / 153;
	return (struct date){ .year = year + (from_march >= 10),
	    .month = (from_march + 2) % 12 + 1,
	    .day = of_year - (153 * from_march + 2) / 5 + 1 };
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

void
calendar_put(char *s, size_t digits, int64_t x)
{
	for (; digits-- > 0; x /= 10)
		s[digits] = (char)('0' + x % 10);
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
