/* near: the word that was meant, for messages about public names. */
#ifndef NEAR_H
#define NEAR_H

#include <stddef.h>

/*
 * The word that takes the fewest changes to become this text (a letter left
 * out, put in, changed, or two exchanged; case is free); NULL where it would
 * take more than a third of its letters.
 */
const char *near_word(const char *text, const char *const *words, size_t n);

#endif
