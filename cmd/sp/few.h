/*
 * few: sensitivity preprocessing of the sp functions where every record has a
 * sensitivity of its own, over all subsets of at most SUBSETS_MAX records.
 *
 * [CD20 Definition 3.1] with individual S_i.  The same results as sp-exec on
 * a command that computes the function.
 */
#ifndef FEW_H
#define FEW_H

#include <stdbool.h>
#include <stdint.h>

#include "ordered.h"
#include "subsets.h"

struct few {
	int64_t x[SUBSETS_MAX];		/* cell steps, in any order */
	int64_t sens[SUBSETS_MAX];	/* output steps, 0 .. FIXED_MAX */
	unsigned n;
};

/*
 * floor(g + 1/2) in steps: of an ordered function (f->sens is not used), and
 * of the variance in output steps of `unit` squared cell steps.  2^n words of
 * memory; false without.
 */
bool few_ordered(const struct ordered *f, const struct few *few,
    int64_t *value);
bool few_spread(u128 unit, const struct few *few, int64_t *value);

#endif
