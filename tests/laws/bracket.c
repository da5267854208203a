/*
 * The mean within a private interval, enumerated: all data sets of up to three
 * terms and a crowd, all neighbours that have one more or another one.  The law
 * of the choice is computed from the gaps of the very code; sums and scales are
 * the code's, too.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "../stat/laws_of_draws.h"
#include "asm/bracket.h"
#include "world.h"

#define MOST 3

static const int64_t size[] = { -9, -3, 0, 1, 2, 6 };
#define SIZES ((int)(sizeof(size) / sizeof(size[0])))

struct law {
	long double *p;
	i128 (*sum)[2];
};

static void
law_free(struct law *a)
{
	free(a->p);
	free(a->sum);
}

/* With a crowd at the largest size. */
static struct law
law_of(const struct brackets *b, const int *x, int n, int crowd)
{
	struct law a = { malloc(b->listed * sizeof(*a.p)),
	    malloc(b->listed * sizeof(*a.sum)) };
	struct bracket_terms *t = bracket_none(b);
	u128 *gap = malloc(b->listed * sizeof(*gap)), off, last = 0;
	long double *head = malloc(b->listed * sizeof(*head));

	for (int k = 0; k < n; k++)
		bracket_add(b, t, size[x[k]], 1);
	bracket_add(b, t, size[SIZES - 1], (uint64_t)crowd);
	bracket_gaps(b, t, gap);
	for (size_t i = 0; i < b->listed; i++)
		head[i] = expl(-(long double)gap[i] / b->choice.s);
	law_choice(SELECT_FLIP, head, b->listed, a.p);
	for (size_t i = 0; i < b->listed; i++) {
		int64_t lo = b->at[b->list[i].lo], hi = b->at[b->list[i].hi];
		int64_t far = size[SIZES - 1];
		i128 above = crowd * (fixed_clamp(far, lo, hi) - lo);
		u128 beyond[2] = { far < lo ? (u128)crowd : 0,
		    far > hi ? (u128)crowd : 0 };

		for (int k = 0; k < n; k++) {
			above += fixed_clamp(size[x[k]], lo, hi) - lo;
			beyond[0] += size[x[k]] < lo;
			beyond[1] += size[x[k]] > hi;
		}
		off = b->each * FIXED_MOST(beyond[0], beyond[1]);
		off = gap[i] - b->list[i].gap - off +
		    FIXED_LEAST(off, b->list[i].free);
		cr_assert(i == 0 || off == last);
		last = off;
		bracket_sums(b, t, &b->list[i], a.sum[i]);
		cr_assert(a.sum[i][0] == above);
		cr_assert(a.sum[i][1] == (n + crowd) * ((i128)hi - lo) - above);
	}
	free(head);
	free(gap);
	for (size_t i = 0; i <= 2 * b->n / 16; i++)
		free(t[i].cell);
	free(t);
	return a;
}

static long double
loss(const struct brackets *b, const struct law *a, const struct law *c,
    bool swap)
{
	long double worst = 0;

	for (size_t i = 0; i < b->listed; i++) {
		const struct scale *t = &b->list[i].noise;
		i128 moved = (i128)fixed_size(a->sum[i][0] - c->sum[i][0]);

		if (!swap)
			moved += (i128)fixed_size(a->sum[i][1] - c->sum[i][1]);
		worst = fmaxl(worst, fabsl(logl(a->p[i] / c->p[i])) +
		    (long double)moved * t->r / t->s);
	}
	return worst;
}

/* The worst loss over epsilon. */
static long double
survey(bool swap, int crowd)
{
	static const struct rational eps[] = { { 2, 3 }, { 3, 2 } };
	struct brackets b = { .first = swap ? 1 : 4, .most = 9,
	    .swap = swap };
	int x[MOST + 1] = { 0 }, y[MOST + 1], n = 0;
	long double worst = 0;

	cr_assert(brackets_make(&b, eps[0], eps[1]));
	do {
		struct law a = law_of(&b, x, n, crowd), c;

		for (int v = 0; v < SIZES * (swap ? n : 1); v++) {
			for (int k = 0; k < n; k++)
				y[k] = x[k];
			y[swap ? v / SIZES : n] = v % SIZES;
			c = law_of(&b, y, n + !swap, crowd);
			worst = fmaxl(worst, loss(&b, &a, &c, swap));
			law_free(&c);
		}
		law_free(&a);
	} while (world_next_set(x, &n, SIZES, MOST - 1));
	free(b.list);
	return worst / (2 / 3.0L + 3 / 2.0L);
}

/* [DMNS06 Proposition 1] */
Test(bracket, neighbours_differ_by_at_most_epsilon)
{
	for (int i = 0; i < 4; i++) {
		long double worst = survey(i % 2 == 1, i / 2 * 8);

		cr_expect_leq(worst, 1 + AUDIT_MARGIN, "%Lg", worst);
		cr_expect_gt(worst, 0.9L, "%Lg", worst);
	}
}

/* A gap beside STEP log2 of the width, counted from 3 of the least on. */
static double
extra(const struct brackets *b, const struct bracket *a, double least)
{
	double parts = b->swap ? 31 : 24, base = b->swap ? 177 : 78;
	double width = (double)b->at[a->hi] - (double)b->at[a->lo];

	return (double)a->gap / (double)b->choice.s - (base + 93 *
	    log2(width / (3 * least))) / parts;
}

/*
 * Each interval once, from a quarter of the first on, and up to the largest
 * number; the wider, the further behind, but for 0 to the first, and below 3 of
 * the least under add-remove.  From 0 less, around 0 more and some terms free.
 */
Test(bracket, intervals_are_listed_once)
{
	static const struct {
		int64_t first, least, most;
	} at[] = { { 4, 1, 4 }, { 1, 1, 12 }, { 4, 1, 16 }, { 10, 5, 400 },
	    { 4, 1, FIXED_MAX } };
	const struct rational one = { 1, 1 };

	for (size_t m = 0; m < 2 * sizeof(at) / sizeof(at[0]); m++) {
		struct brackets b = { .first = at[m / 2].first,
		    .most = at[m / 2].most, .swap = m % 2 == 1 };
		int64_t least = b.swap ? b.first : at[m / 2].least;
		double part = b.swap ? 1 / 31.0 : 1 / 24.0;
		size_t twice = 0;

		cr_assert(brackets_make(&b, one, one));
		cr_assert_geq(b.at[2 * b.n], b.most);
		for (size_t i = 0; i < b.listed; i++) {
			const struct bracket *a = &b.list[i];
			int64_t lo = b.at[a->lo], hi = b.at[a->hi];
			double more = extra(&b, a, (double)least);

			cr_assert_lt(lo, hi);
			if (lo == 0 || hi == 0)
				more += 30 * part;
			if (lo == -hi)
				more -= 24 * part;
			cr_assert_eq(a->free > 0, lo == -hi);
			if ((i128)hi - lo >= (lo == -hi ? 6 : 3) *
			    (i128)least && (lo != 0 || hi != b.first))
				cr_assert_lt(fabs(more), 0.07);
			for (size_t j = 0; j < i; j++)
				twice += b.list[j].lo == a->lo &&
				    b.list[j].hi == a->hi;
		}
		cr_expect_eq(twice, 0);
		free(b.list);
	}
}
