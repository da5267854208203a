/*
 * subsets: sensitivity preprocessing for any function over every subset of at
 * most SUBSETS_MAX records, in one and two dimensions, record by record
 * sensitivities.
 *
 * A subset is the number whose bit i stands for record i; an array over subsets
 * has 2^n entries, entry 0 the empty set (the center).  The time is n 2^n
 * steps; nothing is allocated.
 */
#pragma once

#include "number/fixed.h"

#define SUBSETS_MAX 20

/*
 * [CD20 Definition 3.1] Turns f into g in place: f[0] is kept, and a subset's g
 * moves by at most sens[i] when record i comes or goes.  In grid steps: |f| <=
 * FIXED_MAX, 0 <= sens[i] <= FIXED_MAX, n <= SUBSETS_MAX.  Then |g| <= max |f|.
 */
void subsets_value(int64_t *f, const int64_t *sens, unsigned n);

/*
 * [CD20 Definition 8.2] subsets_value for the pair (a, b) of functions and the
 * l1 norm.  a and b come in grid steps and leave in HALF steps, and move
 * together by at most 2 sens[i] half steps in l1 norm, or sens[i] steps:
 * release a and b with noise, scale 2 S / eps half steps.  a + b and a - b are
 * saturated at +-PAIR_MAX of pair.h first (f is then the saturated function); 0
 * <= sens[i] <= PAIR_MAX.
 */
void subsets_pair(int64_t *a, int64_t *b, const int64_t *sens, unsigned n);
