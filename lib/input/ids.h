/*
 * ids: names of people, compared in full.
 *
 * Most ids are short and stand in the record of their person, so that looking
 * at one costs no further way through memory.
 */
#ifndef IDS_H
#define IDS_H

#include <stdbool.h>

#include "tool/text.h"

#define ID_NEAR 15		/* bytes that need no room apart */
#define ID_FAR 16		/* lengths that mean something else */
#define ID_NONE 17

/* Up to ID_NEAR bytes, zeros after them; else the way to a copy. */
struct id {
	unsigned char len;
	char text[ID_NEAR];
};

/* The id with this text; where it is long, only to be compared. */
struct id id_of(struct label text);

/* The same with a copy of a long text; id_free gives it back. */
struct id id_store(struct label text);
void id_free(struct id *id);

/* The text of a stored id. */
struct label id_text(const struct id *id);

/* Is this stored id that of the text, of which id_of made `want`? */
bool id_same(const struct id *have, const struct id *want,
    struct label text);

/* Orders of ids: byte by byte; whole numbers by value and before others. */
int id_by_bytes(struct label a, struct label b);
int id_by_number(struct label a, struct label b);

#endif
