/*
 * pattern: a public set of keys, described instead of listed.
 *
 * A pattern is a range of integers (0..99999), a range of dates
 * (1900-01-01..2030-12-31) or an expression for words, such as
 * [A-Z]{2}-[0-9]{3,5} or (north|south)[0-9]{2}.  The keys are in order, by
 * number, date or bytes; a key's rank is the number of keys before.  Counting
 * is exact: no expression makes a word in two ways.
 */
#pragma once

#include "number/fixed.h"

#define PATTERN_KEYS ((uint64_t)1 << 62)	/* fewer than this */
#define PATTERN_LARGE "it has 2^62 keys or more: shorten the cells first, " \
    "say to the first element of a path or to 12 hex digits of a hash " \
    "(pattern [0-9a-f]{12}), or list the keys in a file for --keys"
#define PATTERN_LONG 1024	/* bytes in an expression, and in a key */
#define PATTERN_NONE UINT64_MAX

enum pattern_kind { PATTERN_WORDS, PATTERN_INTEGERS, PATTERN_DATES };

/*
 * A place in a word.  Among the words that can follow, before[b] come before
 * the words that start with byte b, and before[256] counts every word.
 */
struct word_state {
	uint64_t before[257];
	uint16_t next[256];
	bool accepts;		/* the word may end here */
};

struct pattern {
	uint64_t keys;
	enum pattern_kind kind;
	int64_t first;			/* number or day with rank 0 */
	struct word_state *state;	/* of words, the first at the start */
};

/* A pattern's fault, and after how many bytes. */
struct pattern_error {
	const char *why;
	size_t at;
};

/* False, with *error, where the text is no pattern. */
bool pattern_parse(struct pattern *p, const char *text,
    struct pattern_error *error);

/* A key's rank; PATTERN_NONE for bytes that are no key. */
uint64_t pattern_rank(const struct pattern *p, const char *text, size_t len);

/* The key with this rank, in buf of PATTERN_LONG bytes; returns the length. */
size_t pattern_key(const struct pattern *p, uint64_t rank, char *buf);

/*
 * The number of an existing day YYYY-MM-DD; later days have higher numbers.  A
 * time after it, after T or a blank, is no part of the day.
 */
bool pattern_day(const char *text, size_t len, int64_t *day);

/*
 * words.c: an expression for words is a row of characters, classes [a-z0-9_]
 * or \d and groups of words (north|south), each repeated by {m}, {m,n} or ?.
 * Words are in byte order, a word before its extensions.  The states are to be
 * given to free.
 */
bool words_parse(struct pattern *p, const char *text,
    struct pattern_error *error);
uint64_t words_rank(const struct word_state *state, const char *text,
    size_t len);
size_t words_key(const struct word_state *state, uint64_t rank, char *buf);
