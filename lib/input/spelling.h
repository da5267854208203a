/*
 * spelling: texts that differ only in blanks at their ends, in the case of
 * letters, or in the way in which a number is written: 7, 7.0 and 07.
 *
 * For --check alone: what is found here hangs on private data.
 */
#pragma once

#include "ids.h"

struct spellings {
	struct ids forms;
	struct text texts;	/* of each form as it was first written */
};

void spelling_open(struct spellings *s);
void spelling_close(struct spellings *s);

/* The text that was added first among those spelled alike; this one if new. */
struct label spelling_add(struct spellings *s, struct label text);

/* The text among those added that is spelled alike; NULL where none is. */
struct label spelling_find(const struct spellings *s, struct label text);
