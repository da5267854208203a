/* Gives a tally's memory back; asm-estimate keeps its tallies to the end. */
#include <stdlib.h>

#include "asm/tally.h"

static inline void
tally_free(struct tally *t)
{
	free(t->x);
	free(t->w);
	free(t->low);
	free(t->high);
}
