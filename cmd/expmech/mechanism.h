/* mechanism: a choice's mechanism and its scale. */
#ifndef MECHANISM_H
#define MECHANISM_H

#include "random/select.h"

/* The mechanism of this name; any other ends the program with status 2. */
enum select_kind mechanism_named(const char *name);

/*
 * Scale for one eps-private choice when no score moves by more than sens >= 1
 * grid steps between neighbours: 2 sens / eps, and sens / eps where all
 * scores move the same way (monotonic).  False when it would not fit.
 */
bool mechanism_scale(struct scale *t, u128 sens, struct rational eps,
    bool monotonic);

/*
 * [KPAK20 Theorem 3] Scale 2c of the d_X form, c > 0 in grid steps: private
 * for a metric d when |u(x) - u(x')| <= c d(x, x').  False when it would not
 * fit.
 */
bool mechanism_metric(struct scale *t, struct rational c);

#endif
