/* sp_personal: records with private epsilons. */
#ifndef SP_PERSONAL_H
#define SP_PERSONAL_H

#include "sp.h"

/* Refuses wrong columns of epsilons and sensitivities, and notes the facts. */
void sp_personal(struct sp *sp);

/* sp_personal once S is known. */
void sp_levels(const struct sp *sp);

/*
 * --epsilon-level: the record at hand goes to the records of a level, and an
 * ordered function takes the two levels together.
 */
void sp_level_add(struct sp *sp, int64_t x);
int64_t sp_level_ordered(const struct sp *sp, const struct ordered *f);

#endif
