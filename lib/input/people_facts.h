/* people_facts: what a person adds to the facts of --check. */
#pragma once

#include "people.h"

/* A person with so many rows, of which `most' are kept; 0: all. */
static inline void
people_note(struct people_facts *f, uint64_t most, uint64_t rows)
{
	f->largest = rows > f->largest ? rows : f->largest;
	if (most > 0 && rows > most)
		f->cut += rows - most;
	if (f->rows != NULL)
		f->rows[FIXED_LEAST(rows, PER_GROUPS)]++;
}

/* Likewise, with rows in so many groups. */
static inline void
people_note_groups(struct people_facts *f, uint64_t most, size_t groups,
    uint64_t rows)
{
	people_note(f, most, rows);
	f->several += groups > 1;
	if (f->spread != NULL)
		f->spread[FIXED_LEAST(groups, PER_GROUPS)]++;
}
