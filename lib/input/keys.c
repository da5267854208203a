/* keys: a public list of names, read from a file, and an index. */
#include "keys.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table.h"
#include "tool/err.h"

bool
keys_equal(const char *text, size_t len, const char *name)
{
	struct label l = text_trim(text, len);

	return l.len == strlen(name) && memcmp(l.text, name, l.len) == 0;
}

/*
 * A key's name: with several parts, each part behind a length of one byte
 * mostly, seven bits a byte, so that short parts make a short id.
 */
static struct label
join(const struct keys *k, const struct label *parts, struct text *room)
{
	size_t n;

	for (size_t p = 0; p < k->width; p++) {
		struct label l = text_trim(parts[p].text, parts[p].len);

		if (k->width == 1)
			return l;
		for (n = l.len; n > 127; n >>= 7)
			text_bytes(room, (char[]){ (char)(n | 128) }, 1);
		text_bytes(room, (char[]){ (char)n }, 1);
		text_bytes(room, l.text, l.len);
	}
	return (struct label){ room->buf, room->len };
}

size_t
keys_find_parts(const struct keys *k, const struct label *parts)
{
	char near[512];		/* most are short, one a row */
	struct text room = TEXT_INIT;
	size_t all = 0;
	uint32_t found;

	for (size_t p = 0; p < k->width; p++)
		all += sizeof(parts[p].len) + parts[p].len;
	if (all < sizeof(near))
		room = (struct text){ .buf = near, .cap = sizeof(near) };
	found = ids_look(&k->index, join(k, parts, &room));
	if (room.buf != near)
		text_free(&room);
	return found == 0 ? k->n : found - 1;
}

struct label
keys_name(const struct keys *k, size_t i)
{
	const struct label *key = &k->key[i * k->width];
	const struct label *last = key + k->width - 1;

	return (struct label){ key->text, (size_t)(last->text + last->len -
	    key->text) };
}

size_t
keys_find(const struct keys *k, const char *text, size_t len)
{
	struct label all = { text, len }, name;
	size_t i = 0;

	if (k->width == 1)
		return keys_find_parts(k, &all);
	all = text_trim(text, len);
	for (; i < k->n; i++) {
		name = keys_name(k, i);
		if (name.len == all.len && memcmp(name.text, all.text,
		    all.len) == 0)
			break;
	}
	return i;
}

/* Appends a part of a key; the text may still move. */
static void
gather(struct keys *k, const char *text, size_t len)
{
	struct label l = text_trim(text, len);

	k->key = err_grow(k->key, k->n, &k->room, sizeof(*k->key));
	text_bytes(&k->text, l.text, l.len);
	text_add(&k->text, ",");
	k->key[k->n++].len = l.len;
}

/* Makes keys of the parts, whose text moves no more. */
static void
index_keys(struct keys *k, const char *option, const char *path)
{
	struct text room = TEXT_INIT;
	uint32_t at;

	if (k->n == 0)
		err_die(STATUS_INPUT, "%s %s: no keys; the file lists those "
		    "that get an answer", option, path);
	for (size_t p = 0; p < k->width; p++)
		gather(k, KEYS_OTHERS, strlen(KEYS_OTHERS));
	const char *text = k->text.buf;

	for (size_t i = 0; i < k->n; text += k->key[i++].len + 1)
		k->key[i].text = text;
	k->n = k->n / k->width - 1;
	ids_open_public(&k->index);
	for (size_t i = 0; i < k->n; i++, room.len = 0) {
		at = ids_name(&k->index, join(k, &k->key[i * k->width],
		    &room));
		if (at <= i)
			err_die(STATUS_INPUT, "%s %s: key %zu repeats key %u",
			    option, path, i + 1, at);
	}
	text_free(&room);
}

void
keys_load(struct keys *k, const char *option, const char *path)
{
	FILE *f = fopen(path, "rbe");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	*k = (struct keys){ .width = 1 };
	if (f == NULL)
		err_sys("%s %s (a file with a key on each line)", option, path);
	while ((n = getline(&line, &room, f)) > 0) {
		const char *at = line, *end = line + n;

		if (k->n == 0 && n >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
			at += 3;
		end -= end > at && end[-1] == '\n';
		end -= end > at && end[-1] == '\r';
		gather(k, at, (size_t)(end - at));
	}
	if (!feof(f) || ferror(f))
		err_sys("%s %s", option, path);
	fclose(f);
	free(line);
	index_keys(k, option, path);
}

static void
gather_record(void *arg, const struct cell *cells, size_t fields)
{
	struct keys *k = arg;

	(void)fields;
	for (size_t p = 0; p < k->width; p++)
		gather(k, cells[p].text, cells[p].len);
}

void
keys_load_table(struct keys *k, const struct opts *o,
    const char *const *names, size_t width)
{
	const char *path = o->groups;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t cols[KEYS_WIDTH];
	struct table *t;

	if (fd < 0)
		err_sys("--groups %s", path);
	*k = (struct keys){ .width = width };
	t = table_open(fd, path, o->delimiter, o->header == HEADER_NUMBERS ?
	    HEADER_NUMBERS : HEADER_NAMES, NULL);
	for (size_t i = 0; i < width; i++)
		cols[i] = table_find(t, names[i]);
	table_read(t, cols, width, gather_record, k);
	table_close(t);
	close(fd);
	index_keys(k, "--groups", path);
}

void
keys_warn_header(const struct keys *k, const char *option, const char *name)
{
	size_t i = keys_find(k, name, strlen(name));

	if (*k->key->text == '"' || (memchr(k->key->text, ',', k->key->len) &&
	    memchr(k->key[k->n - 1].text, ',', k->key[k->n - 1].len)))
		err_warn("%s: keys hold commas or quotes, as in CSV", option);
	if (i < k->n)
		err_warn("%s: key %zu is '%s', the name of the column; a file "
		    "of keys has no header", option, i + 1, name);
}

void
keys_free(struct keys *k)
{
	free(k->key);
	ids_close(&k->index);
	text_free(&k->text);
}
