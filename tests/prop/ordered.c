/*
 * ordered against its definition: all subsets, the table of all windows, the
 * sensitivity itself, and the paper's promises.  Every check is a count of
 * failures, so that a broken twin can be shown to fail it.
 */
#include <criterion/criterion.h>

#include <stdlib.h>

#include "random/rng.h"
#include "sp/ordered.h"

#include "samples.h"

/* An exact fraction, den > 0, small enough for products of two parts. */
struct frac {
	i128 num, den;
};

static int
cmp(struct frac a, struct frac b)
{
	i128 l = a.num * b.den, r = b.num * a.den;

	return (l > r) - (l < r);
}

static struct frac
plus(struct frac a, i128 s)
{
	a.num += s * a.den;
	return a;
}

/* floor(a + 1/2), or the half to the even neighbour for the broken twin. */
static i128
nearest(struct frac a, int even)
{
	i128 m = fixed_floor_div(2 * a.num + a.den, 2 * a.den);

	if (even && 2 * a.num + a.den == 2 * a.den * m && m % 2 != 0)
		m--;
	return m;
}

/* f of x[0..k-1] ascending, by its definition. */
static struct frac
plain(const struct ordered *f, const int64_t *x, size_t k)
{
	struct frac v = { 0, 1 };
	size_t a, i;

	switch (k == 0 ? -1 : (int)f->kind) {
	case ORDERED_MEDIAN:
		v.num = (i128)x[(k - 1) / 2] + x[k / 2];
		v.den = 2;
		break;
	case ORDERED_QUANTILE:
		a = (size_t)fixed_ceil_div(f->alpha.num * (i128)k,
		    f->alpha.den);
		v.num = x[a > 0 ? a - 1 : 0];
		break;
	case ORDERED_MEAN:
		a = (size_t)(f->alpha.num * (i128)k / f->alpha.den);
		for (i = a; i < k - a; i++)
			v.num += x[i];
		v.den = (i128)(k - 2 * a);
		break;
	default:
		v.num = f->center;
	}
	return v;
}

static struct frac
clamp(struct frac v, struct frac lower, struct frac upper)
{
	return cmp(v, lower) < 0 ? lower : cmp(v, upper) > 0 ? upper : v;
}

/* [CD20 Definition 3.1] literally, over all 2^n subsets. */
static struct frac
by_subsets(const struct ordered *f, const int64_t *x, size_t n)
{
	static struct frac g[1 << 10];
	struct frac lower, upper, v;
	int64_t sub[10];
	unsigned set, j;
	size_t k;

	for (set = 0; set < 1u << n; set++) {
		for (k = 0, j = 0; j < n; j++)
			if (set >> j & 1)
				sub[k++] = x[j];
		g[set] = plain(f, sub, k);
		lower = (struct frac){ -((i128)1 << 80), 1 };
		upper = (struct frac){ (i128)1 << 80, 1 };
		for (j = 0; j < n && k > 0; j++) {
			if (!(set >> j & 1))
				continue;
			v = plus(g[set & ~(1u << j)], -f->sens);
			lower = cmp(v, lower) > 0 ? v : lower;
			v = plus(g[set & ~(1u << j)], f->sens);
			upper = cmp(v, upper) < 0 ? v : upper;
		}
		g[set] = clamp(g[set], lower, upper);
	}
	return g[(1u << n) - 1];
}

/* [CD20 Lemma 5.2] the paper's Algorithm 2, all windows. */
static struct frac
by_windows(const struct ordered *f, const int64_t *x, size_t n)
{
	struct frac *g = malloc((n + 1) * sizeof(*g)), v;
	size_t i, k;

	for (i = 0; i <= n; i++)
		g[i] = (struct frac){ f->center, 1 };
	for (k = 1; k <= n; k++)
		for (i = 0; i + k <= n; i++)
			g[i] = clamp(plain(f, x + i, k),
			    plus(g[i + 1], -f->sens), plus(g[i], f->sens));
	v = g[0];
	free(g);
	return v;
}

static void
draw_function(struct rng *r, struct ordered *f, int bits)
{
	int64_t den;

	f->kind = (enum ordered_kind)rng_below(r, 3);
	den = between(r, 1, 12);
	if (f->kind == ORDERED_MEAN)
		rational_make(&f->alpha, between(r, 0, (den - 1) / 2), den);
	else
		rational_make(&f->alpha, between(r, 0, den), den);
	f->sens = between(r, 1, width(r, bits));
	f->center = between(r, -width(r, bits), width(r, bits));
}

/* Ties, negatives, a rare outlier at the very end of the range. */
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

typedef struct frac (*oracle)(const struct ordered *, const int64_t *, size_t);

/* Databases (of `tries') on which ordered_value is not the oracle's. */
static int
differences(oracle g, int tries, size_t most, int bits, int even)
{
	struct ordered f;
	struct rng r;
	int64_t *x = malloc((most + 1) * sizeof(*x));
	int bad = 0;
	size_t n;

	rng_seeded(&r, (uint64_t)tries, "ordered");
	while (tries-- > 0) {
		draw_function(&r, &f, bits);
		n = rng_below(&r, most + 1);
		draw_data(&r, x, n, bits);
		bad += ordered_value(&f, x, NULL, n) !=
		    nearest(g(&f, x, n), even);
	}
	free(x);
	return bad;
}

/* [CD20 Definition 3.1] */
Test(ordered, equals_the_definition_over_all_subsets)
{
	cr_expect_eq(differences(by_subsets, 3000, 8, 6, 0), 0);
	cr_expect_eq(differences(by_subsets, 1500, 9, 20, 0), 0);
	cr_expect_eq(differences(by_subsets, 1000, 10, 3, 0), 0);
	cr_expect_gt(differences(by_subsets, 1000, 8, 6, 1), 0, "twin");
}

Test(ordered, equals_the_definition_up_to_the_ends_of_the_grid)
{
	cr_expect_eq(differences(by_subsets, 2500, 8, 62, 0), 0);
	cr_expect_eq(differences(by_subsets, 1000, 9, 45, 0), 0);
}

/* [CD20 Lemma 5.2, Algorithm 2, Corollary 5.3] */
Test(ordered, equals_the_table_of_all_windows)
{
	cr_expect_eq(differences(by_windows, 400, 60, 10, 0), 0);
	cr_expect_eq(differences(by_windows, 60, 200, 30, 0), 0);
	cr_expect_eq(differences(by_windows, 60, 200, 5, 0), 0);
}

/*
 * Records whose removal from one of `tries' databases moves the value by more
 * than `claim' + S.
 */
static int
jumps(int tries, int bits, int64_t claim)
{
	struct ordered f;
	struct rng r;
	int64_t x[40], y[40], g, h;
	int bad = 0;
	size_t n, i, j;

	rng_seeded(&r, (uint64_t)tries, "ordered jumps");
	while (tries-- > 0) {
		draw_function(&r, &f, bits);
		n = 1 + rng_below(&r, 40);
		draw_data(&r, x, n, bits);
		g = ordered_value(&f, x, NULL, n);
		for (i = 0; i < n; i++) {
			for (j = 0; j + 1 < n; j++)
				y[j] = x[j + (j >= i)];
			h = ordered_value(&f, y, NULL, n - 1);
			bad += (g > h ? (i128)g - h : (i128)h - g) >
			    (i128)f.sens + claim;
		}
	}
	return bad;
}

/* [CD20 Lemma 3.5] */
Test(ordered, moves_by_at_most_its_sensitivity_on_the_grid)
{
	cr_expect_eq(jumps(800, 8, 0), 0);
	cr_expect_eq(jumps(400, 40, 0), 0);
	cr_expect_eq(jumps(400, 62, 0), 0);
	cr_expect_gt(jumps(200, 8, -1), 0, "twin");
}

/*
 * Databases on which the released median is outside the hull of center and
 * the plain median, moved by `shift' half steps for the twin.
 */
static int
outside(int tries, int shift)
{
	struct ordered f;
	struct rng r;
	int64_t x[60], g, med2, c2;
	int bad = 0;
	size_t n;

	rng_seeded(&r, (uint64_t)tries, "ordered median");
	while (tries-- > 0) {
		draw_function(&r, &f, 12);
		f.kind = ORDERED_MEDIAN;
		n = 1 + rng_below(&r, 60);
		draw_data(&r, x, n, 12);
		g = ordered_value(&f, x, NULL, n);
		bad += g != nearest(by_windows(&f, x, n), 0);
		med2 = x[(n - 1) / 2] + x[n / 2] + shift;
		c2 = 2 * f.center + shift;
		/* Rounding takes half steps up. */
		bad += med2 >= c2 ? 2 * g < c2 || 2 * g > med2 + 1 :
		    2 * g < med2 || 2 * g > c2;
	}
	return bad;
}

/*
 * [CD20 Lemma 5.4, Lemma 5.5] The second display of the paper's proof has
 * med(D) - S where induction gives center - S, as g of the middle is no less
 * than the center: enough for g(D) >= center.  The twin's center is another.
 */
Test(ordered, median_of_one_pass_lies_between_plain_and_center)
{
	cr_expect_eq(outside(2000, 0), 0);
	cr_expect_gt(outside(2000, 4), 0, "twin");
}
