/*
 * sp_world: the functions of sp-mean, sp-median and sp-var as one, random data,
 * and the definition of what preprocessing makes of them.
 */
#ifndef SP_WORLD_H
#define SP_WORLD_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "big.h"
#include "samples.h"
#include "sp/ordered.h"
#include "sp/variance.h"

#define SP_VARIANCE 3		/* a kind beside those of ordered.h */
#define SP_MOST 10		/* records, where all subsets are looked at */

struct sp_f {
	bool squared;
	struct ordered o;	/* unless it is the variance */
	struct variance v;
};

static inline int64_t
sp_value(const struct sp_f *f, const int64_t *x, const uint64_t *w, size_t n)
{
	return f->squared ? variance_sorted(&f->v, x, w, n) :
	    ordered_value(&f->o, x, w, n);
}

static inline int64_t
sp_sens(const struct sp_f *f)
{
	return f->squared ? f->v.sens : f->o.sens;
}

/* S of the order of a variance of such data, in units of random size. */
static inline void
sp_draw_variance(struct rng *r, struct variance *v, int bits)
{
	v->unit = 1;
	for (int k = (int)rng_below(r, 1 + (uint64_t)bits * 6 / 10); k > 0; k--)
		v->unit *= 10;
	v->sens = between(r, 1, width(r, bits < 31 ? 2 * bits : 62));
}

static inline struct sp_f
sp_draw(struct rng *r, int kind, int bits)
{
	struct sp_f f = { .squared = kind == SP_VARIANCE };
	int64_t den = between(r, 1, 12), most;

	if (f.squared) {
		sp_draw_variance(r, &f.v, bits);
		return f;
	}
	f.o.kind = (enum ordered_kind)kind;
	most = kind == ORDERED_MEAN ? (den - 1) / 2 : den;
	rational_make(&f.o.alpha, between(r, 0, most), den);
	f.o.sens = between(r, 1, width(r, bits));
	f.o.center = between(r, -width(r, bits), width(r, bits));
	return f;
}

/* Ties, negatives, a rare outlier at the very end of the range; ascending. */
static inline void
sp_draw_data(struct rng *r, int64_t *x, size_t n, int bits)
{
	int64_t top = (int64_t)1 << bits;
	int64_t w = width(r, bits), off = between(r, -width(r, bits), w) / 2;

	for (size_t i = 0; i < n; i++) {
		x[i] = fixed_clamp(between(r, -w, w) / 2 + off, -top, top);
		if (rng_below(r, 12) == 0)
			x[i] = rng_below(r, 2) ? top : -top;
	}
	qsort(x, n, sizeof(*x), ascending);
}

/* A value and FAR more, so that all of them are above 0; den > 0. */
struct frac {
	struct big num, den;
};

#define FAR ((i128)1 << 72)

static inline bool
frac_below(const struct frac *a, const struct frac *b)
{
	struct big l = big_mul(&a->num, &b->den), r = big_mul(&b->num, &a->den);

	return big_cmp(&l, &r) < 0;
}

static inline struct frac
frac_moved(struct frac a, int64_t s, bool up)
{
	struct big by = big_times(&a.den, (u128)s);

	a.num = up ? big_add(&a.num, &by) : big_sub(&a.num, &by);
	return a;
}

static inline struct frac
frac_of(i128 num, i128 den)
{
	return (struct frac){ big_of((u128)(num + FAR * den)),
	    big_of((u128)den) };
}

/* Var of x[0..k-1], k > 0, in output steps. */
static inline struct frac
sp_variance(const struct variance *f, const int64_t *x, size_t k)
{
	struct big squares = big_of(0), one;
	struct frac v;
	i128 sum = 0;

	for (size_t i = 0; i < k; i++) {
		sum += x[i];
		one = big_of((u128)((i128)x[i] * x[i]));
		squares = big_add(&squares, &one);
	}
	one = big_of((u128)(sum < 0 ? -sum : sum));
	one = big_mul(&one, &one);
	v.num = big_times(&squares, k);
	v.num = big_sub(&v.num, &one);
	v.den = big_of((u128)k * k);
	v.den = big_times(&v.den, f->unit);
	one = big_times(&v.den, (u128)FAR);
	v.num = big_add(&v.num, &one);
	return v;
}

/* f of x[0..k-1] ascending, by its definition. */
static inline struct frac
sp_plain(const struct sp_f *f, const int64_t *x, size_t k)
{
	const struct rational q = f->o.alpha;
	i128 sum = 0;
	size_t a;

	if (k == 0)
		return frac_of(f->squared ? 0 : f->o.center, 1);
	if (f->squared)
		return sp_variance(&f->v, x, k);
	switch (f->o.kind) {
	case ORDERED_MEDIAN:
		return frac_of((i128)x[(k - 1) / 2] + x[k / 2], 2);
	case ORDERED_QUANTILE:
		a = (size_t)fixed_ceil_div(q.num * (i128)k, q.den);
		return frac_of(x[a > 0 ? a - 1 : 0], 1);
	default:
		a = (size_t)(q.num * (i128)k / q.den);
		for (size_t i = a; i < k - a; i++)
			sum += x[i];
		return frac_of(sum, (i128)(k - 2 * a));
	}
}

/* [CD20 Definition 3.1] literally, over all 2^n subsets. */
static inline struct frac
sp_by_subsets(const struct sp_f *f, const int64_t *x, size_t n)
{
	static struct frac g[1 << SP_MOST];
	struct frac lower, upper, v;
	int64_t sub[SP_MOST];

	for (unsigned set = 0; set < 1u << n; set++) {
		size_t k = 0;

		for (unsigned j = 0; j < n; j++)
			if (set >> j & 1)
				sub[k++] = x[j];
		g[set] = sp_plain(f, sub, k);
		for (unsigned j = 0, some = 0; j < n; j++) {
			if (!(set >> j & 1))
				continue;
			v = frac_moved(g[set & ~(1u << j)], sp_sens(f), false);
			lower = !some || frac_below(&lower, &v) ? v : lower;
			v = frac_moved(g[set & ~(1u << j)], sp_sens(f), true);
			upper = !some || frac_below(&v, &upper) ? v : upper;
			some = 1;
		}
		if (k > 0 && frac_below(&g[set], &lower))
			g[set] = lower;
		else if (k > 0 && frac_below(&upper, &g[set]))
			g[set] = upper;
	}
	return g[(1u << n) - 1];
}

/* [CD20 Lemma 5.2, Lemma 6.4] the paper's Algorithms 2 and 3, all windows. */
static inline struct frac
sp_by_windows(const struct sp_f *f, const int64_t *x, size_t n)
{
	struct frac *g = malloc((n + 1) * sizeof(*g)), v, up, low;

	for (size_t i = 0; i <= n; i++)
		g[i] = sp_plain(f, x, 0);
	for (size_t k = 1; k <= n; k++)
		for (size_t i = 0; i + k <= n; i++) {
			v = sp_plain(f, x + i, k);
			low = frac_moved(g[i + 1], sp_sens(f), false);
			up = g[i];
			if (f->squared && frac_below(&g[i + 1], &g[i]))
				up = g[i + 1];
			up = frac_moved(up, sp_sens(f), true);
			if (frac_below(&up, &v))
				v = up;
			g[i] = !f->squared && frac_below(&v, &low) ? low : v;
		}
	v = g[0];
	free(g);
	return v;
}

/* Is m = floor(g + 1/2), saturated?  half = 0 tests floor(g), the twin. */
static inline bool
frac_rounds(const struct frac *g, int64_t m, bool half)
{
	struct big twice = big_add(&g->num, &g->num), least, next;
	struct big d2 = big_add(&g->den, &g->den);

	if (half)
		twice = big_add(&twice, &g->den);
	least = big_times(&d2, (u128)(m + FAR));
	next = big_add(&least, &d2);
	return big_cmp(&twice, &least) >= 0 && (m == FIXED_MAX ||
	    big_cmp(&twice, &next) < 0);
}

typedef struct frac sp_oracle(const struct sp_f *, const int64_t *, size_t);

/* So many databases of each of the kinds from first to last. */
struct sp_tries {
	sp_oracle *g;
	int first, last, tries;
	size_t most;		/* records */
	int bits;		/* of the values */
};

/* Those that are not the oracle's; not half: its values rounded down. */
static inline int
sp_differences(const struct sp_tries *a, bool half)
{
	int64_t *x = malloc((a->most + 1) * sizeof(*x));
	int bad = 0, kinds = a->last - a->first + 1;
	struct frac want;
	struct sp_f f;
	struct rng r;
	size_t n;

	rng_seeded(&r, (uint64_t)(a->tries + a->bits), "sp");
	for (int i = 0; i < a->tries * kinds; i++) {
		f = sp_draw(&r, a->first + i % kinds, a->bits);
		n = rng_below(&r, a->most + 1);
		sp_draw_data(&r, x, n, a->bits);
		want = a->g(&f, x, n);
		bad += !frac_rounds(&want, sp_value(&f, x, NULL, n), half);
	}
	free(x);
	return bad;
}

/* None for each of the tries; some where twins of first and last round down. */
static inline void
sp_agree(const struct sp_tries *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cr_expect_eq(sp_differences(&a[i], true), 0, "tries %zu", i);
	cr_expect_gt(sp_differences(&a[0], false), 0, "twin");
	cr_expect_gt(sp_differences(&a[n - 1], false), 0, "twin");
}

#endif
