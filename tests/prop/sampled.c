/* What may be spent on a secret sample, beside its formula and its law. */
#include <criterion/criterion.h>

#include <math.h>

#include "budget/sampled.h"

/*
 * E, q and the first 20 decimals of ln(1 + (exp(E) - 1) / q), by Python's
 * decimal with 60 digits.
 */
static const struct {
	struct rational population, q;
	long double total;
} table[] = {
	{ { 1, 1 }, { 1, 100 }, 5.15229793824444203004L },
	{ { 1, 10 }, { 1, 10 }, 0.71867319248707213637L },
	{ { 1, 1 }, { 1, 2 }, 1.48988012564474997671L },
	{ { 1, 1 }, { 99, 100 }, 1.00636475803601146078L },
	{ { 3, 1 }, { 1, 3 }, 4.06485757561258360323L },
	{ { 1, 1000 }, { 1, 1000 }, 0.69339723264848669381L },
	{ { 1, 1000000 }, { 1, 1000000 }, 0.69314743055999739276L },
	{ { 20, 1 }, { 1, 1000 }, 26.90775527692304458112L },
	{ { 50, 1 }, { 1, 7 }, 51.94591014905531330511L },
	{ { 1000, 1 }, { 1, 2 }, 1000.69314718055994530942L },
	{ { 1, 3 }, { 2, 7 }, 0.86904963216116687611L },
	{ { 1, 1 }, { 1, 2147483647 }, 22.02888745177656543609L },
	{ { 2147483646, 2147483647 }, { 2147483646, 2147483647 },
	    0.99999999982869278578L },
	{ { 7, 10 }, { 1, 20 }, 3.05753521966933769860L },
	{ { 1, 1000000000 }, { 1, 1000000000 }, 0.69314718080994530947L },
};

#define ROWS (sizeof(table) / sizeof(table[0]))

/* The law says that a chance may only help: e >= E; of nine decimals. */
Test(sampled, bounds_are_below_and_close)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct rational total;
		long double e;

		cr_assert(sampled_total(table[i].population, table[i].q,
		    &total));
		e = (long double)total.num / (long double)total.den;
		cr_assert(e <= table[i].total, "row %zu: %.12Lf", i, e);
		cr_assert(e > table[i].total - 2e-9L, "row %zu: %.12Lf", i, e);
		cr_assert_eq(1000000000 % (int64_t)total.den, 0, "row %zu", i);
	}
	cr_assert_not(sampled_total((struct rational){ 2000000000, 1 },
	    (struct rational){ 1, 100 }, &(struct rational){ 0, 1 }));
}

/*
 * A population of n people, each in the sample with chance q; released is
 * whether somebody is there, flipped with chance 1 / (1 + exp(e)).  All 2^n
 * samples are enumerated.  This is the release that the bound is tight for.
 */
static double
chance(unsigned n, double q, double e, bool answer)
{
	const double truth = 1 / (1 + exp(-e));
	double sum = 0;

	for (unsigned s = 0; s < 1u << n; s++) {
		double p = 1;

		for (unsigned i = 0; i < n; i++)
			p *= s >> i & 1 ? q : 1 - q;
		sum += p * ((s != 0) == answer ? truth : 1 - truth);
	}
	return sum;
}

/* The largest loss between a population and one person less. */
static double
loss(unsigned n, double q, double e)
{
	double most = 0;

	for (int answer = 0; answer <= 1; answer++)
		most = fmax(most, fabs(log(chance(n, q, e, answer) /
		    chance(n - 1, q, e, answer))));
	return most;
}

Test(sampled, a_toy_population_gets_what_it_was_promised)
{
	for (int64_t k = 1; k <= 99; k += 7)
		for (int64_t t = 1; t <= 30; t += 4) {
			const struct rational q = { k, 100 }, pop = { t, 10 };
			const double promise = (double)t / 10;
			struct rational total;
			double e;

			cr_assert(sampled_total(pop, q, &total));
			e = (double)total.num / (double)total.den;
			for (unsigned n = 1; n <= 3; n++)
				cr_assert(loss(n, (double)k / 100, e) <=
				    promise + 1e-12);
			/* one person: nothing is given away */
			cr_assert(loss(1, (double)k / 100, e) > promise - 1e-8);
			cr_assert(loss(1, (double)k / 100, e + 1e-6) >
			    promise, "a twin that spends more is seen");
		}
}
