/*
 * lap_moments: K-norm noise for means, stats and covariances of several
 * columns; lap_moments.c has the proof.
 */
#ifndef LAP_MOMENTS_H
#define LAP_MOMENTS_H

#include "laplace/answer/cover.h"
#include "lap.h"

bool lap_moments_plan(struct lap *l);
void lap_moments_note(struct lap *l);

/* Adds w times a record to a group's totals, the number of records last. */
void lap_moments_take(const struct lap *l, const int64_t *x, uint64_t w,
    struct total *t);

/*
 * A group's columns with noise, and products into pairs a < b, row by row, in
 * persons of `record' records each; returns the number of persons.
 */
long double lap_moments_draw(struct lap *l, size_t group, long double record,
    struct unity_moments *column, struct unity_moments *pair);

#endif
