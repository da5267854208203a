/* mechanism: a choice's mechanism and its scale. */
#include "mechanism.h"

#include "tool/opts.h"

enum select_kind
mechanism_named(const char *name)
{
	static const char *const names[] = { "exponential", "permute-and-flip",
	    NULL };

	return (enum select_kind)opts_choose("--mechanism", name, names);
}

bool
mechanism_scale(struct scale *t, struct rational moves, struct rational eps)
{
	return rational_div(&moves, moves, eps) && moves.num > 0 &&
	    scale_make(t, (u128)moves.num, (struct rational){ moves.den, 1 });
}
