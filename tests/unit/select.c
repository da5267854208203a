/*
 * select: scales, edges, and work that stays linear.
 */
#include "expmech/choice.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const struct rational one = { 1, 1 };

Test(select, scale_that_does_not_fit_is_refused)
{
	struct rational moves = { ((i128)1 << 63) - 2, 1 };
	struct scale t = { 7, 7 };

	cr_assert(choice_law(&t, moves, one));
	cr_assert(t.s == ((uint64_t)1 << 63) - 2 && t.r == 1);
	moves.num += 2;
	cr_assert_not(choice_law(&t, moves, one));
	moves.num = 0;
	cr_assert_not(choice_law(&t, moves, one));
}

Test(select, widest_gap_of_scores_does_not_wrap)
{
	int64_t u[] = { INT64_MIN, INT64_MAX, INT64_MIN };
	struct scale t = { ((uint64_t)1 << 63) - 1, ((uint64_t)1 << 63) - 2 };
	struct rng r;
	size_t chosen;

	rng_seeded(&r, 2, "select");
	for (int i = 0; i < 100; i++)
		for (int kind = 0; kind < 2; kind++) {
			select_draw(&r, &t, (enum select_kind)kind,
			    u, 3, 1, &chosen);
			cr_assert_eq(chosen, 1);
		}
}

/* With gaps of 1000 scales the best is chosen, then the best of the rest. */
Test(select, without_replacement_the_best_left_is_the_measure)
{
	int64_t u[] = { 1000, 4000, 0, 3000, 2000 };
	size_t expected[] = { 1, 3, 4, 0, 2 }, chosen[5];
	struct scale t = { 1, 1 };
	struct rng r;

	rng_seeded(&r, 4, "select");
	for (int kind = 0; kind < 2; kind++) {
		select_draw(&r, &t, (enum select_kind)kind, u, 5, 5,
		    chosen);
		cr_assert_arr_eq(chosen, expected, sizeof(chosen));
	}
}

static unsigned long refills;
static void (*plain_refill)(struct rng *);

static void
counted(struct rng *r)
{
	refills++;
	plain_refill(r);
}

/* The worst case of rejection: one candidate far above all others. */
Test(select, a_million_candidates_take_linear_randomness)
{
	const size_t n = 1000000, best = 123456;
	int64_t *u = calloc(n, sizeof(*u));
	struct scale t = { 2, 1 };
	struct rng r;
	size_t chosen[2];

	cr_assert_not_null(u);
	rng_seeded(&r, 5, "select");
	plain_refill = r.refill;
	r.refill = counted;
	for (int kind = 0; kind < 2; kind++) {
		u[best] = INT64_MAX;
		refills = 0;
		select_draw(&r, &t, (enum select_kind)kind, u, n, 2,
		    chosen);
		cr_assert_eq(chosen[0], best);
		cr_assert_neq(chosen[1], best);
		/* 3 bytes for an index, 2 for a coin, tail e^-8 of the law */
		cr_assert_lt(refills * RNG_BUFFER, 50 * n);
	}
	free(u);
}
