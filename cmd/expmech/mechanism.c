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
mechanism_scale(struct scale *t, u128 sens, struct rational eps)
{
	return scale_make(t, 2 * sens, eps);
}

/* [KPAK20 Theorem 3] Weight exp(u / 2c). */
bool
mechanism_metric(struct scale *t, struct rational c)
{
	struct rational one = { 1, 1 }, inverse;

	return rational_div(&inverse, one, c) && scale_make(t, 2, inverse);
}
