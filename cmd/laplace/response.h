/*
 * response: randomised response, bit by bit, record by record.
 *
 * [DMNS06 Section 3.3, Remark 1] A bit is reported unchanged with probability
 * e^eps / (1 + e^eps), or inverted, independently: eps-private for each record
 * under swap, even towards whoever collects the reports.
 */
#ifndef RESPONSE_H
#define RESPONSE_H

#include "random/rng.h"

/* True with probability exactly 1 / (1 + e^eps); eps > 0, den < 2^63. */
bool response_inverts(struct rng *r, struct rational eps);

/*
 * The unbiased estimate of how many of n bits were 1, when `ones` reported bits
 * are 1, on the grid with `digits` decimals; saturates at 2^126.  The estimate
 * may leave 0..n.  A function of public numbers: post-processing.
 */
i128 response_estimate(u128 ones, u128 n, struct rational eps, int digits);

/* e^eps - 1, for reports. */
long double response_growth(struct rational eps);

#endif
