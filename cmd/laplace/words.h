/*
 * words: an expression's words, counted and put in order.
 *
 * An expression is a row of characters, classes [a-z0-9_] or \d and groups of
 * words (north|south), each repeated by {m}, {m,n} or ?.  Words are in byte
 * order, a word before its extensions.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORDS_MOST ((uint64_t)1 << 62)	/* fewer words than this */
#define WORDS_STEPS 1024	/* bytes in an expression, and in a word */
#define WORDS_STATES WORDS_STEPS	/* in an expression, written out */
#define WORDS_NONE UINT64_MAX

/*
 * A place in a word.  Among the words that can follow, before[b] come before
 * the words that start with byte b, and before[256] counts every word.
 */
struct word_state {
	uint64_t before[257];
	uint16_t next[256];
	bool accepts;		/* the word may end here */
};

/*
 * An expression's states, which starts at the first state, to be given to free;
 * NULL with the fault and the number of bytes before.
 */
struct word_state *words_parse(const char *text, const char **why,
    size_t *at);

/* A word's rank, from 0; WORDS_NONE for bytes that are no word. */
uint64_t words_rank(const struct word_state *state, const char *text,
    size_t len);

/* The word with this rank, in buf of WORDS_STEPS bytes; returns the length. */
size_t words_key(const struct word_state *state, uint64_t rank, char *buf);

#endif
