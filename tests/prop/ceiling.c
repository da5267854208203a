/*
 * ceiling: the list of ceilings, terms under them, gaps and noise, against
 * their definitions at the head of ceiling.c, at sizes that laws do not reach.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "asm/ceiling.h"

#define TERMS 60

struct term {
	int64_t x;
	uint64_t w;
};

struct case_of {
	struct ceilings c;
	struct rational eps[CEILING_PARTS];
	struct under u;
	struct term term[TERMS];
};

static uint64_t
draw(struct rng *r, int bits)
{
	return rng_below(r, (uint64_t)1 << (1 + (int)rng_below(r,
	    (uint64_t)bits)));
}

static void
make(struct case_of *a, struct rng *r)
{
	int bits = 4 + (int)rng_below(r, 58);
	int64_t top;

	memset(a, 0, sizeof(*a));
	a->c.least = rng_below(r, 2) ? -(int64_t)draw(r, bits) : 0;
	a->c.most = (int64_t)draw(r, bits);
	a->c.most += a->c.least == 0 && a->c.most == 0;
	top = -a->c.least > a->c.most ? -a->c.least : a->c.most;
	a->c.first = 1 + (int64_t)rng_below(r, (uint64_t)top);
	if (rng_below(r, 2))
		a->c.first = 1 + (a->c.first - 1) % 9;
	a->c.first = a->c.first > top ? top : a->c.first;
	a->c.swap = rng_below(r, 2);
	a->c.fine = a->c.swap && rng_below(r, 2);
	for (int i = 0; i < CEILING_PARTS; i++)
		a->eps[i] = (struct rational){ 1 + (i128)rng_below(r, 40), 1 +
		    (i128)rng_below(r, 60) };
	if (rng_below(r, 4) == 0)	/* a scale of many digits */
		a->eps[CEILING_NOISE] = (struct rational){ 2147483647 -
		    (i128)rng_below(r, 99), 2147483629 };
	cr_assert(ceilings_make(&a->c, a->eps));
	for (int k = 0; k < TERMS; k++) {
		struct term *t = &a->term[k];

		t->x = (int64_t)draw(r, bits);
		if (k % 4 == 0)		/* on a ceiling, or beside */
			t->x = a->c.at[rng_below(r, a->c.n)] - 1 +
			    (int64_t)rng_below(r, 3);
		t->x = t->x > a->c.most ? a->c.most : t->x;
		if (k % 3 == 0 && a->c.least < 0)
			t->x = -(t->x > -a->c.least ? -a->c.least : t->x);
		t->w = 1 + rng_below(r, 3);
		ceiling_add(&a->c, &a->u, t->x, t->w);
	}
}

static int64_t
size_of(int64_t x)
{
	return x < 0 ? -x : x;
}

/* first halved as long as 1 is left, first doubled, and the top. */
static void
list_agrees(const struct ceilings *c)
{
	int64_t top = -c->least > c->most ? -c->least : c->most, want;
	size_t down = 0;

	while (c->fine && c->first >> down > 1)
		down++;
	cr_assert_eq(c->down, down);
	for (size_t i = 0; i < c->n; i++) {
		want = i <= down ? c->first >> (down - i) :
		    c->first > top >> (i - down) ? top :
		    c->first << (i - down);
		cr_assert_eq(c->at[i], want < top ? want : top, "%zu", i);
		cr_assert(i == 0 || c->at[i] > c->at[i - 1]);
	}
	cr_assert_eq(c->at[c->n - 1], top);
}

/* No sum of cut terms moves by more than scale times eps, and some does. */
static void
noise_agrees(const struct case_of *a)
{
	const struct ceilings *c = &a->c;
	const struct rational *eps = &a->eps[CEILING_NOISE];

	for (size_t i = 0; i < c->n; i++)
		for (int minus = 0; minus < 2; minus++) {
			int64_t t = c->at[i], up = c->most < t ? c->most : t;
			int64_t down = !minus ? 0 : -c->least < t ? -c->least :
			    t;
			u128 sens = c->swap ? (u128)up + (u128)down :
			    (u128)(up > down ? up : down);
			const struct scale *s = &c->noise[minus][i];
			u128 have = (u128)s->s * (u128)eps->num;

			cr_assert(have >= sens * (u128)eps->den * s->r);
			/* or rounded up to a whole step */
			cr_assert(have == sens * (u128)eps->den * s->r ||
			    (s->r == 1 && have - sens * (u128)eps->den <
			    (u128)eps->num));
		}
}

static void
sums_agree(const struct case_of *a)
{
	for (size_t i = 0; i < a->c.n; i++) {
		i128 sum[2] = { 0, 0 };

		for (int k = 0; k < TERMS; k++) {
			int64_t x = a->term[k].x, t = a->c.at[i];
			i128 cut = (i128)(size_of(x) < t ? size_of(x) : t) *
			    (i128)a->term[k].w;

			sum[1] += x < 0 ? -cut : cut;
			sum[0] += x < 0 ? 0 : cut;
		}
		cr_assert(ceiling_side(&a->c, &a->u, i, 0) == sum[0]);
		cr_assert(ceiling_side(&a->c, &a->u, i, 1) == sum[0] - sum[1]);
	}
}

/* How often the sizes are above t; all for t < 0. */
static u128
above(const struct case_of *a, int64_t t)
{
	u128 n = 0;

	for (int k = 0; k < TERMS; k++)
		n += size_of(a->term[k].x) > t ? a->term[k].w : 0;
	return n;
}

/* eps1 N_i + STEP (i - low), in parts of eps1's denominator and of 2. */
static void
gaps_agree(const struct case_of *a)
{
	const struct ceilings *c = &a->c;
	u128 num = (u128)a->eps[CEILING_CHOICE].num, best = (u128)-1;
	u128 den = (u128)a->eps[CEILING_CHOICE].den, n = above(a, -1);
	u128 deeper = c->down == 0 ? 0 : num * n / (10 * den), loss[CEILINGS];
	size_t low = deeper < c->down ? c->down - (size_t)deeper : 0;
	u128 step = c->swap && num * n <= 48 * den ? 2 * den : 3 * den;
	u128 gap[CEILINGS];

	cr_assert(ceiling_terms(c, &a->u) == n);
	cr_assert_eq(ceiling_lowest(c, &a->u), low);
	ceiling_gaps(c, &a->u, gap);
	for (size_t i = low; i < c->n; i++) {
		loss[i] = 2 * num * above(a, c->at[i]) + step * (i - low);
		best = loss[i] < best ? loss[i] : best;
	}
	for (size_t i = low; i < c->n; i++)
		cr_assert(gap[i] * 2 * den == (loss[i] - best) *
		    c->choice.s, "%zu", i);
	cr_assert_eq(c->choice.r, 1);
}

/* eps0 M against 2. */
static void
floor_agrees(const struct case_of *a)
{
	u128 num = (u128)a->eps[CEILING_FLOOR].num, m = 0, gap[2];
	u128 den = (u128)a->eps[CEILING_FLOOR].den;

	for (int k = 0; k < TERMS; k++)
		m += a->term[k].x < 0 ? a->term[k].w : 0;
	ceiling_floor_gaps(&a->c, &a->u, gap);
	cr_assert(gap[0] * den == (num * m > 2 * den ? num * m - 2 * den : 0) *
	    a->c.floor.s);
	cr_assert(gap[1] * den == (num * m > 2 * den ? 0 : 2 * den - num * m) *
	    a->c.floor.s);
}

Test(ceiling, lists_sums_gaps_and_noise_are_those_of_the_definitions)
{
	size_t fine = 0, deep = 0, steep = 0;
	struct rng r;

	rng_seeded(&r, 31, "ceiling");
	for (int run = 0; run < 400; run++) {
		struct case_of a;
		u128 weight;

		make(&a, &r);
		list_agrees(&a.c);
		noise_agrees(&a);
		sums_agree(&a);
		gaps_agree(&a);
		floor_agrees(&a);
		weight = (u128)a.eps[0].num * ceiling_terms(&a.c, &a.u) /
		    (u128)a.eps[0].den;
		fine += a.c.down > 2;
		deep += a.c.down > 2 && ceiling_lowest(&a.c, &a.u) > 0;
		steep += a.c.swap && weight > 48;
	}
	cr_assert(fine > 40 && deep > 5 && steep > 40, "%zu %zu %zu", fine,
	    deep, steep);
}
