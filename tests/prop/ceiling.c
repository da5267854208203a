/*
 * ceiling: the list of ceilings and their noise against the definitions at the
 * head of ceiling.c; tests/laws/ceiling.c has sums and choices.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "asm/ceiling.h"

struct case_of {
	struct ceilings c;
	struct rational eps[CEILING_PARTS];
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
	/* or as far as scales go */
	cr_assert(c->at[c->n - 1] == top ||
	    c->noise[c->least < 0][c->n - 1].s > (uint64_t)1 << 61);
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

/* What laws of few records do not reach: lists and scales of any size. */
Test(ceiling, lists_and_noise_are_those_of_the_definitions)
{
	size_t fine = 0, both = 0;
	struct rng r;

	rng_seeded(&r, 31, "ceiling");
	for (int run = 0; run < 400; run++) {
		struct case_of a;

		make(&a, &r);
		list_agrees(&a.c);
		noise_agrees(&a);
		fine += a.c.down > 2;
		both += a.c.least < 0;
	}
	cr_assert(fine > 40 && both > 40, "%zu %zu", fine, both);
}

/* A list of settings from 1 on, under swap, made. */
static bool
made(struct ceilings *c, int64_t most, const struct rational *eps)
{
	*c = (struct ceilings){ .first = 1, .least = -most, .most = most,
	    .swap = true, .ask = true };
	return ceilings_make(c, eps);
}

/* Gaps are below 2^59, whichever part of epsilon has many digits. */
Test(ceiling, parts_of_epsilon_with_too_many_digits_are_refused)
{
	struct rational eps[CEILING_PARTS], far[] = { { (i128)1 << 58, 1 },
	    { 1, (i128)1 << 58 } };
	struct ceilings c;

	for (size_t i = 0; i < 2 * CEILING_PARTS; i++) {
		for (size_t k = 0; k < CEILING_PARTS; k++)
			eps[k] = (struct rational){ 1, 2 };
		cr_assert(made(&c, 9, eps));
		eps[i / 2] = far[i % 2];
		cr_expect(!made(&c, 9, eps));
	}
}

/* [MS20 Algorithm 1] Of two the worse has half of what its coin gives. */
Test(ceiling, the_worse_of_two_is_drawn_as_often_as_it_should)
{
	static const struct rational eps[CEILING_PARTS] = { { 1, 4 },
	    { 1, 1 } };
	enum { DRAWS = 100000 };
	struct ceilings c = { .first = 1, .most = 2 };
	struct under u = { 0 };
	u128 gap[CEILINGS];
	double p, worse = 0;
	struct rng r;

	rng_seeded(&r, 7, "ceiling");
	cr_assert(ceilings_make(&c, eps) && c.n == 2);
	ceiling_add(&c, &u, 2, 3);
	ceiling_gaps(&c, &u, gap);
	for (int i = 0; i < DRAWS; i++)
		worse += gap[ceiling_draw(&c, &u, &r).at] > 0;
	p = exp(-(double)(gap[0] + gap[1]) / (double)c.choice.s) / 2;
	cr_assert(p > 0.1 && p < 0.4, "%g", p);
	cr_assert_lt(fabs(worse - DRAWS * p), 6 * sqrt(DRAWS * p), "%g", p);
}

/* Weights beyond all bounds saturate and leave a release in its range. */
Test(ceiling, sizes_have_no_end)
{
	static const struct rational eps[CEILING_PARTS] = {
		{ 2147483647, 1 }, { 2147483647, 1 }, { 2147483647, 1 } };
	struct ceiling_draw d;
	struct ceilings c;
	struct under u = { 0 };
	struct rng r;

	rng_seeded(&r, 1, "ceiling");
	cr_assert(made(&c, FIXED_MAX, eps));
	for (int i = 0; i < 1000; i++)
		ceiling_add(&c, &u, FIXED_MAX, INT64_MAX);
	d = ceiling_draw(&c, &u, &r);
	cr_expect(d.sum > FIXED_MAX);
	for (int i = 0; i < 2000; i++)
		ceiling_add(&c, &u, -FIXED_MAX, INT64_MAX);
	d = ceiling_draw(&c, &u, &r);
	cr_expect(d.minus && d.sum < FIXED_MAX && d.sum > -FIXED_MAX);
}
