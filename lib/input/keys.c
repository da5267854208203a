/* keys: a public list of names, read from a file, and its index. */
#include "keys.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "tool/err.h"

/* Slot of the key, or the free one where it would go. */
static size_t
find_slot(const struct keys *k, const char *text, size_t len)
{
	size_t at = cells_hash(text, len) & k->mask;

	while (k->slot[at] != 0) {
		const struct label *l = &k->key[k->slot[at] - 1];

		if (l->len == len && memcmp(l->text, text, len) == 0)
			break;
		at = (at + 1) & k->mask;
	}
	return at;
}

size_t
keys_find(const struct keys *k, const char *text, size_t len)
{
	size_t found = k->slot[find_slot(k, text, len)];

	return found == 0 ? k->n : found - 1;
}

static char *
read_all(const char *option, const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t cap = 0, got;

	if (f == NULL)
		diesys(STATUS_INPUT, "%s %s", option, path);
	*len = 0;
	do {
		cap = cap * 2 + 4096;
		text = err_alloc(text, cap + 1, 1);
		got = fread(text + *len, 1, cap - *len, f);
		*len += got;
	} while (*len == cap);
	if (ferror(f))
		diesys(STATUS_INPUT, "%s %s", option, path);
	fclose(f);
	return text;
}

static void
add_line(struct keys *k, char *line, size_t len)
{
	if (len > 0 && line[len - 1] == '\r')
		len--;
	k->key[k->n++] = (struct label){ line, len };
}

static void
split_lines(struct keys *k, size_t len)
{
	char *at = k->text, *end = k->text + len;
	size_t lines = 1;
	char *p;

	for (p = at; p < end; p++)
		lines += *p == '\n';
	k->key = err_alloc(NULL, lines, sizeof(*k->key));
	while (at < end) {
		p = memchr(at, '\n', (size_t)(end - at));
		if (p == NULL)
			p = end;
		add_line(k, at, (size_t)(p - at));
		at = p + 1;
	}
}

static void
index_keys(struct keys *k, const char *option, const char *path)
{
	size_t i, at;

	for (k->mask = 15; k->mask < 2 * k->n; k->mask = 2 * k->mask + 1)
		;
	k->slot = err_alloc(NULL, k->mask + 1, sizeof(*k->slot));
	memset(k->slot, 0, (k->mask + 1) * sizeof(*k->slot));
	for (i = 0; i < k->n; i++) {
		at = find_slot(k, k->key[i].text, k->key[i].len);
		if (k->slot[at] != 0)
			die(STATUS_INPUT, "%s %s: line %zu repeats a key",
			    option, path, i + 1);
		k->slot[at] = i + 1;
	}
}

void
keys_load(struct keys *k, const char *option, const char *path)
{
	size_t len, mark = 0;

	*k = (struct keys){ 0 };
	k->text = read_all(option, path, &len);
	if (len >= 3 && memcmp(k->text, "\xef\xbb\xbf", 3) == 0)
		mark = 3;
	memmove(k->text, k->text + mark, len - mark);
	split_lines(k, len - mark);
	if (k->n == 0)
		die(STATUS_INPUT, "%s %s: no keys", option, path);
	index_keys(k, option, path);
}

void
keys_free(struct keys *k)
{
	free(k->key);
	free(k->slot);
	free(k->text);
}
