/* bad: why a cell is not a number. */
#include "bad.h"

#include <regex.h>
#include <string.h>

#include "number/fixed.h"
#include "tool/err.h"

#define SHOWN (BAD_SHOWN - 4)	/* bytes shown from a cell */
#define SIGN "([$]|\342\202\254|\302\243|\302\245|USD|EUR|GBP|CHF|JPY)"

const struct bad_words bad_words[BAD_KINDS] = {
	[BAD_MISSING] = { "missing or longer than 64 KiB", "", NULL },
	[BAD_EMPTY] = { "empty", "", "^$" },
	[BAD_NA] = { "a word for no value", "",
	    "^(#?n/?a|nan|null|none|nil|missing|unknown|--?|[.?])$" },
	[BAD_SPACE] = { "with a no-break or thin space", "; take it out, or "
	    "name it as groupChar in a schema",
	    "^[-+]?[0-9 ]*(\302\240|\342\200[\211\257])" },
	[BAD_THOUSANDS] = { "with a thousands separator",
	    "; 49203 is a number, and 49,203 with groupChar in a "
	    "schema",
	    "^[-+]?[0-9]{1,3}((,[0-9]{3})+([.][0-9]*)?|"
	    "([.][0-9]{3})+(,[0-9]*)?|([' ][0-9]{3})+([.,][0-9]*)?)$" },
	[BAD_COMMA] = { "with a decimal comma",
	    "; 2.5 is a number, and 2,5 with decimalChar in a "
	    "schema", "^[-+]?[0-9]*,[0-9]+$" },
	[BAD_PERCENT] = { "with a percent sign", "; leave the sign out, "
	    "or say bareNumber false in a schema",
	    "^[-+]?[0-9].*%" },
	[BAD_MONEY] = { "with a currency sign", "; leave the sign out, "
	    "or say bareNumber false in a schema",
	    SIGN ".*[0-9]|[0-9].*" SIGN },
	[BAD_DATE] = { "a date or a time",
	    "; a schema reads it, by type and format",
	    "^[-+]?[0-9]{1,4}(:[0-9]{1,2}([^0-9]|$)|-[0-9]{1,2}-|"
	    "/[0-9]{1,2}/|[.][0-9]{1,2}[.])" },
	[BAD_TRUTH] = { "not a number but yes or no", "; a schema "
	    "reads it as type boolean",
	    "^(true|false|yes|no)$" },
	[BAD_BAND] = { "a bound or a band", "; write one number, such as its "
	    "middle", "^([<>]=? ?[0-9.]+|[0-9]+ ?([+]|(-|[.][.]) ?[0-9]+))$" },
	[BAD_TEXT] = { "not a number", "; laplace hist counts names", NULL },
	[BAD_CLASS] = { "not one of the classes", "", NULL },
	[BAD_WEIGHT] = { "not a whole number from 0 up", "; decimals are "
	    "weights of a survey: --sampling-weight COL --most W", NULL },
	[BAD_OWN] = { "not a number from 0 up", "", NULL },
	[BAD_BEYOND] = { "beyond 10^18", "; it counts as about that, or as an "
	    "end of --range", NULL },
	[BAD_HEAVY] = { "2^40 or more", "; under add-remove it counts as "
	    "1099511627776", NULL },
	[BAD_CODE] = { "a code for no value", "", NULL },
	[BAD_FORM] = { "not as the schema says", "", NULL },
};

void
bad_show(char to[BAD_SHOWN], const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && i < SHOWN; i++)
		to[i] = text[i] != '\0' ? text[i] : '?';
	strcpy(to + i, i < len ? "..." : "");
}

/* The first pattern that fits says why; the patterns are compiled once. */
enum bad
bad_kind(const struct cell *cell)
{
	static regex_t like[BAD_TEXT];
	static bool ready;
	char text[BAD_SHOWN];
	enum bad why;

	for (why = BAD_EMPTY; !ready && why < BAD_TEXT; why++)
		if (regcomp(&like[why], bad_words[why].like, REG_EXTENDED |
		    REG_ICASE | REG_NOSUB) != 0)
			err_die(STATUS_INPUT, "out of memory");
	ready = true;
	if (cell->missing)
		return BAD_MISSING;
	bad_show(text, cell->text, cell->len);
	for (why = BAD_EMPTY; why < BAD_TEXT && regexec(&like[why], text +
	    strspn(text, " "), 0, NULL, 0) != 0; why++)
		;
	return why;
}

bool
bad_beyond(const struct cell *cell)
{
	i128 x = 0;

	return fixed_cell_wide(cell->text, cell->len, 0, &x) &&
	    fixed_size(x) > (u128)fixed_pow10(FIXED_DIGITS);
}
