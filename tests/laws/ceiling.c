/*
 * The sum below a private ceiling, enumerated: all data sets of up to four
 * terms, all neighbours that have one more or another one.  The law of the
 * choice is computed from the gaps, sums and scales of the very code, by the
 * definition of permute-and-flip; the pair of ceiling and noisy sum is
 * compared, of which the output is a function.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "../stat/laws_of_draws.h"
#include "asm/ceiling.h"
#include "world.h"

#define MOST 4
#define FOUND 6
#define BEYOND 10

static const int64_t size[] = { -30, -3, -1, 0, 1, 2, 4, 7, 30 };
#define SIZES ((int)(sizeof(size) / sizeof(size[0])))

/* Terms of size 0 beside those that are enumerated. */
static uint64_t beside;

/* Law of the ceiling and of the sign; the sum below each with its rate. */
struct law {
	size_t n;
	long double p[FOUND], sign[2], rate[2][FOUND];
	int64_t sum[2][FOUND];
};

/* The loss of ceiling i by definition, k of n terms above it. */
static long double
loss(const struct ceilings *c, uint64_t n, int k, size_t i)
{
	long double eps = (long double)c->each / (long double)c->choice.s;
	bool few = c->swap && eps * (long double)n <= 48;

	return eps * k + (few ? 1 : 1.5L) * (long double)i;
}

/* Heads from losses, which are the gaps of the code, and their law. */
static void
law_of_flip(long double *heads, size_t n, const u128 *gap, struct scale t,
    long double *p)
{
	long double least = INFINITY;
	size_t i;

	for (i = 0; i < n; i++)
		least = fminl(least, heads[i]);
	for (i = 0; i < n; i++) {
		heads[i] -= least;
		cr_assert_lt(fabsl(heads[i] - (long double)gap[i] /
		    (long double)t.s), 1e-12L);
		heads[i] = expl(-heads[i]);
	}
	law_choice(SELECT_FLIP, heads, n, p);
}

static int64_t
term(const struct ceilings *c, int x)
{
	return size[x] < c->least ? c->least : size[x] > c->most ? c->most :
	    size[x];
}

static struct law
law_of(const struct ceilings *c, const int *x, int n)
{
	struct law a = { .n = c->n };
	struct under u;
	u128 gap[CEILINGS];
	long double heads[FOUND];
	int above, below = 0, k, s;
	size_t low, i;

	memset(&u, 0, sizeof(u));
	ceiling_add(c, &u, 0, beside);
	for (k = 0; k < n; k++)
		ceiling_add(c, &u, term(c, x[k]), 1);
	low = ceiling_lowest(c, &u);
	cr_assert(c->swap ? low == c->down - (c->each * (beside +
	    (uint64_t)n) / (10 * c->choice.s) > 0 && c->down > 0) : low == 0);
	ceiling_gaps(c, &u, gap);
	for (i = 0; i < c->n; i++) {
		for (k = above = 0; k < n; k++)
			above += llabs(term(c, x[k])) > c->at[i];
		heads[i] = i < low ? INFINITY : loss(c, beside +
		    (uint64_t)n, above, i - low);
		for (s = 0; s < 2; s++) {
			a.sum[s][i] = (int64_t)(ceiling_side(c, &u, i, 0) -
			    s * ceiling_side(c, &u, i, 1));
			a.rate[s][i] = (long double)c->noise[s][i].r /
			    (long double)c->noise[s][i].s;
		}
	}
	law_of_flip(heads + low, c->n - low, gap + low, c->choice,
	    a.p + low);
	a.sign[1] = c->least < 0;
	a.sign[0] = !(c->least < 0);
	if (!c->ask)
		return a;
	for (k = 0; k < n; k++)
		below += term(c, x[k]) < 0;
	ceiling_floor_gaps(c, &u, gap);
	heads[0] = (long double)c->below * below /
	    (long double)c->floor.s;
	heads[1] = 2;
	a.sign[0] = a.sign[1] = 0;
	law_of_flip(heads, 2, gap, c->floor, a.sign);
	return a;
}

/* Largest log ratio over ceilings, signs and outputs, both ways. */
static long double
ratio(const struct law *a, const struct law *b, struct audit_count *count)
{
	long double worst = 0, chance;
	int64_t y, lo, hi;

	for (size_t k = 0; k < 2 * a->n; k++) {
		size_t i = k / 2, s = k % 2;

		if (a->p[i] * a->sign[s] * b->p[i] * b->sign[s] == 0)
			continue;	/* of options, for both */
		chance = logl(a->p[i] * a->sign[s] / b->p[i] / b->sign[s]);
		lo = a->sum[s][i] < b->sum[s][i] ? a->sum[s][i] :
		    b->sum[s][i];
		hi = a->sum[s][i] + b->sum[s][i] - lo;
		for (y = lo - BEYOND; y <= hi + BEYOND; y++) {
			worst = fmaxl(worst, fabsl(chance + a->rate[s][i] *
			    (llabs(y - b->sum[s][i]) -
			    llabs(y - a->sum[s][i]))));
			count->outputs++;
		}
	}
	return worst;
}

/* A term more, under add-remove; under swap another one in a place. */
static void
neighbours(const struct ceilings *c, bool swap,
    struct audit_count *count)
{
	int x[MOST + 1] = { 0 }, y[MOST + 1], n = 0, k, v;
	struct law a, b;

	do {
		a = law_of(c, x, n);
		for (k = swap ? 0 : n; k < n + !swap && k < MOST; k++)
			for (v = 0; v < SIZES; v++) {
				memcpy(y, x, sizeof(y));
				y[k] = v;
				b = law_of(c, y, n + !swap);
				count->worst = fmaxl(count->worst,
				    ratio(&a, &b, count));
				count->pairs += 2;
			}
	} while (world_next_set(x, &n, SIZES, MOST));
}

#define SETTINGS 6

/* Worst ratio over epsilon of a setting. */
static void
survey(int i, bool swap, struct audit_count *count)
{
	static const struct setting {
		struct rational eps[CEILING_PARTS];
		int64_t first, least, most;
		bool fine, ask;
		uint64_t beside;
	} all[SETTINGS] = {
		{ { { 2, 5 }, { 3, 5 } }, 1, 0, 8, false, false, 0 },
		{ { { 1, 7 }, { 1, 2 } }, 2, 0, 30, false, false, 0 },
		{ { { 3, 1 }, { 2, 1 } }, 3, -5, 5, false, false, 0 },
		/* half of 95 to 99 terms is about 48 */
		{ { { 1, 2 }, { 1, 4 } }, 1, 0, 8, false, false, 95 },
		{ { { 1, 3 }, { 1, 4 }, { 1, 5 } }, 1, -30, 30, false, true,
		    0 },
		/* a tenth of a third of 26 to 30 terms is 0 or 1 */
		{ { { 1, 3 }, { 3, 4 }, { 3, 1 } }, 4, -3, 8, true, true,
		    26 },
	};
	const struct setting *t = &all[i];
	struct ceilings c = { .first = t->first, .least = t->least,
	    .most = t->most, .swap = swap, .fine = swap && t->fine,
	    .ask = swap && t->ask };
	struct audit_count here = { 0 };

	beside = t->beside;
	cr_assert(ceilings_make(&c, t->eps));
	cr_assert_leq(c.n, FOUND);
	neighbours(&c, swap, &here);
	here.worst /= world_real(t->eps[0]) + world_real(t->eps[1]) +
	    (c.ask ? world_real(t->eps[2]) : 0);
	count->worst = fmaxl(count->worst, here.worst);
	count->pairs += here.pairs;
	count->outputs += here.outputs;
}

/* [DMNS06 Section 3.3] */
Test(ceiling, neighbours_differ_by_at_most_epsilon)
{
	static const char *const name[] = { "asm-estimate sum, clamp",
	    "asm-estimate sum, clamp, swap" };
	struct audit_count count;
	int swap, i;

	for (swap = 0; swap < 2; swap++) {
		count = (struct audit_count){ 0 };
		for (i = 0; i < SETTINGS; i++)
			survey(i, swap, &count);
		audit_finish(name[swap], &count, false);
		cr_expect_gt(count.worst, 0.9L);
	}
}
