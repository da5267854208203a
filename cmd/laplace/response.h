/*
 * response: randomised response, cell by cell, record by record.
 *
 * [DMNS06 Section 3.3, Remark 1] A cell with one of k values is reported truly
 * with the odds e^eps against each other value, independently: eps-private for
 * each record under swap, even towards whoever collects the reports.
 */
#pragma once

#include "random/rng.h"

/*
 * One of the values 0..k - 1, this one with probability e^eps / (e^eps + k -
 * 1), each other one with 1 / (e^eps + k - 1); each with 1 / k for the value k.
 * eps > 0, den < 2^63.
 */
size_t response_draw(struct rng *r, struct rational eps, size_t value,
    size_t k);

/*
 * The unbiased estimate of how many of n cells had a value that is reported
 * `told' times, on the grid with `digits' decimals; saturates at 2^126.  The
 * estimate may leave 0..n.  A function of public numbers: post-processing.
 */
i128 response_estimate(u128 told, u128 n, size_t k, struct rational eps,
    int digits);

/* e^eps - 1, for reports. */
long double response_growth(struct rational eps);
