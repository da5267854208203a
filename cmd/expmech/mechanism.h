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
 * Scale for one eps-private choice when the difference of two scores moves by
 * no more than this many grid steps between neighbours: twice what a score
 * moves by, or as much where all scores move the same way (monotonic).  [KPAK20
 * Theorem 3] For a metric d twice c, where |u(x) - u(x')| <= c d(x, x').  False
 * where no scale fits.
 */
bool mechanism_scale(struct scale *t, struct rational moves,
    struct rational eps);

#endif
