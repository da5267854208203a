/*
 * descent: what one record more or less makes of the odds of every way down,
 * and whether look, halvings and counts are the budget.
 *
 * Off the record's path nothing changes, so the worst way down is found among
 * all paths of counts that do not rise.  The law of noise is its definition.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "dx/synth/ladder.h"
#include "dx/synth/map.h"

#define MOST 90			/* records */
#define DEPTH 12
#define MARGIN 1e-12L

/* ln P[b + X > 0], or ln P[b + X <= 0], for a node with c records. */
static long double
odds(const struct scale *t, int64_t c, unsigned depth, bool halved)
{
	long double a = expl(-(long double)t->r / (long double)t->s);
	long double b = (long double)descent_lead(t, c, depth), far;

	far = powl(a, b > 0 ? b : 1 - b) / (1 + a);
	return logl((b > 0) == halved ? 1 - far : far);
}

/* What a record more changes in it, up or down by sign. */
static long double
change(const struct scale *t, int64_t c, unsigned depth, bool halved, int sign)
{
	return sign * (odds(t, c + 1, depth, halved) - odds(t, c, depth,
	    halved));
}

/* The most that a record changes in the odds of a path, up or down. */
static long double
worst_path(const struct scale *t, int sign)
{
	long double above[MOST] = { 0 }, most = 0;

	for (unsigned k = 0; k < DEPTH; k++) {
		for (int64_t c = MOST; c-- > 0;) {
			/* the best of parents with c records or more */
			if (c + 1 < MOST)
				above[c] = fmaxl(above[c], above[c + 1]);
			most = fmaxl(most, above[c] + fmaxl(0,
			    change(t, c, k, false, sign)));
		}
		for (int64_t c = 0; c < MOST; c++)
			above[c] += change(t, c, k, true, sign);
	}
	for (int64_t c = 0; c < MOST; c++)
		most = fmaxl(most, above[c]);
	return most;
}

Test(descent, a_record_changes_the_odds_of_a_way_down_as_proved)
{
	static const struct scale some[] = { { 1, 2 }, { 1, 1 }, { 3, 2 },
	    { 10, 7 }, { 2, 1 }, { 3, 1 }, { 5, 1 }, { 17, 2 }, { 20, 1 } };
	long double l, up, reached = 0;

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		l = (long double)some[i].s / (long double)some[i].r;
		up = worst_path(&some[i], 1) * l;
		cr_assert(up <= 8 / 3.L + MARGIN, "%Lg: %Lg", l, up);
		cr_assert(worst_path(&some[i], -1) * l <= 1 + MARGIN);
		reached = fmaxl(reached, up);
	}
	cr_assert(reached > 2.58L, "%Lg", reached);
}

static long double
inverse(const struct scale *t, unsigned shift)
{
	return ldexpl((long double)t->r / (long double)t->s, (int)shift);
}

/* A plain metric; what a record that comes or goes may cost is E / unit. */
static void
check_budget(uint64_t total, struct rational eps, unsigned shift)
{
	struct metric m = { .kind = METRIC_SUM, .bend = METRIC_SMOOTH,
	    .n = 200, .bound = 1, .unit = { 1, 1 } };
	struct ladder l = { .eps = eps, .total = (double)total,
	    .shift = shift };
	const struct descent *d = &l.descent;
	long double one, look = 0, rest = 0;

	cr_assert(ladder_open(&l, &m, TREE_RANGES));
	one = (long double)rational_real(eps) / rational_real(l.tree.unit);
	if (d->part > 0) {
		look = inverse(&d->look, shift);
		rest = 8 / 3.L * inverse(&d->halve, shift) +
		    inverse(&d->leaf, shift);
		cr_assert(look <= one / 10 + MARGIN && (look + rest) / one >
		    1 - 1e-9L && (look + rest) / one <= 1 + MARGIN);
	}
	cr_assert_eq(d->part > 0, one * total >= 30 && one * total <= 800);
	cr_assert(look + rational_real(l.eps) / rational_real(l.tree.unit) <=
	    one * (1 + 1e-9L));
	tree_free(&l.tree);
}

Test(descent, look_and_halves_and_counts_are_the_budget)
{
	for (uint64_t total = 10; total < 100000; total *= 3)
		for (int64_t den = 1; den < 2000; den *= 7)
			for (unsigned shift = 0; shift <= 12; shift += 12)
				check_budget(total, (struct rational){ 3, den },
				    shift);
}

Test(descent, a_map_has_the_budget_for_halves_and_boxes_and_parts)
{
	for (int64_t den = 1; den < 2000; den *= 7)
		for (unsigned shift = 0; shift <= 12; shift += 12) {
			struct map m = { .shift = shift };
			struct rational c = { den, 3 };
			long double of;

			cr_assert(map_open(&m, c));
			of = (8 / 3.L * inverse(&m.halve, shift) +
			    inverse(&m.box, shift) + inverse(&m.end, shift)) *
			    rational_real(c);
			cr_assert(of > 1 - 1e-9L && of <= 1 + MARGIN);
		}
}
