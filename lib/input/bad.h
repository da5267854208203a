/* bad: why a cell is not a number, for the curator's eyes. */
#pragma once

#include "table.h"

#define BAD_SHOWN 44	/* room for a shown cell */

/* Why a cell is bad. */
enum bad {
	BAD_MISSING, BAD_EMPTY, BAD_NA, BAD_SPACE, BAD_THOUSANDS, BAD_COMMA,
	BAD_PERCENT, BAD_MONEY, BAD_DATE, BAD_TRUTH, BAD_BAND, BAD_TEXT,
	BAD_CLASS, BAD_WEIGHT, BAD_OWN, BAD_BEYOND, BAD_HEAVY, BAD_CODE,
	BAD_FORM,
	BAD_KINDS
};

struct bad_words {
	const char *what;
	const char *hint;	/* begins with "; ", or empty */
	const char *like;	/* an extended regular expression, or NULL */
};

extern const struct bad_words bad_words[BAD_KINDS];

/* Why a cell is no number. */
enum bad bad_kind(const struct cell *cell);

/* Is the cell a number beyond 10^18, where numbers saturate? */
bool bad_beyond(const struct cell *cell);

/* The text made fit for a terminal, and cut where long. */
void bad_show(char to[BAD_SHOWN], const char *text, size_t len);
