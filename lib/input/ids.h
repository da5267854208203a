/*
 * ids: names of people, compared in full, and a table that finds by them.
 *
 * Most ids are short and stand in the record of their person, so that looking
 * at one costs no further way through memory.
 */
#ifndef IDS_H
#define IDS_H

#include <endian.h>
#include <string.h>

#include "number/fixed.h"
#include "tool/text.h"

#define ID_NEAR 15		/* bytes that need no room apart */
#define ID_LENGTH 56		/* where in the second word it stands */
#define ID_FAR ((uint64_t)(ID_NEAR + 1) << ID_LENGTH)

/*
 * Two words that are equal for equal texts, and for short ones for these
 * only: up to ID_NEAR bytes, the first one lowest, and above them the length.
 * A longer text is elsewhere: its hash, and a number between a mark above and
 * its place below.
 */
struct id {
	uint64_t word[2];
};

/*
 * Records of one size that begin with their id, found by it.  A slot holds
 * half of a hash and the number of its record, 0 where it is free; the place
 * of a slot ascends with the hash, so that a larger table is filled from its
 * one end to the other.
 */
struct ids {
	uint64_t key[2];
	char *record;		/* number 0 is none */
	size_t size, records, room;	/* of one; all there are, with it */
	struct text texts;	/* of long ids, each behind its length */
	uint64_t *slot;
	size_t slots, n;
};

/* Until the next record comes. */
static inline void *
ids_at(const struct ids *t, size_t i)
{
	return t->record + i * t->size;
}

/* The key, which nobody knows, keeps chosen ids from sharing their slots. */
void ids_open(struct ids *t, const uint64_t key[2], size_t size);
void ids_close(struct ids *t);

static inline uint64_t
ids_bytes(const char *s, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, s, n);
	return le64toh(word);
}

/* Up to eight bytes, the first one lowest, by two reads that may overlap. */
static inline uint64_t
ids_word(const char *s, size_t n)
{
	if (n == 8)
		return ids_bytes(s, 8);
	if (n >= 4)
		return ids_bytes(s, 4) | ids_bytes(s + n - 4, 4) << 8 * (n - 4);
	if (n >= 2)
		return ids_bytes(s, 2) | ids_bytes(s + n - 1, 1) << 8 * (n - 1);
	return n == 1 ? ids_bytes(s, 1) : 0;
}

/* Both halves of a product, each factor mixed with a half of the key. */
static inline uint64_t
ids_fold(const struct ids *t, uint64_t a, uint64_t b)
{
	u128 product = (u128)(a ^ t->key[0]) * (b ^ t->key[1]);

	return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Of a long text. */
uint64_t ids_hash(const struct ids *t, struct label text);

/* The id with this text and its hash, to be found; changes nothing. */
static inline struct id
ids_make(const struct ids *t, struct label text, uint32_t *hash)
{
	size_t first = text.len < 8 ? text.len : 8;
	struct id id = { { 0, ID_FAR } };

	if (text.len <= ID_NEAR) {
		id.word[0] = ids_word(text.text, first);
		id.word[1] = ids_word(text.text + first, text.len - first) |
		    (uint64_t)text.len << ID_LENGTH;
	} else
		id.word[0] = ids_hash(t, text);
	*hash = (uint32_t)(ids_fold(t, id.word[0], id.word[1]) *
	    (t->key[0] | 1) >> 32);
	return id;
}

static inline bool
id_far(const struct id *id)
{
	return id->word[1] >= ID_FAR;
}

/* The record with this id; a new one, all 0 behind the id, if there is none. */
uint32_t ids_find(struct ids *t, const struct id *id, uint32_t hash,
    struct label text);

/* A record without an id, all 0. */
uint32_t ids_other(struct ids *t);

/*
 * Before ids_find, for speed alone: asks for the memory of the slot; then the
 * record that it may be, 0 for none.
 */
static inline size_t
ids_slot(const struct ids *t, uint32_t hash)
{
	return (size_t)((uint64_t)hash * t->slots >> 32);
}

uint32_t ids_guess(const struct ids *t, uint32_t hash);

/* Is this, with its text, the id of a record?  And if both are long? */
bool ids_far_same(const struct ids *t, const struct id *have,
    struct label text);

static inline bool
ids_same(const struct ids *t, const struct id *have, const struct id *id,
    struct label text)
{
	if (have->word[0] != id->word[0])
		return false;
	return id_far(id) ? ids_far_same(t, have, text) :
	    have->word[1] == id->word[1];
}

/* Orders of ids: byte by byte; whole numbers by value and before others. */
int id_by_bytes(struct label a, struct label b);
int id_by_number(struct label a, struct label b);

#endif
