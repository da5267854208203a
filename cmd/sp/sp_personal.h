/* sp_personal: records with an epsilon or a sensitivity of their own. */
#ifndef SP_PERSONAL_H
#define SP_PERSONAL_H

#include "sp.h"

/* What is wrong with columns of epsilons and sensitivities, and notes. */
void sp_personal(struct sp *sp);

/* The same once S is known. */
void sp_levels(const struct sp *sp);

/* --epsilon-column: how many of the w equal records at hand are kept. */
uint64_t sp_keep(struct sp *sp, uint64_t w);

/*
 * --sensitivity-column, --epsilon-level: individual S_i.  The record at hand
 * is put aside; sp_aside says whether there are such records, and the value of
 * an ordered function or of the variance is then that of them.
 */
bool sp_aside(const struct sp *sp);
void sp_put_aside(struct sp *sp, int64_t x);
int64_t sp_aside_ordered(const struct sp *sp, const struct ordered *f);
int64_t sp_aside_spread(const struct sp *sp, u128 unit);

#endif
