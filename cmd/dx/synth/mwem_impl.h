/* mwem_impl: what the sources of mwem share. */
#ifndef MWEM_IMPL_H
#define MWEM_IMPL_H

#include "mwem.h"

/* A measured query. */
struct mwem_past {
	size_t k;
	double m;		/* in grid steps */
	double top;		/* |q| at most, in grid steps */
	double unit;		/* grid steps of a coefficient of 1 in list */
	uint32_t *list;		/* of a 0/1 query: atoms with 1 */
	size_t len;
	double *coef;		/* of any other: of each atom */
};

/* Dense 0/1 queries, eight elements to a byte. */
struct mwem_bits {
	size_t count;
	size_t *where;		/* in truth and guess */
	double *unit;		/* grid steps of a 1 */
	unsigned char *bit;	/* group of 8 elements by query */
	double *acc;
};

/* Block of query k, its number and the place within. */
const struct block *mwem_block(const struct mwem *a, size_t k, size_t *b,
    size_t *in);

/* Grid steps of a coefficient 1 of the block. */
int64_t mwem_unit(const struct mwem *a, const struct block *b);

/* Room that a block takes in truth and guess. */
size_t mwem_places(const struct workload *w, const struct block *b);

/* First and last element of range number k of n elements. */
void mwem_range(size_t n, size_t k, size_t *first, size_t *last);

/* Prepares, and works out, y's answers from the mass of atoms. */
bool mwem_guess_open(struct mwem *a);
void mwem_guess(struct mwem *a);
void mwem_guess_close(struct mwem *a);

/* Makes atoms on which query h->k is constant, and its list or vector. */
bool mwem_place(struct mwem *a, struct mwem_past *h);

/* Scales y to n records, which also forgets rounding. */
void mwem_normalise(struct mwem *a);

/* Is every coefficient 0 or the same c > 0? */
bool mwem_binary(const struct block *b, size_t n, int64_t *c);

#endif
