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
 * A key's name: with several parts, each part after a length of one byte
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
	struct label all = text_trim(text, len);
	size_t i = 0;

	if (k->width == 1)
		return keys_find_parts(k, &all);
	while (i < k->n && id_by_bytes(keys_name(k, i), all) != 0)
		i++;
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

/*
 * Key i as cells are read, for the index.  The room is for all parts, and what
 * a schema writes of one is copied there.
 */
static struct label
keys_read(const struct keys *k, size_t i, struct text *room,
    const char *option)
{
	const struct label *key = &k->key[i * k->width];
	struct label part[KEYS_WIDTH];
	char word[KEYS_WIDTH][SCHEMA_BEFORE + SCHEMA_ROOM];

	if (k->view == NULL)
		return join(k, key, room);
	for (size_t p = 0; p < k->width; p++) {
		part[p] = key[p];
		if (!view_word(&k->view[p], &part[p], word[p] + SCHEMA_BEFORE))
			err_die(STATUS_USAGE, "%s: the schema knows no '%.*s' "
			    "in %s", option, (int)key[p].len, key[p].text,
			    k->view[p].name);
	}
	if (k->width > 1)
		return join(k, part, room);
	text_bytes(room, part->text, part->len);
	return (struct label){ room->buf, room->len };
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
		at = ids_name(&k->index, keys_read(k, i, &room, option));
		if (at <= i)
			err_die(STATUS_INPUT, "%s %s: key %zu repeats key %u",
			    option, path, i + 1, at);
	}
	text_free(&room);
}

static void
keys_load(struct keys *k, const char *option, const char *path)
{
	FILE *f = fopen(path, "rbe");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	k->width = 1;
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

static void
keys_load_table(struct keys *k, const struct opts *o,
    const char *const *names, size_t width)
{
	const struct table_form form = { o->delimiter, o->header ==
	    HEADER_NUMBERS ? HEADER_NUMBERS : HEADER_NAMES };
	const char *path = o->groups;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t cols[KEYS_WIDTH];
	struct table *t;

	if (fd < 0)
		err_sys("--groups %s", path);
	k->width = width;
	t = table_open(fd, path, &form, NULL);
	for (size_t i = 0; i < width; i++)
		cols[i] = table_find(t, names[i]);
	table_read(t, cols, width, gather_record, k);
	table_close(t);
	close(fd);
	index_keys(k, "--groups", path);
}

/* --- keys of a schema ----------------------------------------------------- */

const char KEYS_SCHEMA[] = "of the schema";

/* All combinations, the last column's values in turn. */
static void
keys_combine(struct keys *k)
{
	struct schema_list all[KEYS_WIDTH];
	size_t n = 1, p, rest;

	for (p = 0; p < k->width; p++) {
		view_listed(&k->view[p], &all[p]);
		if (all[p].n > KEYS_MOST / n)
			err_die(STATUS_USAGE, "the schema gives more than %d "
			    "keys", KEYS_MOST);
		n *= all[p].n;
	}
	for (size_t i = 0; i < n; i++)
		for (p = 0, rest = n; p < k->width; p++) {
			rest /= all[p].n;
			gather(k, all[p].at[i / rest % all[p].n].text,
			    all[p].at[i / rest % all[p].n].len);
		}
}

/* The schema's keys alone, to look up others. */
static bool
keys_listed(struct keys *all, const struct column_view *view, size_t width)
{
	struct schema_list list;

	*all = (struct keys){ .view = view, .width = width };
	for (size_t p = 0; p < width; p++) {
		view_keys(&view[p], &list);
		if (list.n == 0)
			return false;
	}
	keys_combine(all);
	index_keys(all, "schema", KEYS_SCHEMA);
	return true;
}

bool
keys_known(const struct column_view *view, size_t width,
    const struct label *parts)
{
	struct keys all;
	bool known = !keys_listed(&all, view, width) ||
	    keys_find_parts(&all, parts) < all.n;

	all.view = NULL;	/* the caller's */
	keys_free(&all);
	return known;
}

/* Every key that somebody wrote is one of the schema's. */
static void
keys_check(const struct keys *k, const char *option)
{
	struct keys all;
	struct text room = TEXT_INIT;

	if (!keys_listed(&all, k->view, k->width))
		return;
	for (size_t i = 0; i < k->n; i++, room.len = 0)
		if (ids_look(&all.index, keys_read(k, i, &room, option)) == 0)
			err_die(STATUS_USAGE, "%s: the schema does not list "
			    "key %zu, '%.*s'", option, i + 1,
			    (int)keys_name(k, i).len, keys_name(k, i).text);
	text_free(&room);
	all.view = NULL;	/* k's */
	keys_free(&all);
}

void
keys_of(struct keys *k, const struct opts *o, const char *option,
    const char *path, const char *list, const char *const *names,
    size_t width)
{
	size_t n = 0;

	*k = (struct keys){ .view = NULL };
	if (o->schema != NULL && o->schema->n > 0)
		k->view = views_open(o, list, &n);
	if (k->view != NULL && n != width)
		err_die(STATUS_INPUT, "'%s' is a column of the schema and a "
		    "list of the header's columns: quote the first", list);
	if (path == KEYS_SCHEMA) {
		k->width = n;
		keys_combine(k);
		index_keys(k, option, "");
		return;
	}
	if (width > 1)
		keys_load_table(k, o, names, width);
	else
		keys_load(k, option, path);
	if (k->view != NULL)
		keys_check(k, option);
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
	free((void *)k->view);
}
