/*
 * words: the words of an expression, counted and put in order.
 *
 * An expression is a row of characters, classes [a-z0-9_] or \d and groups of
 * words (north|south), each repeated by {m}, {m,n} or ?.  Words are ordered by
 * their bytes, a word before those that go on.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDS_MOST ((uint64_t)1 << 62)	/* fewer words than this */
#define WORDS_STEPS 1024	/* bytes of an expression, and of a word */
#define WORDS_STATES WORDS_STEPS	/* of an expression, written out */
#define WORDS_NONE UINT64_MAX

/*
 * A place in a word.  Of the words that can follow, before[b] come
 * before those that start with byte b, and before[256] are all.
 */
struct word_state {
	uint64_t before[257];
	uint16_t next[256];
	bool accepts;		/* the word may end here */
};

/*
 * The states of an expression, which starts at the first of them, to be given
 * to free; NULL with what is wrong, after how many bytes of the text, or with
 * *why = NULL where memory is short.
 */
struct word_state *words_parse(const char *text, const char **why,
    size_t *at);

/* The rank of a word, from 0; WORDS_NONE where these bytes are none. */
uint64_t words_rank(const struct word_state *state, const char *text,
    size_t len);

/* The word of this rank, in buf of WORDS_STEPS bytes; its length. */
size_t words_key(const struct word_state *state, uint64_t rank, char *buf);

#endif
