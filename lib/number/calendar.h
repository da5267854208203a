/*
 * calendar: days of the Gregorian calendar, in whole numbers.
 *
 * A day is a number from 1970-01-01, which is 0; years are 1 to 9999.
 */
#pragma once

#include "fixed.h"

#define CALENDAR_DATE 10	/* bytes in YYYY-MM-DD */
#define CALENDAR_SECONDS 86400	/* in a day */

struct date {
	int64_t year, month, day;
};

/* The day of a date; false where the calendar has no such date. */
bool calendar_day(struct date date, int64_t *day);

/* The date of a day. */
struct date calendar_date(int64_t day);

/* A whole number of `digits' digits at s, or false. */
bool calendar_digits(const char *s, size_t digits, int64_t *x);

/* The day of CALENDAR_DATE bytes that say YYYY-MM-DD, or false. */
bool calendar_read(const char *text, int64_t *day);

/* Writes the last `digits' digits of x, below 2^32, and no NUL. */
void calendar_put(char *s, size_t digits, int64_t x);

/* Writes the day as YYYY-MM-DD, in CALENDAR_DATE bytes. */
void calendar_write(char *text, int64_t day);

/* 1 for a Monday to 7; and the ISO week, 1 to 53, of the ISO year. */
int64_t calendar_weekday(int64_t day);
int64_t calendar_week(int64_t day, int64_t *year);
