/*
 * ids: names of people, compared in full, and a table from names to records.
 *
 * Most ids are short and stand inside the person's record, so that comparing
 * ids reads no further memory.
 */
#pragma once

#include <string.h>

#include "number/fixed.h"
#include "tool/text.h"

#define ID_NEAR 15		/* bytes in the longest short id */
#define ID_LENGTH 56		/* bit in the second word: the length */
#define ID_FAR ((uint64_t)(ID_NEAR + 1) << ID_LENGTH)

/*
 * Two words.  A short id has up to ID_NEAR bytes, the first byte lowest, and
 * the length in the highest byte: two short ids are equal if the words are.  A
 * long id has a hash, and the text's place below the mark ID_FAR.
 */
struct id {
	uint64_t word[2];
};

/*
 * Records with one size, each beginning with an id, and a hash table.  A slot
 * holds half a hash and a record's number; a free slot is 0.  Places ascend
 * with the hash, so that a larger table is filled from end to end.
 */
struct ids {
	uint64_t key[2];
	char *record;
	size_t size, n, room;	/* bytes in a record; records */
	struct text texts;	/* long ids, each after a length */
	uint64_t *slot;
	size_t slots;
};

/* Record i, from 1, valid until the next record comes. */
static inline void *
ids_at(const struct ids *t, size_t i)
{
	return t->record + (i - 1) * t->size;
}

/*
 * The key is secret, so that nobody can choose ids for a slot: neither people
 * nor who names the keys that records are looked up among.
 */
void ids_open(struct ids *t, const uint64_t key[2], size_t size);
void ids_close(struct ids *t);

/* Forgets all ids and keeps the room. */
void ids_clear(struct ids *t);

/* ids_open with a key of its own, and records of the id alone. */
void ids_open_public(struct ids *t);

static inline uint64_t
ids_bytes(const char *s, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, s, n);
	return fixed_low_first(word);
}

/* Up to eight bytes, the first byte lowest, by two reads that may overlap. */
static inline uint64_t
ids_word(const char *s, size_t n)
{
	if (n >= 4)
		return ids_bytes(s, 4) | ids_bytes(s + n - 4, 4) << 8 * (n - 4);
	if (n >= 2)
		return ids_bytes(s, 2) | ids_bytes(s + n - 1, 1) << 8 * (n - 1);
	return n == 1 ? ids_bytes(s, 1) : 0;
}

/* The two halves of a product, each factor mixed with half the key. */
static inline uint64_t
ids_fold(const struct ids *t, uint64_t a, uint64_t b)
{
	u128 product = (u128)(a ^ t->key[0]) * (b ^ t->key[1]);

	return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* A long text's hash. */
uint64_t ids_hash(const struct ids *t, struct label text);

/* The hash of an id; a long id has no place yet. */
static inline uint32_t
id_hash(const struct ids *t, const struct id *id)
{
	return (uint32_t)(ids_fold(t, id->word[0], id->word[1]) *
	    (t->key[0] | 1) >> 32);
}

/* The id for a text; the table stays as before. */
static inline struct id
ids_make(const struct ids *t, struct label text)
{
	size_t first = text.len < 8 ? text.len : 8;
	struct id id = { { 0, ID_FAR } };

	if (text.len <= ID_NEAR) {
		id.word[0] = ids_word(text.text, first);
		id.word[1] = ids_word(text.text + first, text.len - first) |
		    (uint64_t)text.len << ID_LENGTH;
	} else
		id.word[0] = ids_hash(t, text);
	return id;
}

/* The same for 1 to ID_NEAR bytes, where 16 before their end are readable. */
static inline struct id
ids_make_behind(struct label text)
{
	const char *end = text.text + text.len;
	u128 all = (u128)ids_bytes(end - 8, 8) << 64 | ids_bytes(end - 16, 8);

	all >>= 8 * (16 - text.len);
	return (struct id){ { (uint64_t)all, (uint64_t)(all >> 64) |
	    (uint64_t)text.len << ID_LENGTH } };
}

/* Are ids of short texts those of one text? */
static inline bool
id_same(struct id a, struct id b)
{
	return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

/*
 * A place below 2^bits for a short text.  With these factors 9 in 10 days of
 * ten years have a place of their own among 2^13, in any order of day, month
 * and year.
 */
static inline size_t
id_place(struct id id, unsigned bits)
{
	return (size_t)((id.word[0] * UINT64_C(0xbf82ff4317e33505) +
	    id.word[1] * UINT64_C(0x790bce26a41b68a3)) >> (64 - bits));
}

static inline bool
id_far(const struct id *id)
{
	return id->word[1] >= ID_FAR;
}

/* Appends a long id's text. */
static inline void
ids_text(struct text *texts, struct label text)
{
	text_bytes(texts, (const char *)&text.len, sizeof(text.len));
	text_bytes(texts, text.text, text.len);
}

/* A long id's text, from the texts; an empty label for a short id. */
static inline struct label
id_text(const struct text *texts, const struct id *id)
{
	const char *at;
	size_t len;

	if (!id_far(id))
		return (struct label){ NULL, 0 };
	at = texts->buf + (id->word[1] - ID_FAR);
	memcpy(&len, at, sizeof(len));
	return (struct label){ at + sizeof(len), len };
}

/* The record with this id, or a new one that is 0 after the id. */
uint32_t ids_find(struct ids *t, const struct id *id, uint32_t hash,
    struct label text);

/* ids_find for a text. */
uint32_t ids_name(struct ids *t, struct label text);

/* The record with the id of a text, or 0. */
uint32_t ids_look(const struct ids *t, struct label text);

/* ids_find for n short ids at once; faster with many records. */
void ids_find_all(struct ids *t, const struct id *id, const uint32_t *hash,
    size_t n, uint32_t *found);

/* The records with n short ids, 0 where there is none. */
void ids_look_all(const struct ids *t, const struct id *id, size_t n,
    uint32_t *found);

/* Orders of ids: by bytes; or whole numbers by value, then texts by bytes. */
int id_by_bytes(struct label a, struct label b);
int id_by_number(struct label a, struct label b);

/* Digits alone, one at least; and such a number without zeros in front. */
bool id_is_whole(struct label a);
struct label id_without_zeros(struct label a);
