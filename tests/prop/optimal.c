/*
 * optimal: what no other function of bounded sensitivity does better than g,
 * and where the construction ends [CD20 sections 4 and 8].
 *
 * Databases are the subsets of n records, as bits; f and g are tables over
 * them in whole steps.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "samples.h"
#include "sp/subsets.h"

#define MOST 5
#define SIZE (1 << MOST)

static void
draw_case(uint64_t *state, unsigned n, int64_t most, int64_t *f, int64_t *sens)
{
	for (unsigned d = 0; d < 1u << n; d++)
		f[d] = (int64_t)draw(state, (uint64_t)(2 * most + 1)) - most;
	for (unsigned i = 0; i < n; i++)
		sens[i] = (int64_t)draw(state, 5);
}

/*
 * Where g(d) is below f(d), a proper subset e with g(d) >= f(e) + more for
 * each record of d that e lacks, by sign = 1; above by sign = -1.
 */
static bool
has_witness(const int64_t *f, const int64_t *g, const int64_t *sens,
    unsigned n, unsigned d, int64_t more)
{
	int64_t sign = f[d] > g[d] ? 1 : -1;

	for (unsigned e = 0; e < d; e++) {
		int64_t sum = 0;

		if ((e & ~d) != 0)
			continue;
		for (unsigned i = 0; i < n; i++)
			sum += ((d & ~e) >> i & 1) ? sens[i] + more : 0;
		if (sign * g[d] >= sign * f[e] + sum)
			return true;
	}
	return false;
}

/* [CD20 Lemma 4.3]; the twin asks for a step more than S of each record. */
Test(optimal, what_binds_g_is_the_value_of_a_subset)
{
	uint64_t state = 1;
	int found = 0, twin = 0;

	for (int run = 0; run < 3000; run++) {
		unsigned n = 1 + (unsigned)draw(&state, MOST);
		int64_t f[SIZE], g[SIZE], sens[MOST];

		draw_case(&state, n, 20, f, sens);
		memcpy(g, f, sizeof g);
		subsets_value(g, sens, n);
		for (unsigned d = 1; d < 1u << n; d++) {
			if (f[d] == g[d])
				continue;
			cr_assert(has_witness(f, g, sens, n, d, 0));
			twin += !has_witness(f, g, sens, n, d, 1);
			found++;
		}
	}
	cr_expect_gt(found, 1000);
	cr_expect_gt(twin, 1000);
}

#define REACH 5			/* h is within this of 0 */

/* Does h come closer to f somewhere, and stay as close everywhere? */
static bool
improves(const int64_t *f, const int64_t *g, const int64_t *h)
{
	bool closer = false;

	for (unsigned d = 0; d < 4; d++) {
		if (llabs(f[d] - h[d]) > llabs(f[d] - g[d]))
			return false;
		closer = closer || llabs(f[d] - h[d]) < llabs(f[d] - g[d]);
	}
	return closer;
}

/* All h on the subsets of two records that no record moves beyond its S. */
static bool
beaten(const int64_t *f, const int64_t *g, const int64_t *sens)
{
	const int side = 2 * REACH + 1;
	int64_t h[4];

	for (int code = 0; code < side * side * side * side; code++) {
		for (int d = 0, rest = code; d < 4; d++, rest /= side)
			h[d] = rest % side - REACH;
		if (llabs(h[1] - h[0]) <= sens[0] &&
		    llabs(h[3] - h[2]) <= sens[0] &&
		    llabs(h[2] - h[0]) <= sens[1] &&
		    llabs(h[3] - h[1]) <= sens[1] && improves(f, g, h))
			return true;
	}
	return false;
}

/* [CD20 Lemma 4.5]; the twin is the constant f(empty), of sensitivity 0. */
Test(optimal, nobody_is_closer_somewhere_and_farther_nowhere)
{
	uint64_t state = 2;
	int twin = 0;

	for (int run = 0; run < 150; run++) {
		int64_t f[SIZE], g[SIZE], sens[MOST], same[4];

		draw_case(&state, 2, REACH, f, sens);
		memcpy(g, f, sizeof g);
		subsets_value(g, sens, 2);
		for (int d = 0; d < 4; d++)
			same[d] = f[0];
		cr_assert(!beaten(f, g, sens));
		twin += beaten(f, same, sens);
	}
	cr_expect_gt(twin, 50);
}

#define VARS 3
#define CLAUSES 12		/* of two literals, of different variables */

/* Clause c under an assignment, whose bits are the variables that are false. */
static bool
holds(int c, unsigned off)
{
	static const unsigned var[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
	const unsigned *v = var[c / 4];

	return (off >> v[0] & 1) == (unsigned)(c & 1) ||
	    (off >> v[1] & 1) == (unsigned)(c >> 1 & 1);
}

static bool
satisfies(unsigned formula, unsigned off)
{
	for (int c = 0; c < CLAUSES; c++)
		if ((formula >> c & 1) != 0 && !holds(c, off))
			return false;
	return true;
}

/*
 * [CD20 Proposition 4.6] The gadget f(D) = |D| - phi(D, the others true) with
 * S = 1: g of all variables false is below n where phi can be satisfied.  The
 * paper sets f(empty) = 0, which overlooks a phi that only "all true"
 * satisfies; f(empty) = -phi(all true) mends it.  (tests/cli/sp-exec.cases has
 * the gadget as a command.)
 */
Test(optimal, the_gadget_tells_whether_a_formula_can_be_satisfied)
{
	static const int64_t one[VARS] = { 1, 1, 1 };
	int overlooked = 0;

	for (unsigned formula = 0; formula < 1u << CLAUSES; formula++) {
		int64_t f[1 << VARS], g[1 << VARS];
		unsigned only = 0, d;

		for (d = 0; d < 1u << VARS; d++) {
			f[d] = __builtin_popcount(d) - satisfies(formula, d);
			only |= (unsigned)satisfies(formula, d) << d;
		}
		memcpy(g, f, sizeof g);
		subsets_value(g, one, VARS);
		cr_assert_eq(g[d - 1] < VARS, only != 0);
		f[0] = 0;
		subsets_value(f, one, VARS);
		cr_assert(only == 1 || (f[d - 1] < VARS) == (only != 0));
		overlooked += only == 1 && f[d - 1] == VARS;
	}
	cr_expect_gt(overlooked, 0, "twin");
}

/*
 * [CD20 Lemma 8.4, Definition 8.1] g of D without i and of D without j are
 * within S_i + S_j, so that the l1 balls about them meet; in half steps.  The
 * twin asks that f be so.
 */
Test(optimal, balls_about_neighbours_of_one_database_meet)
{
	uint64_t state = 4;
	int twin = 0;

	for (int run = 0; run < 1000; run++) {
		unsigned n = 2 + (unsigned)draw(&state, MOST - 1);
		int64_t f[2][SIZE], g[2][SIZE], sens[MOST];
		unsigned all = (1u << n) - 1;

		draw_case(&state, n, 20, f[0], sens);
		draw_case(&state, n, 20, f[1], sens);
		memcpy(g, f, sizeof g);
		subsets_pair(g[0], g[1], sens, n);
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; j < i; j++) {
				unsigned d = all & ~(1u << i);
				unsigned e = all & ~(1u << j);
				int64_t s = 2 * (sens[i] + sens[j]);

				cr_assert_leq(llabs(g[0][d] - g[0][e]) +
				    llabs(g[1][d] - g[1][e]), s);
				twin += 2 * llabs(f[0][d] - f[0][e]) +
				    2 * llabs(f[1][d] - f[1][e]) > s;
			}
	}
	cr_expect_gt(twin, 100);
}

