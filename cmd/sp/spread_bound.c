/*
 * spread_bound: exact scatter of windows and a lower bound over boxes.
 *
 * For a window of k records with sum P and sum of squares Q (of x - base) the
 * scatter is V = k Q - P^2 = k^2 Var.  P is below 2^41 2^63 and exact; Q is
 * kept mod 2^192.  V <= k^2 r^2 / 4 for a window of range r, so that V mod
 * 2^128 is V itself whenever k r < 2^64; only windows with k r >= 2^64 need
 * the next 64 bits of Q, in `top', and 256-bit numbers.
 *
 * The value of a window is floor(Var / unit + 1/2) - k S.  It is below `best'
 * exactly when 2 V < (2 (best + k S) - 1) unit k^2.  No floating point decides
 * this.
 *
 * Bound of a box, for windows that all hold the inner window of m records
 * with mean mu and scatter V and that lie inside an outer window of kmax: the
 * q = k - m further records lie at distances d_e >= delta = min(mu - x_first,
 * x_last - mu) from mu, hence
 *	k Var(window) = V / m + sum d_e^2 - (sum d_e)^2 / k
 *	    >= V / m + (1 - q / k) sum d_e^2 >= V / m + (m q / k) delta^2,
 * and the payoff Var - k S is at least
 *	h(k) = V / (m k) + m (k - m) delta^2 / k^2 - k S.
 * h' + S = (2 m^2 delta^2 - (V / m + m delta^2) k) / k^3 decreases while it is
 * positive and stays negative after, so h' changes sign at most once, from +
 * to -, and h is smallest at k = m or at k = kmax.
 *
 * The bound is in doubles: sums, products and quotients of non-negative
 * numbers that are exact integers before their conversion.  Fewer than 16
 * roundings of relative size 2^-53 enter either side, less than 2^-48 in all;
 * SAFE leaves 2^-40.  Nothing over- or underflows (2^-80 .. 2^330).
 */
#include "spread_bound.h"

#include <stdlib.h>
#include <string.h>

#include "number/wide.h"

#define SAFE (1.0 - 0x1p-40)

/* Adds w records at distance y from base; w is 1 nearly always. */
static inline void
add(struct spread_sums *sums, i128 y, uint64_t w)
{
	struct wide q = { 0, (u128)(y * y) };

	if (w != 1)
		q = wide_mul(q.lo, w);
	sums->p += (u128)y * w;
	sums->q += q.lo;
	sums->top += (uint64_t)q.hi + (sums->q < q.lo);
}

static inline void
add_run(const struct spread_runs *s, struct spread_sums *sums, size_t i)
{
	uint64_t w = s->count == NULL ? 1 : s->count[i + 1] - s->count[i];

	/* A product of 64 bits, not of 128, where that is enough. */
	if (s->narrow)
		add(sums, s->x[i] - s->base, w);
	else
		add(sums, (i128)s->x[i] - s->base, w);
}

static void
put_end(const struct spread_runs *s, struct spread_end *e, size_t at)
{
	size_t i = at / SPREAD_STRIDE * SPREAD_STRIDE;

	e->at = at;
	e->sums = s->sums[at / SPREAD_STRIDE];
	for (; i < at; i++)
		add_run(s, &e->sums, i);
}

static void
fill(struct spread_runs *s, const uint64_t *w)
{
	struct spread_sums sums = { 0, 0, 0 };
	uint64_t count = 0;
	size_t i;

	for (i = 0; w != NULL && i <= s->n; i++) {
		s->count[i] = count;
		count += i < s->n ? w[i] : 0;
	}
	for (i = 0; i <= s->n; i++) {
		if (i % SPREAD_STRIDE == 0)
			s->sums[i / SPREAD_STRIDE] = sums;
		if (i < s->n)
			add_run(s, &sums, i);
	}
}

bool
spread_open(struct spread_runs *s, const struct spread *f, const int64_t *x,
    const uint64_t *w, size_t n)
{
	bool ok;

	memset(s, 0, sizeof(*s));
	s->f = f;
	s->x = x;
	s->n = n;
	s->base = x[n / 2];
	s->narrow = (i128)x[n - 1] - x[0] <= INT64_MAX;
	s->unit = (double)f->unit;
	s->sums = malloc((n / SPREAD_STRIDE + 1) * sizeof(*s->sums));
	ok = s->sums != NULL;
	if (w != NULL)
		ok = (s->count = malloc((n + 1) * sizeof(*s->count))) && ok;
	if (ok)
		fill(s, w);
	else
		spread_close(s);
	return ok;
}

void
spread_close(struct spread_runs *s)
{
	free(s->sums);
	free(s->count);
}

uint64_t
spread_records(const struct spread_runs *s, size_t i, size_t j)
{
	if (s->count == NULL)
		return j + 1 - i;
	return s->count[j + 1] - s->count[i];
}

/* k^2 Var of the window of k records between a and b; *sum of its x - base. */
static struct wide
scatter(const struct spread_runs *s, const struct spread_end *a,
    const struct spread_end *b, uint64_t k, i128 *sum)
{
	u128 range = (u128)((i128)s->x[b->at - 1] - s->x[a->at]), size;
	i128 p = (i128)(b->sums.p - a->sums.p);
	u128 q = b->sums.q - a->sums.q;
	struct wide v;

	*sum = p;
	if (k * range <= UINT64_MAX)
		return (struct wide){ 0, k * q - (u128)p * (u128)p };
	size = (u128)(p < 0 ? -p : p);
	v = wide_mul(k, q);
	v.hi += (u128)k * (uint64_t)(b->sums.top - a->sums.top -
	    (b->sums.q < a->sums.q));
	return wide_sub(v, wide_mul(size, size));
}

/* 2 (best + k S) - 1: twice the threshold on Var / unit. */
static i128
room(const struct spread_runs *s, uint64_t k)
{
	return 2 * (s->best + (i128)k * s->f->sens) - 1;
}

bool
spread_settle(struct spread_runs *s, size_t i, size_t j)
{
	uint64_t k = spread_records(s, i, j);
	struct spread_end a, b;
	struct wide v, limit;
	u128 rem, var2;
	i128 sum;

	if (room(s, k) <= 0)
		return false;
	put_end(s, &a, i);
	put_end(s, &b, j + 1);
	v = scatter(s, &a, &b, k, &sum);
	v = wide_add(v, v);
	limit = wide_mul((u128)room(s, k), s->f->unit);
	/* 2 Var < 2^128 always. */
	if (limit.hi == 0 &&
	    wide_cmp(v, wide_mul(limit.lo, (u128)k * k)) >= 0)
		return false;
	var2 = wide_div(v, (u128)k * k, &rem).lo;
	s->best = (i128)((var2 / s->f->unit + 1) / 2) -
	    (i128)k * s->f->sens;
	return true;
}

static double
wide_double(struct wide v)
{
	return (double)v.hi * 0x1p128 + (double)v.lo;
}

bool
spread_hopeless(const struct spread_runs *s, struct spread_box *b)
{
	uint64_t m, k = spread_records(s, b->i0, b->j1);
	i128 p, left, right;
	double v, far, dm, dk;

	if (room(s, k) <= 0)
		return true;
	if (b->i1 > b->j0)
		return false;
	m = spread_records(s, b->i1, b->j0);
	dm = (double)m;
	dk = (double)k;
	if (b->left.at != b->i1)
		put_end(s, &b->left, b->i1);
	if (b->right.at != b->j0 + 1)
		put_end(s, &b->right, b->j0 + 1);
	v = wide_double(scatter(s, &b->left, &b->right, m, &p));
	if (v / (dm * dm) * SAFE < (double)room(s, m) * 0.5 * s->unit)
		return false;
	left = p - (i128)m * ((i128)s->x[b->i1] - s->base);
	right = (i128)m * ((i128)s->x[b->j0] - s->base) - p;
	far = (double)(left < right ? left : right);	/* m delta */
	v = v / (dm * dk) + (dk - dm) * far * far / (dm * dk * dk);
	return v * SAFE >= (double)room(s, k) * 0.5 * s->unit;
}
