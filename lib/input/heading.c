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
static const char units[] =
	"kg g mg lb lbs km m cm mm ft l ml dl kcal kw kwh hz bpm mmhg kmh "
	"mph c h hr hrs min sec am pm day days week weeks month months year "
	"years yr yrs k mn bn mio million billion percent";

/* Before or after one. */
static const char money[] =
	"usd eur gbp chf jpy cny inr cad aud sek nok dkk pln brl us rs kr "
	"euro euros";

/* Beside two numbers: `Jan 2024' and `May' are names. */
static const char dates[] =
	"jan feb mar apr may jun jul aug sep oct nov dec january february "
	"march april june july august september october november december "
	"mon tue wed thu fri sat sun t z utc gmt";

/*
 * 0 for a digit, a for a letter, a dot for a mark.  Symbols are in two blocks
 * of UTF-8: from C2 on, as the pound and the degree, and from E2 on, as the
 * euro.  A byte that begins no letter is a symbol of another encoding.
 */
static char
heading_kind(char byte)
{
	unsigned char c = (unsigned char)byte;

	if (c >= '0' && c <= '9')
		return '0';
	if ((c | 32) >= 'a' && (c | 32) <= 'z')
		return 'a';
	return c > 0xc2 && c != 0xe2 ? 'a' : '.';
}

static bool
heading_among(const char *list, const char *word, size_t len)
{
	for (size_t n; *list != '\0'; list += n + (list[n] == ' ')) {
		n = strcspn(list, " ");
		if (n == len && strncasecmp(list, word, len) == 0)
			return true;
	}
	return false;
}

bool
heading_value(const char *text)
{
	const char *at = strchr(text + (*text == '@'), '@');
	size_t numbers = 0, least = 1, len = strlen(text), end;

	if (at != NULL && at[-1] != ' ' && at[1] != ' ' && at[1] != '\0')
		return true;
	for (size_t i = 0; i < len; i = end) {
		char kind = heading_kind(text[i]);

		for (end = i + 1; end < len && heading_kind(text[end]) == kind;)
			end++;
		numbers += kind == '0';
		if (kind != 'a' ||
		    heading_among(money, text + i, end - i) || (numbers > 0 &&
		    heading_among(units, text + i, end - i)))
			continue;
		if (!heading_among(dates, text + i, end - i))
			return false;
		least = 2;
	}
	return numbers >= least;
}
