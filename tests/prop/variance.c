/*
 * variance against its definition: all subsets, the recursion over all windows,
 * the sensitivity itself.  Every check is a count of failures, so that a
 * broken twin can be shown to fail it.
 */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "random/rng.h"
#include "sp/variance.h"

#include "big.h"
#include "samples.h"

struct frac {
	struct big num, den;	/* den > 0 */
};

static int
below(const struct frac *a, const struct frac *b)
{
	struct big l = big_mul(&a->num, &b->den), r = big_mul(&b->num, &a->den);

	return big_cmp(&l, &r) < 0;
}

/* A variance and S more, or S less: 0 where that is below 0, as f is not. */
static struct frac
moved(struct frac a, int64_t s, bool up)
{
	struct big by = big_times(&a.den, (u128)s);

	a.num = up ? big_add(&a.num, &by) : big_sub(&a.num, &by);
	return a;
}

/* Var of x[0..k-1] in output steps; 0 when empty. */
static struct frac
plain(const struct variance *f, const int64_t *x, size_t k)
{
	struct frac v = { big_of(0), big_of(1) };
	struct big squares = big_of(0), one;
	i128 sum = 0;

	for (size_t i = 0; i < k; i++) {
		sum += x[i];
		one = big_of((u128)((i128)x[i] * x[i]));
		squares = big_add(&squares, &one);
	}
	if (k == 0)
		return v;
	one = big_of((u128)(sum < 0 ? -sum : sum));
	one = big_mul(&one, &one);
	v.num = big_times(&squares, k);
	v.num = big_sub(&v.num, &one);
	v.den = big_of((u128)k * k);
	v.den = big_times(&v.den, f->unit);
	return v;
}

/* [CD20 Definition 3.1] literally, over all 2^n subsets. */
static struct frac
by_subsets(const struct variance *f, const int64_t *x, size_t n)
{
	static struct frac g[1 << 8];
	struct frac lower, upper, v;
	int64_t sub[8] = { 0 };

	for (unsigned set = 0; set < 1u << n; set++) {
		size_t k = 0;

		for (unsigned j = 0; j < n; j++)
			if (set >> j & 1)
				sub[k++] = x[j];
		g[set] = plain(f, sub, k);
		for (unsigned j = 0, some = 0; j < n; j++) {
			if (!(set >> j & 1))
				continue;
			v = moved(g[set & ~(1u << j)], f->sens, false);
			lower = !some || below(&lower, &v) ? v : lower;
			v = moved(g[set & ~(1u << j)], f->sens, true);
			upper = !some || below(&v, &upper) ? v : upper;
			some = 1;
		}
		if (k > 0 && below(&g[set], &lower))
			g[set] = lower;
		else if (k > 0 && below(&upper, &g[set]))
			g[set] = upper;
	}
	return g[(1u << n) - 1];
}

/* [CD20 Lemma 6.4] the paper's Algorithm 3, all windows. */
static struct frac
by_windows(const struct variance *f, const int64_t *x, size_t n)
{
	struct frac *g = malloc((n + 1) * sizeof(*g)), v, u;

	for (size_t i = 0; i <= n; i++)
		g[i] = plain(f, x, 0);
	for (size_t k = 1; k <= n; k++)
		for (size_t i = 0; i + k <= n; i++) {
			v = plain(f, x + i, k);
			u = moved(below(&g[i], &g[i + 1]) ? g[i] : g[i + 1],
			    f->sens, true);
			g[i] = below(&u, &v) ? u : v;
		}
	v = g[0];
	free(g);
	return v;
}

/* Is m = floor(g + 1/2), saturated?  half = 0 tests floor(g), the twin. */
static bool
rounds(const struct frac *g, int64_t m, bool half)
{
	struct big twice = big_add(&g->num, &g->num), least, next;
	struct big d2 = big_add(&g->den, &g->den);

	if (half)
		twice = big_add(&twice, &g->den);
	least = big_times(&d2, (u128)m);
	next = big_add(&least, &d2);
	return big_cmp(&twice, &least) >= 0 && (m == FIXED_MAX ||
	    big_cmp(&twice, &next) < 0);
}

static void
draw_data(struct rng *r, int64_t *x, size_t n, int bits)
{
	int64_t top = (int64_t)1 << bits;
	int64_t w = width(r, bits), off = between(r, -width(r, bits), w) / 2;
	size_t i;

	for (i = 0; i < n; i++) {
		x[i] = fixed_clamp(between(r, -w, w) / 2 + off, -top, top);
		if (rng_below(r, 12) == 0)
			x[i] = rng_below(r, 2) ? top : -top;
	}
	qsort(x, n, sizeof(*x), ascending);
}

/* S of the order of the data's variance in units of random size. */
static void
draw_function(struct rng *r, struct variance *f, int bits)
{
	int digits = (int)rng_below(r, 1 + (uint64_t)bits * 6 / 10);

	for (f->unit = 1; digits > 0; digits--)
		f->unit *= 10;
	f->sens = between(r, 1, width(r, bits < 31 ? 2 * bits : 62));
}

typedef struct frac (*oracle)(const struct variance *, const int64_t *, size_t);

static int
differences(oracle g, int tries, size_t most, int bits, bool half)
{
	struct variance f;
	struct frac want;
	struct rng r;
	int64_t *x = malloc((most + 1) * sizeof(*x));
	int bad = 0;
	size_t n;

	rng_seeded(&r, (uint64_t)tries, "spread");
	while (tries-- > 0) {
		draw_function(&r, &f, bits);
		n = rng_below(&r, most + 1);
		draw_data(&r, x, n, bits);
		want = g(&f, x, n);
		bad += !rounds(&want, variance_sorted(&f, x, NULL, n), half);
	}
	free(x);
	return bad;
}

/* [CD20 Definition 3.1] */
Test(variance, equals_the_definition_over_all_subsets)
{
	cr_expect_eq(differences(by_subsets, 500, 6, 5, 1), 0);
	cr_expect_eq(differences(by_subsets, 60, 8, 4, 1), 0);
	cr_expect_gt(differences(by_subsets, 400, 6, 5, 0), 0, "twin");
}

Test(variance, equals_the_definition_up_to_the_ends_of_the_grid)
{
	cr_expect_eq(differences(by_subsets, 300, 6, 62, 1), 0);
	cr_expect_eq(differences(by_subsets, 300, 6, 40, 1), 0);
}

/* [CD20 Lemma 6.4, Algorithm 3, Lemma 6.8] */
Test(variance, equals_the_recursion_over_all_windows)
{
	cr_expect_eq(differences(by_windows, 100, 25, 12, 1), 0);
	cr_expect_eq(differences(by_windows, 50, 25, 62, 1), 0);
	cr_expect_eq(differences(by_windows, 10, 100, 8, 1), 0);
}

/* [CD20 Lemma 6.4] The best of all windows, in whole numbers below 2^100. */
static i128
best_window(const struct variance *f, const int64_t *x, size_t n)
{
	i128 best = (i128)n * f->sens, p, q, k, v;

	for (size_t i = 0; i < n; i++) {
		p = q = 0;
		for (size_t j = i; j < n; j++) {
			p += x[j];
			q += (i128)x[j] * x[j];
			k = (i128)(j - i + 1);
			v = 2 * (k * q - p * p) / (k * k * f->unit);
			v = (v + 1) / 2 + ((i128)n - k) * f->sens;
			best = v < best ? v : best;
		}
	}
	return best;
}

/* Groups of up to 9 values within 2^14, apart from each other. */
static void
draw_groups(struct rng *r, int64_t *x, size_t n)
{
	int64_t at = 0, spread = 1;

	for (size_t i = 0, left = 0; i < n; i++, left--) {
		if (left == 0) {
			left = 1 + rng_below(r, 9);
			at = between(r, 0, width(r, 20));
			spread = width(r, 14);
		}
		x[i] = at + between(r, 0, spread);
	}
	qsort(x, n, sizeof(*x), ascending);
}

/* The least variance of k values that follow each other, rounded down. */
static i128
least(const int64_t *x, size_t n, size_t k)
{
	i128 best = -1, p, q;

	for (size_t i = 0; i + k <= n; i++) {
		p = q = 0;
		for (size_t j = i; j < i + k; j++) {
			p += x[j];
			q += (i128)x[j] * x[j];
		}
		q = ((i128)k * q - p * p) / (i128)(k * k);
		best = best < 0 || q < best ? q : best;
	}
	return best;
}

/* S at which the best windows of two lengths are about as good. */
static int64_t
tie(struct rng *r, const int64_t *x, size_t n)
{
	size_t k = 1 + rng_below(r, n - 1), l = k + 1 + rng_below(r, n - k);
	i128 s = (least(x, n, l) - least(x, n, k)) / (i128)(l - k);

	s += between(r, -1, 1);
	return s < 1 ? 1 : (int64_t)s;
}

/*
 * The search begins at a good window and leaves out what a bound says is no
 * better: with groups of values many windows are good, and a bound that is
 * only a little too large leaves out the best.
 */
static int
overlooked(int tries, size_t most)
{
	struct variance f = { .unit = 1 };
	int64_t x[64];
	struct rng r;
	int bad = 0;
	size_t n;

	rng_seeded(&r, (uint64_t)tries, "overlooked");
	while (tries-- > 0) {
		n = 2 + rng_below(&r, most - 1);
		draw_groups(&r, x, n);
		f.sens = tries % 2 ? between(&r, 1, width(&r, 30)) :
		    tie(&r, x, n);
		bad += variance_sorted(&f, x, NULL, n) !=
		    best_window(&f, x, n);
	}
	return bad;
}

/* [CD20 Lemma 6.4] */
Test(variance, no_window_is_overlooked)
{
	cr_expect_eq(overlooked(40000, 12), 0);
	cr_expect_eq(overlooked(20000, 64), 0);
}

static int
jumps(int tries, int bits, int64_t claim)
{
	struct variance f;
	struct rng r;
	int64_t x[40], y[40], g, h;
	int bad = 0;
	size_t n, i, j;

	rng_seeded(&r, (uint64_t)tries, "spread jumps");
	while (tries-- > 0) {
		draw_function(&r, &f, bits);
		n = 1 + rng_below(&r, 40);
		draw_data(&r, x, n, bits);
		g = variance_sorted(&f, x, NULL, n);
		for (i = 0; i < n; i++) {
			for (j = 0; j + 1 < n; j++)
				y[j] = x[j + (j >= i)];
			h = variance_sorted(&f, y, NULL, n - 1);
			bad += (g > h ? g - h : h - g) > f.sens + claim;
		}
	}
	return bad;
}

/* [CD20 Lemma 3.5] */
Test(variance, moves_by_at_most_its_sensitivity_on_the_grid)
{
	cr_expect_eq(jumps(800, 8, 0), 0);
	cr_expect_eq(jumps(400, 40, 0), 0);
	cr_expect_eq(jumps(400, 62, 0), 0);
	cr_expect_gt(jumps(200, 8, -1), 0, "twin");
}

/* From end to end of all numbers a difference needs more than 63 bits. */
Test(variance, is_that_of_its_mirror_at_the_ends_of_all_numbers)
{
	const struct variance f = { .sens = FIXED_MAX, .unit = (u128)1 << 66 };
	const int64_t x[] = { -FIXED_MAX, -FIXED_MAX, -FIXED_MAX, 0,
	    FIXED_MAX }, y[] = { -FIXED_MAX, 0, FIXED_MAX, FIXED_MAX,
	    FIXED_MAX };
	int64_t v, w;

	v = variance_sorted(&f, x, NULL, 5);
	w = variance_sorted(&f, y, NULL, 5);
	/* 2^124 (4/5 - (2/5)^2) of 2^66 each */
	cr_expect_eq(v, FIXED_MAX / 16 * 16 / 25);
	cr_expect_eq(w, v);
}
