/* mechanism: a choice's mechanism and its scale. */
#ifndef MECHANISM_H
#define MECHANISM_H

#include "random/select.h"

/*
 * The mechanism with this name; an unknown name ends the program with status
 * 2.
 */
enum select_kind mechanism_named(const char *name);

/*
 * Scale for one eps-private choice when no score moves by more than sens >= 1
 * grid steps between neighbours: 2 sens / eps.  If all scores move in one
 * direction (monotonic), scale_make's sens / eps is enough.  False where no
 * scale fits.
 */
bool mechanism_scale(struct scale *t, u128 sens, struct rational eps);

/*
 * [KPAK20 Theorem 3] The scale 2c for the d_X form, c > 0 in grid steps:
 * private for a metric d when |u(x) - u(x')| <= c d(x, x').  False where no
 * scale fits.
 */
bool mechanism_metric(struct scale *t, struct rational c);

#endif
