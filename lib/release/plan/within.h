/* within: the smallest epsilon that keeps the 95 % noise error in bounds. */
#pragma once

#include "tool/opts.h"

/*
 * Smallest epsilon of three significant digits (1e-7 to 9.99e7) for which
 * error(eps) <= bound.  error says a release's 95 % error, which falls as
 * epsilon grows, or false for no error; error may look at public things alone.
 * Exits with status 2 where no epsilon will do.
 */
struct rational within_epsilon(struct rational bound,
    bool (*error)(void *arg, struct rational eps, struct rational *error95),
    void *arg);

/*
 * The bound that --within asks for: X, or a part of the narrowest range's width
 * B - A, or for a result in squared units of the squared width.  Exits with
 * status 2 for a part without a range.
 */
struct rational within_bound(const struct opts *o, int power);
