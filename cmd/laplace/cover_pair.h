/*
 * cover_pair: intervals for what the noisy totals of pairs of columns say.
 * Post-processing, like cover.h; cover_pair.c has the proofs.
 */
#ifndef COVER_PAIR_H
#define COVER_PAIR_H

#include "cover.h"
#include "unity_pair.h"

/*
 * |x| beyond the result has probability at most alpha, for the sum of n <=
 * PAIR_PARTS weights, each times `times' Laplace(1) of its own.
 */
double cover_sum(const double *weight, size_t n, size_t times, double alpha);

/*
 * Of cells on -1..1: the variance of column i of the pair, where m are the
 * averages of the sums of `pairs' pairs with that column; the covariance, with
 * the sums of one pair.
 */
struct cover cover_one_variance(const struct unity_moments *m, int i,
    size_t pairs, const struct cover_noise *noise);
struct cover cover_covariance(const struct unity_moments *m,
    const struct cover_noise *noise);

#endif
