/* lap_universe: answers for the keys of a pattern, which nobody listed. */
#ifndef LAP_UNIVERSE_H
#define LAP_UNIVERSE_H

#include "lap.h"

/*
 * --universe against the other options; the column of --group becomes the
 * first of -c.
 */
void lap_universe_options(struct lap *l);

void lap_universe(struct lap *l);

/* The same under --check: says how many records are outside; exits. */
void lap_universe_check(struct lap *l);

#endif
