/* few: against two-class windows, single-S algorithms and the definition. */
#include "sp/few.h"
#include "sp/mixed.h"
#include "sp/spread.h"

#include <criterion/criterion.h>
#include <string.h>

#define MOST 9

static uint64_t
draw(uint64_t *state, uint64_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) % n;
}

static void
ascend(int64_t *x, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j > 0 && x[j - 1] > x[j]; j--) {
			int64_t t = x[j];

			x[j] = x[j - 1];
			x[j - 1] = t;
		}
}

/* A function, records, and a sensitivity of one of two sizes for each. */
static void
sample(struct ordered *f, struct few *few, const int64_t s[2], uint64_t *state)
{
	*f = (struct ordered){ .kind = (enum ordered_kind)draw(state, 3),
	    .alpha = { 0, 1 }, .sens = 1,
	    .center = (int64_t)draw(state, 200) - 100 };
	cr_assert(rational_make(&f->alpha, (i128)draw(state, 5), 10));
	few->n = (unsigned)draw(state, MOST + 1);
	for (unsigned i = 0; i < few->n; i++) {
		few->x[i] = (int64_t)draw(state, 400) - 200;
		few->sens[i] = s[draw(state, 2)];
	}
}

/* Runs in which few and windows of the two classes differ; twin: one S. */
static int
differences(int runs, int twin)
{
	uint64_t state = 21;
	int bad = 0;

	for (int run = 0; run < runs; run++) {
		int64_t s[2] = { (int64_t)draw(&state, 40),
		    (int64_t)draw(&state, 40) };
		int64_t x[2][MOST], have, want;
		struct mixed_class c[2] = { { x[0], 0, s[0] },
		    { x[1], 0, twin ? s[0] : s[1] } };
		struct ordered f;
		struct few few;

		sample(&f, &few, s, &state);
		for (unsigned i = 0; i < few.n; i++) {
			int k = few.sens[i] != s[0];

			x[k][c[k].n++] = few.x[i];
		}
		ascend(x[0], (unsigned)c[0].n);
		ascend(x[1], (unsigned)c[1].n);
		cr_assert(few_ordered(&f, &few, &have));
		cr_assert(mixed_value(&f, &c[0], &c[1], &want));
		bad += have != want;
	}
	return bad;
}

/* [CD20 Algorithm 1] */
Test(few, agrees_with_windows_of_two_classes)
{
	cr_assert_eq(differences(4000, 0), 0);
	cr_assert(differences(400, 1) > 50);
}

/* [CD20 Definition 3.1] on the grid, x in place, every subset. */
static int64_t
variance_by_definition(const struct few *few, int64_t unit)
{
	static int64_t g[1 << MOST];

	g[0] = 0;
	for (unsigned d = 1; d < 1u << few->n; d++) {
		int64_t k = 0, sum = 0, square = 0, den;

		for (unsigned i = 0; i < few->n; i++)
			if (d >> i & 1) {
				k++;
				sum += few->x[i];
				square += few->x[i] * few->x[i];
			}
		den = k * k * unit;
		g[d] = (int64_t)fixed_floor_div(2 * (i128)(k * square -
		    sum * sum) + den, 2 * (i128)den);
		for (unsigned i = 0; i < few->n; i++)
			if (d >> i & 1 && g[d] > g[d ^ 1u << i] +
			    few->sens[i])
				g[d] = g[d ^ 1u << i] + few->sens[i];
		for (unsigned i = 0; i < few->n; i++)
			if (d >> i & 1 && g[d] < g[d ^ 1u << i] -
			    few->sens[i])
				g[d] = g[d ^ 1u << i] - few->sens[i];
	}
	return g[(1u << few->n) - 1];
}

Test(few, variance_follows_the_definition_and_the_single_S_algorithm)
{
	uint64_t state = 22;
	int equal = 0, moved = 0;

	for (int run = 0; run < 600; run++) {
		int64_t unit = draw(&state, 2) ? 1 : 100, x[MOST], have, want;
		int64_t one = 1 + (int64_t)draw(&state, 3000);
		struct spread f = { one, (u128)unit };
		struct few few = { .n = (unsigned)draw(&state, MOST + 1) };

		for (unsigned i = 0; i < few.n; i++) {
			few.x[i] = x[i] = (int64_t)draw(&state, 400) - 200;
			few.sens[i] = one;
		}
		cr_assert(few_spread((u128)unit, &few, &have));
		ascend(x, few.n);
		cr_assert(spread_value(&f, x, few.n, &want));
		cr_assert_eq(have, want);
		for (unsigned i = 0; i < few.n; i++)
			few.sens[i] = (int64_t)draw(&state, 3000);
		cr_assert(few_spread((u128)unit, &few, &have));
		cr_assert_eq(have, variance_by_definition(&few, unit));
		equal += have == want;
		moved += have != want;
	}
	cr_assert(equal > 20);
	cr_assert(moved > 200);
}
