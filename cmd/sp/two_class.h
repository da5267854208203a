/*
 * two_class: sensitivity preprocessing for a database-ordered function whose
 * records have one of two sensitivities, exactly, on the grid.
 *
 * [CD20 Definition 3.1] with S_i = the class's sens, for the functions in
 * ordered.h.  Time: a walk of n_a^2 n_b / 2 comparisons for each bit of the
 * result's range, so let `a` be the smaller class.
 */
#ifndef TWO_CLASS_H
#define TWO_CLASS_H

#include "ordered.h"

/* Records with equal sensitivity: x ascending, 0 <= sens <= FIXED_MAX. */
struct record_class {
	const int64_t *x;
	size_t n;
	int64_t sens;
};

/*
 * floor(g + 1/2) for the records in the two classes together.  f->sens is not
 * used; f->alpha has at most 18 decimals; each class's n below 2^31 and |x[i]|
 * <= FIXED_MAX.  Allocates n_a^2 / 2 words.
 */
int64_t two_class_value(const struct ordered *f, const struct record_class *a,
    const struct record_class *b);

#endif
