/* within: the smallest epsilon that keeps the 95 % noise error in bounds. */
#ifndef WITHIN_H
#define WITHIN_H

#include "number/fixed.h"
#include "tool/opts.h"

/*
 * Smallest epsilon of three significant digits (1e-7 to 9.99e7) for which
 * error(eps) <= bound.  error says the 95 % error of a release, which falls
 * as epsilon grows, or false where there is none; it may only look at public
 * things.  Exits with status 2 where no such epsilon exists.
 */
struct rational within_epsilon(struct rational bound,
    bool (*error)(void *arg, struct rational eps, struct rational *error95),
    void *arg);

/*
 * The bound that --within asks for: X itself, or a part of the width B - A of
 * the narrowest range, for a result in squared units of its square.  Exits
 * with status 2 where there is no range to take a part of.
 */
struct rational within_bound(const struct opts *o, bool squared);

#endif
