/*
 * rows: the rows of people, kept until they are folded or handed over.
 *
 * A row goes into a bin by the hash of the person's id.  All rows of a person
 * share a bin, and the table that tells the people of a bin apart fits a
 * processor's cache.  Threads work on the bins; neither the people of a bin nor
 * their order depends on the number of threads.
 */
#pragma once

#include "ids.h"
#include "shares.h"

#define ROWS_BINS 64
#define ROWS_WINDOW 64		/* rows whose people are looked up together */
#define ROWS_ID 2		/* words of an id in a row */

/* A row as it comes. */
struct people_row {
	uint64_t group;		/* below 2^63 - 1 */
	const int64_t *x;	/* k numbers; NULL: the row is bad */
	uint64_t w;		/* equal rows; 0 is as good as a bad row */
	uint64_t own;		/* the part by the own epsilon, below 2^63 */
};

/*
 * Rows one after the other, with an id, numbers, group and weight: on the way
 * from a thread, or in a bin.
 */
struct pile {
	int64_t *word;
	size_t n, room;		/* in rows */
	bool merged;		/* a word more: how many rows a row was */
	struct text far;	/* long ids of rows on the way */
};

struct rows_bin {
	struct pile pile;	/* after rows_sort by person and without ids */
	size_t enough;		/* fewer rows are not worth a try to merge */
	struct ids ids;		/* the people met so far, from 1 up */
	size_t people;		/* after rows_sort, */
	size_t *end;		/* and the end of each person's rows */
	_Atomic bool ready;	/* to be handed over */
};

struct rows {
	struct ids far;		/* long ids; the key hashes all ids */
	size_t k, words;	/* numbers of a row; and its words: the group
				   and the part if rows have any, the numbers,
				   and the weight likewise */
	bool groups, owned, weighted;
	bool merges;		/* rows whose first words are the same merge: */
	size_t same;		/* so many; the words after these add up */
	size_t enough;		/* rows of a bin that are worth a try */
	size_t bins;		/* 1: a bin never holds two people */
	size_t record;		/* bytes in a bin's record of a person */
	struct rows_bin bin[ROWS_BINS];
	struct share *row;	/* of one person, */
	size_t room;		/* with room for so many */
};

/* With k to same set, and the rest 0; but `words'. */
void rows_open(struct rows *r, const uint64_t key[2]);
void rows_close(struct rows *r);

/* Adds a row of the person with this name to a pile, in any thread. */
void rows_add(const struct rows *r, struct pile *to, struct label name,
    const struct people_row *row);
void pile_free(struct pile *p);

/* The id at a row; the text of a long id is in its pile. */
static inline struct id
rows_id(const int64_t *row)
{
	return (struct id){ { (uint64_t)row[0], (uint64_t)row[1] &
	    INT64_MAX } };
}

/* Is a row good?  No short id has the highest bit. */
static inline bool
rows_good(const int64_t *row)
{
	return row[1] >= 0;
}

/* The name at a row of a pile on the way; `room' is for a short one. */
struct label rows_name(const struct pile *p, const int64_t *row,
    struct id *room);

/* The next row of a pile after `row'. */
static inline const int64_t *
rows_next(const struct rows *r, const struct pile *p, const int64_t *row)
{
	return row + ROWS_ID + r->words + p->merged;
}

/*
 * Copies a row from a pile into the bin of its person, and now and then merges
 * the bin's rows.
 */
void rows_put(struct rows *r, const struct pile *from, const int64_t *row);

/* The numbers of n <= ROWS_WINDOW rows' people, among those of the bin. */
void rows_people(const struct rows *r, struct rows_bin *b, const int64_t *row,
    size_t n, uint32_t *person);

/* What a thread needs to sort a bin, used again for the next: begins as 0. */
struct rows_room {
	struct ids ids;
	size_t rows;		/* room for so many */
	uint32_t *person;	/* of each row */
	int64_t *word;		/* of rows without ids */
};

/* Sorts a bin's rows by person. */
void rows_sort(const struct rows *r, struct rows_bin *b,
    struct rows_room *room);
void rows_room_free(struct rows_room *room);

/* A bin's person's rows in the order of shares_sort, until the next call. */
struct shares rows_of(struct rows *r, const struct rows_bin *b,
    size_t person);

/* Forgets the rows and the people of a bin. */
void rows_forget(struct rows_bin *b);
