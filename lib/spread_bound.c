/*
 * spread_bound: exact scatter of windows and a lower bound over boxes.
 *
 * For a window of k records with sum P and sum of squares Q (of x - base) the
 * scatter is V = k Q - P^2 = k^2 Var.  P is below 2^41 2^63 and exact; Q is
 * kept mod 2^128.  V <= k^2 r^2 / 4 for a window of range r, so that V mod
 * 2^128 is V itself whenever k r < 2^64; only data with n r >= 2^64 need the
 * next 64 bits of Q, which then go to `top', and 256-bit numbers.
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

#include "wide.h"

#define SAFE (1.0 - 0x1p-40)

/* Fills the prefix sums; the loop carries squares in 192 bits. */
static void
fill(struct spread_runs *s, const uint64_t *w)
{
	struct wide q = { 0, 0 }, more;
	uint64_t count = 0, one;
	u128 p = 0;
	i128 y;
	size_t i;

	for (i = 0; i <= s->n; i++) {
		s->sums[i] = (struct spread_sums){ p, q.lo };
		if (s->count != NULL)
			s->count[i] = count;
		if (s->top != NULL)
			s->top[i] = (uint64_t)q.hi;
		if (i == s->n)
			break;
		one = w == NULL ? 1 : w[i];
		y = (i128)s->x[i] - s->x[s->n / 2];
		p += (u128)y * one;
		more = wide_mul((u128)(y * y), one);
		q = wide_add(q, more);
		count += one;
	}
}

bool
spread_open(struct spread_runs *s, const struct spread *f, const int64_t *x,
    const uint64_t *w, size_t n)
{
	u128 total = n, range = (u128)((i128)x[n - 1] - x[0]);
	bool ok;
	size_t i;

	memset(s, 0, sizeof(*s));
	s->f = f;
	s->x = x;
	s->n = n;
	s->unit = (double)f->unit;
	if (w != NULL)
		for (total = 0, i = 0; i < n; i++)
			total += w[i];
	s->sums = malloc((n + 1) * sizeof(*s->sums));
	ok = s->sums != NULL;
	if (w != NULL)
		ok = (s->count = malloc((n + 1) * sizeof(*s->count))) && ok;
	if (total * range > UINT64_MAX)
		ok = (s->top = malloc((n + 1) * sizeof(*s->top))) && ok;
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
	free(s->top);
}

uint64_t
spread_records(const struct spread_runs *s, size_t i, size_t j)
{
	if (s->count == NULL)
		return j + 1 - i;
	return s->count[j + 1] - s->count[i];
}

/* k^2 Var of window [i, j] of k records. */
static struct wide
scatter(const struct spread_runs *s, size_t i, size_t j, uint64_t k)
{
	i128 p = (i128)(s->sums[j + 1].p - s->sums[i].p);
	u128 q = s->sums[j + 1].q - s->sums[i].q;
	u128 range = (u128)((i128)s->x[j] - s->x[i]), size;
	struct wide v;
	uint64_t high;

	if (k * range <= UINT64_MAX)
		return (struct wide){ 0, k * q - (u128)p * (u128)p };
	high = s->top[j + 1] - s->top[i] - (s->sums[j + 1].q < s->sums[i].q);
	size = (u128)(p < 0 ? -p : p);
	v = wide_mul(k, q);
	v.hi += (u128)k * high;
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
	struct wide v, limit;
	u128 rem, var2;

	if (room(s, k) <= 0)
		return false;
	v = scatter(s, i, j, k);
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
spread_hopeless(const struct spread_runs *s, const struct spread_box *b)
{
	uint64_t m, k = spread_records(s, b->i0, b->j1);
	i128 p, left, right, base = s->x[s->n / 2];
	double v, far, dm, dk;

	if (room(s, k) <= 0)
		return true;
	if (b->i1 > b->j0)
		return false;
	m = spread_records(s, b->i1, b->j0);
	dm = (double)m;
	dk = (double)k;
	v = wide_double(scatter(s, b->i1, b->j0, m));
	if (v / (dm * dm) * SAFE < (double)room(s, m) * 0.5 * s->unit)
		return false;
	p = (i128)(s->sums[b->j0 + 1].p - s->sums[b->i1].p);
	left = p - (i128)m * (s->x[b->i1] - base);
	right = (i128)m * (s->x[b->j0] - base) - p;
	far = (double)(left < right ? left : right);	/* m delta */
	v = v / (dm * dk) + (dk - dm) * far * far / (dm * dk * dk);
	return v * SAFE >= (double)room(s, k) * 0.5 * s->unit;
}
