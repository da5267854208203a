/*
 * rows: the rows of all people, kept until the last row has come, and then
 * sorted by person.
 *
 * A row goes into a bin by the hash of the person's id.  All rows of a person
 * share a bin, and the table that tells the people of a bin apart fits a
 * processor's cache.  Threads sort the bins; neither the people of a bin nor
 * their order depends on the number of threads.
 */
#ifndef ROWS_H
#define ROWS_H

#include "ids.h"
#include "shares.h"

#define ROWS_BINS 64

struct rows_bin {
	int64_t *word;		/* rows as they come: id, numbers, group,
				   weight; then by person and without ids */
	size_t n, room;		/* in rows */
	/* after rows_sort, people having numbers from 1 up */
	size_t people;
	size_t *end;		/* of each person's rows */
};

struct rows {
	const struct ids *ids;	/* whose key hashes ids */
	size_t k, words;	/* numbers of a row; and its words, with the
				   group and the weight, if rows have any */
	bool groups, weighted;
	bool plain;		/* a row is one number; threads sort */
	unsigned threads;
	size_t bins;		/* 1 where there is one person at a time */
	struct rows_bin bin[ROWS_BINS];
	struct share *row;	/* of one person, */
	size_t room;		/* with room for so many */
};

void rows_open(struct rows *r, const struct ids *ids, size_t k, bool groups,
    bool weighted);
void rows_close(struct rows *r);

/*
 * Appends a row of a person; of weight 0: a bad one.  The id is a short one;
 * of equal ids the hashes are equal.
 */
void rows_add(struct rows *r, const struct id *id, uint32_t hash,
    const struct share *row);

/* Sorts the rows by person, with so many threads where they are many. */
void rows_sort(struct rows *r, unsigned threads);

/* A bin's person's rows in the order of shares_sort, until the next call. */
struct shares rows_of(struct rows *r, const struct rows_bin *b,
    size_t person);

/* Forgets the rows of a bin. */
void rows_forget(struct rows_bin *b);

#endif
