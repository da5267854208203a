/* sampled: the budget for a secret sample of a population. */
#pragma once

#include "number/fixed.h"

/*
 * Each person in a population is in the data with chance q, by an independent
 * coin, and nobody knows who is in it.  Then releases that are e-private for
 * the data, add-remove, are ln(1 + q (exp(e) - 1))-private for the population:
 *
 * Let P be the law of the releases without the person in the population, and
 * P_1 the law with her in the data for sure; each averages over everybody
 * else's coins.  With everybody else's coins fixed the data differ in her
 * alone, so exp(-e) P <= P_1 <= exp(e) P for every output, on average too.
 * Where she is part of the population the law is (1-q) P + q P_1, between (1 -
 * q + q exp(-e)) P and (1 - q + q exp(e)) P.  The upper bound is exp(E) P for E
 * = ln(1 + q (exp(e) - 1)), and the lower bound is exp(-E) P at least: (1-q+q
 * x)(1-q+q/x) >= 1, as x + 1/x >= 2.
 *
 * The bound is for the releases together, so the total is converted, not the
 * charges: for 0 < q <= 1
 *
 * e = ln(1 + (exp(E) - 1) / q) = E + ln((1 - (1-q) exp(-E)) / q),
 *
 * rounded down to 10^-9.  False from 10^9 on, or where nothing is left.
 */
bool sampled_total(struct rational population, struct rational q,
    struct rational *total);
