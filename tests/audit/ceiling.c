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

#include "asm/ceiling.h"
#include "count.h"

#define MOST 4
#define FOUND 5
#define BEYOND 10

static const int64_t size[] = { 0, 1, 2, 3, 4, 5, 7, 8, 30 };
#define SIZES ((int)(sizeof(size) / sizeof(size[0])))

/* What may be wrong. */
struct wrong {
	long double choice;	/* of the gaps of terms above */
	long double noise;	/* of its scale */
	bool aim;		/* at one term above, on both sides */
	bool open;		/* steps by n, as if it were public */
};

/* Terms of size 0 beside those that are enumerated. */
static uint64_t beside;

static const struct wrong right = { 1, 1, false, false };

/* Law of the ceiling, and the sum below each with its rate. */
struct law {
	size_t n;
	long double p[FOUND], rate[FOUND];
	int64_t sum[FOUND];
};

/* [MS20 Algorithm 1] Over all orders of the candidates not yet seen. */
static void
walk(const long double *heads, size_t n, unsigned seen, long double weight,
    long double *p)
{
	size_t left = n - (size_t)__builtin_popcount(seen);

	for (size_t i = 0; i < n; i++) {
		long double here = weight / (long double)left;

		if (seen >> i & 1)
			continue;
		p[i] += here * heads[i];
		walk(heads, n, seen | 1u << i, here * (1 - heads[i]), p);
	}
}

/* The loss of ceiling i by definition, k of n terms above it. */
static long double
loss(const struct ceilings *c, uint64_t n, int k, size_t i, struct wrong wrong)
{
	long double above = wrong.aim ? abs(k - 1) : k;
	long double eps = (long double)c->each / (long double)c->choice.s;
	bool few = (c->swap || wrong.open) && eps * (long double)n <= 48;

	return wrong.choice * eps * above + (few ? 1 : 1.5L) *
	    (long double)i;
}

static struct law
law_of(const struct ceilings *c, const int *x, int n, struct wrong wrong)
{
	struct law a = { .n = c->n };
	struct under u;
	u128 gap[CEILINGS];
	long double heads[FOUND], least = INFINITY;
	int above, k;
	size_t i;

	memset(&u, 0, sizeof(u));
	ceiling_add(c, &u, 0, beside);
	for (k = 0; k < n; k++)
		ceiling_add(c, &u, size[x[k]], 1);
	ceiling_gaps(c, &u, gap);
	for (i = 0; i < c->n; i++) {
		for (k = above = 0; k < n; k++)
			above += size[x[k]] > c->at[i] && i + 1 < c->n;
		heads[i] = loss(c, beside + (uint64_t)n, above, i, wrong);
		least = fminl(least, heads[i]);
		a.sum[i] = (int64_t)ceiling_sum(c, &u, i);
		a.rate[i] = (long double)c->noise[i].r /
		    (long double)c->noise[i].s / wrong.noise;
	}
	for (i = 0; i < c->n; i++) {
		heads[i] -= least;
		if (wrong.choice == 1 && !wrong.aim && !wrong.open)
			cr_assert_lt(fabsl(heads[i] - (long double)gap[i] /
			    (long double)c->choice.s), 1e-12L);
		heads[i] = expl(-heads[i]);
	}
	walk(heads, c->n, 0, 1, a.p);
	return a;
}

/* Largest log ratio over ceilings and outputs, both ways. */
static long double
ratio(const struct law *a, const struct law *b, struct audit_count *count)
{
	long double worst = 0, chance;
	int64_t y, lo, hi;
	size_t i;

	for (i = 0; i < a->n; i++) {
		chance = logl(a->p[i] / b->p[i]);
		lo = a->sum[i] < b->sum[i] ? a->sum[i] : b->sum[i];
		hi = a->sum[i] < b->sum[i] ? b->sum[i] : a->sum[i];
		for (y = lo - BEYOND; y <= hi + BEYOND; y++) {
			worst = fmaxl(worst, fabsl(chance + a->rate[i] *
			    (llabs(y - b->sum[i]) - llabs(y - a->sum[i]))));
			count->outputs++;
		}
	}
	return worst;
}

/* All multisets of up to MOST sizes, as rising places in size[]. */
static bool
next_set(int *x, int *n)
{
	int k = *n - 1;

	while (k >= 0 && x[k] == SIZES - 1)
		k--;
	if (k < 0) {
		memset(x, 0, sizeof(*x) * (size_t)++*n);
		return *n <= MOST;
	}
	x[k]++;
	for (int i = k + 1; i < *n; i++)
		x[i] = x[k];
	return true;
}

/* A term more, under add-remove; under swap another one in a place. */
static void
neighbours(const struct ceilings *c, struct wrong wrong, bool swap,
    struct audit_count *count)
{
	int x[MOST + 1] = { 0 }, y[MOST + 1], n = 0, k, v;
	struct law a, b;

	do {
		a = law_of(c, x, n, wrong);
		for (k = swap ? 0 : n; k < n + !swap && k < MOST; k++)
			for (v = 0; v < SIZES; v++) {
				memcpy(y, x, sizeof(y));
				y[k] = v;
				b = law_of(c, y, n + !swap, wrong);
				count->worst = fmaxl(count->worst,
				    ratio(&a, &b, count));
				count->pairs += 2;
			}
	} while (next_set(x, &n));
}

static long double
real_part(struct rational x)
{
	return (long double)x.num / (long double)x.den;
}

/* Worst ratio over epsilon of a setting. */
static void
survey(int i, bool swap, struct wrong wrong, struct audit_count *count)
{
	static const struct rational eps[][2] = {
		{ { 2, 5 }, { 3, 5 } }, { { 1, 7 }, { 1, 2 } },
		{ { 3, 1 }, { 2, 1 } }, { { 1, 2 }, { 1, 4 } }
	};
	static const int64_t ends[][2] = { { 1, 8 }, { 2, 30 }, { 3, 5 },
	    { 1, 8 } };
	struct ceilings c;
	struct audit_count here = { 0 };

	/* half of 95 to 99 terms is about 48 */
	beside = i == 3 ? 95 : 0;
	cr_assert(ceilings_make(&c, ends[i], eps[i], swap));
	cr_assert_leq(c.n, FOUND);
	neighbours(&c, wrong, swap, &here);
	here.worst /= real_part(eps[i][0]) + real_part(eps[i][1]);
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
		for (i = 0; i < 4; i++)
			survey(i, swap, right, &count);
		audit_finish(name[swap], &count, false);
		cr_expect_gt(count.worst, 0.9L);
	}
}

/*
 * Half the budget charged, half the noise, an aim that is not monotonic; and,
 * where terms come and go, steps by their number.
 */
Test(ceiling, twins_are_caught)
{
	static const struct wrong twin[] = { { 1.5L, 1, false, false },
	    { 1, 0.7L, false, false }, { 1, 1, true, false },
	    { 1, 1, false, true } };
	struct audit_count count;
	int swap, i, k;

	for (swap = 0; swap < 2; swap++)
		for (k = 0; k < 4 - swap; k++) {
			count = (struct audit_count){ 0 };
			for (i = 0; i < 4; i++)
				survey(i, swap, twin[k], &count);
			cr_expect_gt(count.worst, 1 + AUDIT_MARGIN,
			    "twin %d: %Lf", k, count.worst);
		}
}
