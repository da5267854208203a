/* ids: names of people, compared in full, and a table to find names. */
#include "ids.h"

#include <stdlib.h>

#include "tool/err.h"
#include "tool/host.h"

#define FEW 16		/* slots to begin with */
#define SLOTS 32768	/* more of a table that has as many */

void
ids_open(struct ids *t, const uint64_t key[2], size_t size)
{
	*t = (struct ids){ .key = { key[0], key[1] }, .slots = FEW,
	    .size = size };
	t->slot = err_alloc(NULL, FEW, sizeof(*t->slot));
}

void
ids_open_public(struct ids *t)
{
	ids_open(t, (const uint64_t[2]){ 0 }, sizeof(struct id));
	host_random(t->key, sizeof(t->key));
}

void
ids_close(struct ids *t)
{
	free(t->record);
	text_free(&t->texts);
	free(t->slot);
	*t = (struct ids){ .slots = 0 };
}

void
ids_clear(struct ids *t)
{
	t->n = t->texts.len = 0;
	if (t->slots > 0)
		memset(t->slot, 0, t->slots * sizeof(*t->slot));
}

uint64_t
ids_hash(const struct ids *t, struct label text)
{
	uint64_t hash = text.len;
	size_t i;

	for (i = 0; text.len - i > 8; i += 8)
		hash = ids_fold(t, hash, ids_word(text.text + i, 8));
	return ids_fold(t, hash, ids_word(text.text + i, text.len - i));
}

/* Is `have', a record's id, equal to `id' with this text? */
static inline bool
same(const struct ids *t, const struct id *have, const struct id *id,
    struct label text)
{
	if (have->word[0] != id->word[0])
		return false;
	if (!id_far(id) || !id_far(have))
		return have->word[1] == id->word[1];
	return id_by_bytes(id_text(&t->texts, have), text) == 0;
}

static inline size_t
first_slot(const struct ids *t, uint32_t hash)
{
	return (size_t)((uint64_t)hash * t->slots >> 32);
}

static inline size_t
next_slot(const struct ids *t, size_t at)
{
	return at + 1 == t->slots ? 0 : at + 1;
}

/*
 * The table grows by fixed numbers of slots, large enough that entries move
 * rarely; no id is hashed again.
 */
static void
grow(struct ids *t)
{
	uint64_t *old = t->slot;
	size_t n = t->slots, at;

	if (n < SLOTS)
		t->slots += SLOTS / 4;
	else
		t->slots += n < 8 * SLOTS ? SLOTS : 32 * SLOTS;
	t->slot = err_alloc(NULL, t->slots, sizeof(*t->slot));
	for (size_t i = 0; i < n; i++) {
		if (old[i] == 0)
			continue;
		at = first_slot(t, (uint32_t)(old[i] >> 32));
		while (t->slot[at] != 0)
			at = next_slot(t, at);
		t->slot[at] = old[i];
	}
	free(old);
}

static uint32_t
new_record(struct ids *t, struct id id, struct label text)
{
	size_t i = t->n + 1;

	if (i >= UINT32_MAX)
		err_die(STATUS_INPUT, "out of memory");
	t->record = err_grow(t->record, t->n, &t->room, t->size);
	if (id_far(&id)) {
		id.word[1] = ID_FAR + t->texts.len;
		ids_text(&t->texts, text);
	}
	t->n = i;
	memset(ids_at(t, i), 0, t->size);
	memcpy(ids_at(t, i), &id, sizeof(id));
	return (uint32_t)i;
}

/* The slot of this id, or the free slot. */
static inline size_t
slot_of(const struct ids *t, const struct id *id, uint32_t hash,
    struct label text)
{
	size_t at = first_slot(t, hash);
	uint64_t entry;

	for (; (entry = t->slot[at]) != 0; at = next_slot(t, at))
		if (entry >> 32 == hash && same(t, ids_at(t,
		    (uint32_t)entry), id, text))
			break;
	return at;
}

uint32_t
ids_look(const struct ids *t, struct label text)
{
	struct id id = ids_make(t, text);

	return (uint32_t)t->slot[slot_of(t, &id, id_hash(t, &id), text)];
}

uint32_t
ids_find(struct ids *t, const struct id *id, uint32_t hash, struct label text)
{
	size_t at = slot_of(t, id, hash, text);
	uint32_t i = (uint32_t)t->slot[at];

	if (i > 0)
		return i;
	i = new_record(t, *id, text);
	t->slot[at] = (uint64_t)hash << 32 | i;
	if (t->n > t->slots / 5 * 4)
		grow(t);
	return i;
}

/* Asks for the memory of the first record with this hash. */
static void
ask(const struct ids *t, uint32_t hash)
{
	size_t at = first_slot(t, hash);
	const char *record;

	while (t->slot[at] != 0 && t->slot[at] >> 32 != hash)
		at = next_slot(t, at);
	if (t->slot[at] == 0)
		return;
	record = ids_at(t, (uint32_t)t->slot[at]);
	__builtin_prefetch(record, 1);
	__builtin_prefetch(record + t->size - 1, 1);
}

/*
 * The memory of an id is far from that of the last one.  So the memory of all
 * slots is fetched first, then that of their records, and then both are used.
 */
static void
ids_fetch(const struct ids *t, const uint32_t *hash, size_t n)
{
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&t->slot[first_slot(t, hash[i])]);
	for (size_t i = 0; i < n; i++)
		ask(t, hash[i]);
}

void
ids_find_all(struct ids *t, const struct id *id, const uint32_t *hash,
    size_t n, uint32_t *found)
{
	ids_fetch(t, hash, n);
	for (size_t i = 0; i < n; i++)
		found[i] = ids_find(t, &id[i], hash[i],
		    (struct label){ NULL, 0 });
}

void
ids_look_all(const struct ids *t, const struct id *id, size_t n,
    uint32_t *found)
{
	for (size_t i = 0; i < n; i++)
		found[i] = id_hash(t, &id[i]);
	ids_fetch(t, found, n);
	for (size_t i = 0; i < n; i++)
		found[i] = (uint32_t)t->slot[slot_of(t, &id[i], found[i],
		    (struct label){ NULL, 0 })];
}

uint32_t
ids_name(struct ids *t, struct label text)
{
	struct id id = ids_make(t, text);

	return ids_find(t, &id, id_hash(t, &id), text);
}

int
id_by_bytes(struct label a, struct label b)
{
	size_t least = a.len < b.len ? a.len : b.len;
	int c = least == 0 ? 0 : memcmp(a.text, b.text, least);

	return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

bool
id_is_whole(struct label a)
{
	for (size_t i = 0; i < a.len; i++)
		if (a.text[i] < '0' || a.text[i] > '9')
			return false;
	return a.len > 0;
}

struct label
id_without_zeros(struct label a)
{
	for (; a.len > 1 && *a.text == '0'; a.text++)
		a.len--;
	return a;
}

/* Numbers of equal value, such as 7 and 07, are two ids in byte order. */
int
id_by_number(struct label a, struct label b)
{
	struct label x = id_without_zeros(a), y = id_without_zeros(b);
	int c = id_by_bytes(x, y);

	if (id_is_whole(a) != id_is_whole(b))
		return id_is_whole(a) ? -1 : 1;
	if (id_is_whole(a) && x.len != y.len)
		return x.len < y.len ? -1 : 1;
	return id_is_whole(a) && c != 0 ? c : id_by_bytes(a, b);
}
