/*
 * pattern: a public set of keys, described instead of listed.
 *
 * A pattern is a range of integers (0..99999), a range of dates
 * (1900-01-01..2030-12-31) or an expression for words, such as
 * [A-Z]{2}-[0-9]{3,5} or (north|south)[0-9]{2}.  The keys are in order, by
 * number, date or bytes; the rank of a key is how many stand before it.
 * Counting is exact: a word that an expression makes in two ways is one key.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "words.h"

#define PATTERN_KEYS WORDS_MOST		/* fewer than this */
#define PATTERN_LONG WORDS_STEPS	/* bytes of a key at most */
#define PATTERN_NONE WORDS_NONE

enum pattern_kind { PATTERN_WORDS, PATTERN_INTEGERS, PATTERN_DATES };

struct pattern {
	uint64_t keys;
	enum pattern_kind kind;
	int64_t first;			/* number or day of rank 0 */
	struct word_state *state;	/* of words */
};

/*
 * What is wrong with a pattern, and after how many of its bytes; NULL where
 * memory is short.
 */
struct pattern_error {
	const char *why;
	size_t at;
};

/* False, with *error, where the text is no pattern. */
bool pattern_parse(struct pattern *p, const char *text,
    struct pattern_error *error);

/* The rank of a key; PATTERN_NONE where these bytes are none. */
uint64_t pattern_rank(const struct pattern *p, const char *text, size_t len);

/* The key of this rank, in buf of PATTERN_LONG bytes; its length. */
size_t pattern_key(const struct pattern *p, uint64_t rank, char *buf);

/* The number of a day YYYY-MM-DD that there is; later days have higher ones. */
bool pattern_day(const char *text, size_t len, int64_t *day);

#endif
