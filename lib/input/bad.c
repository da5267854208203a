/* bad: why a cell is no number. */
#include "bad.h"

#include <string.h>
#include <strings.h>

#define SHOWN (BAD_SHOWN - 4)	/* bytes shown from a cell */

const struct bad_words bad_words[BAD_KINDS] = {
	[BAD_MISSING] = { "missing or longer than 64 KiB", "" },
	[BAD_EMPTY] = { "empty", "" },
	[BAD_NA] = { "a word for no value", "" },
	[BAD_THOUSANDS] = { "with a thousands separator",
	    "; 49203 is a number, 49,203 is not" },
	[BAD_COMMA] = { "with a decimal comma",
	    "; 2.5 is a number, 2,5 is not" },
	[BAD_PERCENT] = { "with a percent sign", "; leave the sign out" },
	[BAD_MONEY] = { "with a currency sign", "; leave the sign out" },
	[BAD_DATE] = { "a date or a time",
	    "; write it as a number, such as a year or seconds" },
	[BAD_TEXT] = { "not a number", "; laplace hist counts names" },
	[BAD_CLASS] = { "not one of the classes", "" },
	[BAD_WEIGHT] = { "not a whole number from 0 up", "; round it" },
	[BAD_OWN] = { "not a number from 0 up", "" },
};

void
bad_show(char to[BAD_SHOWN], const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < SHOWN; i++)
		to[i] = text[i] != '\0' ? text[i] : '?';
	strcpy(to + i, i < len ? "..." : "");
}

/* How many digits begin at s. */
static size_t
digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* 1,234 and 1 234 567.8 and 1.234,5 but not 12,34; 1.234 is a number. */
static bool
is_thousands(const char *s)
{
	size_t n = digits(s);
	char mark = s[n];

	if (n < 1 || n > 3 || mark == '\0' || strchr(",' .", mark) == NULL)
		return false;
	for (s += n; *s == mark && digits(s + 1) == 3; s += 4)
		;
	if ((*s == '.' || *s == ',') && *s != mark)
		s += 1 + digits(s + 1);
	return *s == '\0';
}

static bool
is_comma(const char *s)
{
	s += digits(s);
	return *s == ',' && s[1] != '\0' && s[1 + digits(s + 1)] == '\0';
}

/* Two or three numbers with one sign between, or a time. */
static bool
is_date(const char *s)
{
	size_t n = digits(s);
	char mark = s[n];

	if (n < 1 || n > 4 || mark == '\0' || strchr("-/.:", mark) == NULL)
		return false;
	s += n + 1;
	n = digits(s);
	return n > 0 && n <= 2 && (mark == ':' || s[n] == mark);
}

static bool
is_none(const char *s)
{
	static const char *const words[] = { "na", "n/a", "nan", "null",
	    "none", "nil", "missing", "unknown", "-", "--", ".", "?", "#n/a",
	    NULL };
	size_t i;

	for (i = 0; words[i] != NULL && strcasecmp(s, words[i]) != 0; i++)
		;
	return words[i] != NULL;
}

static bool
is_money(const char *s)
{
	static const char *const signs[] = { "$", "\342\202\254", "\302\243",
	    "\302\245", "USD", "EUR", "GBP", "CHF", "JPY", NULL };
	size_t i;

	for (i = 0; signs[i] != NULL && strstr(s, signs[i]) == NULL; i++)
		;
	return signs[i] != NULL && strpbrk(s, "0123456789") != NULL;
}

enum bad
bad_kind(const struct cell *cell)
{
	char text[BAD_SHOWN];
	const char *s = text;

	if (cell->missing || cell->len == 0)
		return cell->missing ? BAD_MISSING : BAD_EMPTY;
	bad_show(text, cell->text, cell->len);
	while (*s == ' ')
		s++;
	if (is_none(s))
		return BAD_NA;
	if (is_money(s))
		return BAD_MONEY;
	s += *s == '-' || *s == '+';
	if (digits(s) > 0 && strchr(s, '%') != NULL)
		return BAD_PERCENT;
	return is_thousands(s) ? BAD_THOUSANDS : is_comma(s) ? BAD_COMMA :
	    is_date(s) ? BAD_DATE : BAD_TEXT;
}
