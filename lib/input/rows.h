/* rows: the rows of all people as they come, then person by person. */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shares.h"

struct rows {
	size_t k;		/* set first: numbers in a row, */
	bool groups, weighted;	/* and whether rows differ in these */
	size_t n, room;
	int64_t *x;
	uint32_t *who;
	uint32_t *group;	/* NULL: all 0 */
	uint64_t *w;		/* NULL: all 1 */
	/* after rows_gather */
	uint32_t *order;	/* the rows of person 1, then those of 2, ... */
	uint32_t *end;		/* of each person's in order */
};

/* Appends a row of a person with this number, from 1. */
void rows_add(struct rows *r, uint32_t who, const struct share *row);

/* Brings together the rows of each person; the numbers are below people. */
void rows_gather(struct rows *r, size_t people);
size_t rows_count(const struct rows *r, size_t who);
struct share rows_get(const struct rows *r, size_t who, size_t i);

/* Forgets all rows but keeps the room for others. */
void rows_clear(struct rows *r);
void rows_free(struct rows *r);

#endif
