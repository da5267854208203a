/* sp_personal: records with an epsilon of their own. */
#ifndef SP_PERSONAL_H
#define SP_PERSONAL_H

#include "sp.h"

/* What is wrong with columns of epsilons and of sensitivities, and notes. */
void sp_personal(struct sp *sp);

/* The same once S is known. */
void sp_levels(const struct sp *sp);

/*
 * --epsilon-level: the record at hand goes to those of its level, and the
 * value of an ordered function is that of both levels.
 */
void sp_level_add(struct sp *sp, int64_t x);
int64_t sp_level_ordered(const struct sp *sp, const struct ordered *f);

#endif
