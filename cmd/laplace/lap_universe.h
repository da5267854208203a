/* lap_universe: hist --universe, keys of a pattern that nobody listed. */
#ifndef LAP_UNIVERSE_H
#define LAP_UNIVERSE_H

#include "lap.h"

void lap_universe(struct lap *l);

/* The same under --check: says how many records are outside; exits. */
void lap_universe_check(struct lap *l);

#endif
