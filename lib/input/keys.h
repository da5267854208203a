/* keys: a public list of names, read from a file, and its index. */
#ifndef KEYS_H
#define KEYS_H

#include <stddef.h>

#include "tool/text.h"

struct keys {
	struct label *key;	/* in the order of the file */
	size_t n;
	size_t *slot;		/* open addressing: index + 1, 0 is free */
	size_t mask;
	char *text;		/* what the labels point into */
};

/*
 * Reads one key per line, no header.  The file is public: what is wrong with
 * it (unreadable, empty, a key twice) ends the program with status 1.
 */
void keys_load(struct keys *k, const char *option, const char *path);

/* Index of the key with these bytes, or k->n where there is none. */
size_t keys_find(const struct keys *k, const char *text, size_t len);

void keys_free(struct keys *k);

#endif
