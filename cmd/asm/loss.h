/*
 * loss: the loss of a model's prediction for a record, on the grid.
 *
 * Each loss is a fixed map from one record to one integer >= 0, at most
 * FIXED_MAX; so losses of neighbours differ in one record, whatever the
 * rounding.
 */
#pragma once

#include "number/fixed.h"

/*
 * (y - p)^2 and |y - p| to the nearest output step, which is `unit' cell steps,
 * of the square squared cell steps; exact.  Or the code of the square, in
 * squared cell steps.
 */
int64_t loss_square(int64_t y, int64_t p, u128 unit);
int64_t loss_code(int64_t y, int64_t p);
int64_t loss_absolute(int64_t y, int64_t p, u128 unit);

/*
 * The cross-entropy from logits on the grid with cell_digits decimals, in steps
 * of 10^-digits.  The label, on this grid, is a class 0..m-1 for z[0..m-1]; a
 * single logit is that of class 1, where class 0 has 0.  False for labels
 * outside.
 */
bool loss_classes(int64_t label, const int64_t *z, size_t m, int cell_digits,
    int digits, int64_t *loss);

/*
 * Is the label not the likeliest by the logits?  The first among equal logits
 * counts.  False for a label that is no class.
 */
bool loss_wrong(int64_t label, const int64_t *z, size_t m, int cell_digits,
    int64_t *wrong);

/*
 * The greatest loss with logits within [lo, hi], up to rounding: callers clamp
 * each record's loss at this bound.
 */
int64_t loss_classes_most(int64_t lo, int64_t hi, size_t m, int cell_digits,
    int digits);
