/*
 * heading: does a cell of the first line name a column?
 *
 * Where a file has no header, the first line is somebody's record, and names
 * are printed.  So a cell that looks like a value is taken for one.  Digits and
 * marks alone are a value: amounts, dates, times, telephone numbers.  A word
 * makes a name of the cell, as in `2023 sales', `Q1' and `1st visit'; but not
 * a word that only says what a number is of: `72 kg', `CHF 1200', `3 Jan 2024'.
 */
#include "heading.h"

#include <string.h>
#include <strings.h>

/* Behind a number. */
static const char *const units[] = {
	"kg", "g", "mg", "lb", "lbs", "oz", "km", "m", "cm", "mm", "mi", "ft",
	"yd", "l", "ml", "dl", "cl", "kcal", "cal", "kj", "w", "kw", "kwh",
	"hz", "khz", "mhz", "ghz", "kb", "mb", "gb", "tb", "bpm", "mmhg", "kmh",
	"kph", "mph", "pa", "kpa", "hpa", "h", "hr", "hrs", "min", "mins",
	"sec", "secs", "ms", "am", "pm", "day", "days", "week", "weeks",
	"month", "months", "year", "years", "yr", "yrs", "k", "mn", "bn", "mio",
	"mrd", "thousand", "million", "billion", "percent", "pct", NULL
};

/* Before or behind one. */
static const char *const money[] = {
	"usd", "eur", "gbp", "chf", "jpy", "cny", "inr", "cad", "aud", "nzd",
	"sek", "nok", "dkk", "pln", "czk", "huf", "brl", "mxn", "zar", "krw",
	"rub", "try", "sgd", "hkd", "rs", "kr", "fr", "dollar", "dollars",
	"euro", "euros", NULL
};

/* Beside two numbers: `Jan 2024' and `May' are names. */
static const char *const dates[] = {
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept",
	"oct", "nov", "dec", "january", "february", "march", "april", "june",
	"july", "august", "september", "october", "november", "december", "mon",
	"tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday",
	"wednesday", "thursday", "friday", "saturday", "sunday", "t", "z",
	"utc", "gmt", NULL
};

enum kind { KIND_MARK, KIND_DIGIT, KIND_LETTER };

/*
 * Symbols are in two blocks of UTF-8: from C2 on, as the pound and the degree,
 * and from E2 on, as the euro.  A byte that begins no letter is a symbol of
 * another encoding.
 */
static enum kind
heading_kind(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return KIND_DIGIT;
	if ((c | 32) >= 'a' && (c | 32) <= 'z')
		return KIND_LETTER;
	return c > 0xc2 && c != 0xe2 ? KIND_LETTER : KIND_MARK;
}

/* The end of the run that begins at i; a letter's bytes go together. */
static size_t
heading_run(const char *text, size_t len, size_t i)
{
	enum kind kind = heading_kind((unsigned char)text[i++]);

	while (i < len && (heading_kind((unsigned char)text[i]) == kind ||
	    (kind == KIND_LETTER && ((unsigned char)text[i] & 0xc0) == 0x80)))
		i++;
	return i;
}

static bool
heading_among(const char *const *list, const char *word, size_t len)
{
	for (; *list != NULL; list++)
		if (strlen(*list) == len && strncasecmp(*list, word, len) == 0)
			return true;
	return false;
}

/* Currencies such as US$; and degrees. */
static bool
heading_joined(const char *text, size_t len, size_t i, size_t end)
{
	if (end < len && text[end] == '$')
		return end - i <= 3;
	return end - i == 1 && i > 0 && (unsigned char)text[i - 1] == 0xb0 &&
	    strchr("CFcf", text[i]) != NULL;
}

/* Text on both sides of an @. */
static bool
heading_address(const char *text, size_t len)
{
	for (size_t i = 1; i + 1 < len; i++)
		if (text[i] == '@' && text[i - 1] != ' ' && text[i + 1] != ' ')
			return true;
	return false;
}

bool
heading_empty(const char *text, size_t len)
{
	return strspn(text, " ") >= len;
}

bool
heading_value(const char *text, size_t len)
{
	size_t numbers = 0, least = 1, end;

	if (heading_address(text, len))
		return true;
	for (size_t i = 0; i < len; i = end) {
		enum kind kind = heading_kind((unsigned char)text[i]);

		end = heading_run(text, len, i);
		numbers += kind == KIND_DIGIT;
		if (kind != KIND_LETTER ||
		    heading_among(money, text + i, end - i) ||
		    heading_joined(text, len, i, end) || (numbers > 0 &&
		    heading_among(units, text + i, end - i)))
			continue;
		if (!heading_among(dates, text + i, end - i))
			return false;
		least = 2;
	}
	return numbers >= least;
}
