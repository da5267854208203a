/* intake_weight: how often a record counts. */
#ifndef INTAKE_WEIGHT_H
#define INTAKE_WEIGHT_H

#include "intake.h"

/*
 * --epsilon-column: w becomes what w records with the private parameter of this
 * one count; false where they have no influence.  No number stands in for a bad
 * cell: nobody promised such a number.
 */
bool weight_own(struct intake *in, uint64_t *w);

/*
 * --sampling-weight: w becomes the record's weight, or a person's row takes it
 * along; false where the record does not count.  No number stands in for a bad
 * cell: how often a record counts is not for --on-bad to say.
 */
bool weight_sampled(struct intake *in, uint64_t *w);

#endif
