/*
 * knorm: one draw of noise for several numbers that a record moves together.
 *
 * [DMNS06 Theorem 2] Noise of density e^(-E |x|/S) for any norm in which
 * neighbours are at most S apart; KPAK20 section 7 names it, Hardt and Talwar
 * (2010) have the norm of the body that a record moves in.  Here the body is a
 * box and all are integers.
 *
 * Law, counted.  A record that comes moves the number of records and the d
 * numbers by (1, u), -down_c <= u_c <= up_c, one that goes by the opposite.
 * Everything is counted in 1/m: the move is +-(m, m u).  For integers t, s let
 *
 * h(t, s) = the least lam + mu with whole lam, mu >= 0, lam - mu = t and
 *     -(lam down_c + mu up_c) <= s_c <= lam up_c + mu down_c for every c.
 *
 * Adding m to lam, or to mu, shows h(x + v) <= h(x) + m for every move v, so
 * P[x] proportional to q^h(x), q = e^(-E/(m K)), gives E-privacy where
 * neighbours differ in K records: h moves by m K at most.  To look at some of
 * the numbers only, say at the d numbers without the count, is post-processing.
 *
 * Not counted.  A record moves the d numbers by u, |u_c| <= up_c = down_c, and
 * h(s) is the largest |s_c| / up_c, rounded up: lam is 0.
 *
 * Cut.  Where sum |u_c| <= B for every record, too, h(t, s) asks as well for
 *
 *	sum |s_c| <= (lam + mu) B,
 *	sum max(0, s_c - mu down_c, -s_c - mu up_c) <= lam B,
 *	sum max(0, s_c - lam up_c, -s_c - lam down_c) <= mu B,
 *
 * in the last two for what one part of the box does not hold.  With lam + m and
 * s + m u the first sum grows by m sum |u_c| at most and its limit by m B; the
 * second likewise, as each of its terms moves by m |u_c| at most; no term of
 * the third grows, as u_c <= up_c and -u_c <= down_c.  By symmetry the same for
 * mu + m and s - m u, so h moves by m at most.  (All s that are lam points u
 * less mu others meet these conditions; a transport of two supplies shows that
 * no others do, so this is the least norm.)
 *
 * Replaced.  One record comes and one goes: with lam = mu, h(s) is the least
 * lam.  A move u - u' is one of each, and adds m to lam and to mu.
 *
 * Sampler.  For a fixed t the boxes of the definition grow with mu, so a point
 * is in the box of lam and mu, lam + mu = r, just if r - t is even and r >=
 * h(t, s).  Draw r with a weight q^r times the number of triples (lam, mu, s)
 * of this r, and a triple uniformly.  Then P[x] is proportional to the sum of
 * q^r over r = h, h + 2, ..., which is q^h / (1 - q^2).  Not counted: points of
 * the box of r, and the sum is over r = h, h + 1, ...  Cut: all begins again,
 * with another r, until a triple meets the conditions.  Each that does has the
 * weight q^r as before, and still does with lam + 1 and mu + 1, so the sums are
 * the same.  How often all begins again depends on coins alone.
 *
 * The radius.  With w_c = up_c + down_c, twice that if replaced, a radius has
 * prod_c (w_c r + 1) points for each of r + 1 values of lam; not counted, for
 * one.  That is prod_{i=1..k} (a_i r + 1) in k dimensions, a_1 = 1 for lam.  A
 * sum of k + 1 geometrics of ratio q has the weight q^r prod_i (r + i), up to a
 * constant, and is accepted with
 *
 * prod_i (r + 1/a_i) / (r + i),
 *
 * whose factors are at most 1 and are coins of their own: below r, or at r and
 * one time of a_i, among r + i.  Near r = k t, t = m K/E, where most radii are,
 * the chance is about e^(-k/(2 t)), so that FINE and k <= t make it good, and
 * 2 t < k is refused.
 *
 * Hazards.  knorm_make has w_c (k + 1) (t + 1) <= 2^ROOM, 2 B in place of w_c,
 * too.  A geometric is below (v + 1)(t + 1), v the rounds of a loop, so that
 * w_c r < 2^126 as long as v < 2^(126 - ROOM), a loop that no machine ends.
 * Exact numbers are saturated: then a record moves a number by less, which all
 * conditions allow.  The number of records is not: fewer than 2^46 records of
 * weights up to 2^40.
 */
#include "knorm.h"

#include <math.h>

#include "meter.h"

#define FINE 1024		/* parts in the scale, for rounding costs */
#define PARTS ((u128)1 << 40)	/* m at most */
#define ROOM 68
#define SIDE ((u128)1 << 62)	/* up + down at most, for rng_bernoulli */
#define LIMIT ((i128)1 << 126)

static size_t
knorm_dims(const struct knorm *k)
{
	return k->d + k->counted;
}

/* The points of number c's side for a radius of 1, but one. */
static uint64_t
knorm_width(const struct knorm *k, size_t c)
{
	return (k->side[c].up + k->side[c].down) << k->replaced;
}

static bool
knorm_has_room(const struct knorm *k)
{
	u128 most = (u128)1 << ROOM, t = k->t.s / k->t.r + 1;

	most /= t * (knorm_dims(k) + 1);
	most = most < SIDE ? most : SIDE;
	for (size_t c = 0; c < k->d; c++)
		if (((u128)k->side[c].up + k->side[c].down) << k->replaced >
		    most)
			return false;
	return (u128)k->bound * 2 <= most;
}

/* m K/E at least FINE and the dimensions, or as near as there is room for. */
bool
knorm_make(struct knorm *k, u128 records, struct rational eps)
{
	u128 fine = knorm_dims(k) < FINE ? FINE : knorm_dims(k), m;

	if (eps.num <= 0 || records == 0 || records >> 64 != 0)
		return false;
	for (m = 1; m < PARTS && m * records / fine < (u128)eps.num /
	    (u128)eps.den + 1; m *= 2)
		;
	for (; m > 0; m /= 2) {
		k->m = (uint64_t)m;
		if (scale_make(&k->t, m * records, eps) && knorm_has_room(k))
			return 2 * (k->t.s / k->t.r + 1) >= knorm_dims(k);
	}
	return false;
}

/* The product of coins; for lam the factor is 1. */
static bool
knorm_accept(struct rng *r, const struct knorm *k, u128 radius)
{
	for (size_t c = 0; c < k->d; c++) {
		u128 u = rng_below_wide(r, radius + 1 + c + k->counted);

		if (u > radius || (u == radius && !rng_bernoulli(r, 1,
		    knorm_width(k, c))))
			return false;
	}
	return true;
}

static u128
knorm_radius(struct rng *r, const struct knorm *k)
{
	u128 radius;

	do {
		radius = 0;
		for (size_t i = 0; i <= knorm_dims(k); i++)
			radius += noise_geometric(r, &k->t);
	} while (!knorm_accept(r, k, radius));
	return radius;
}

/* What x has beyond -low..high. */
static i128
knorm_beyond(i128 x, i128 low, i128 high)
{
	return FIXED_MOST(FIXED_MOST(x - high, -x - low), 0);
}

/* The conditions of the cut, for a point of the box. */
static bool
knorm_holds(const struct knorm *k, i128 lam, i128 mu, const i128 *z)
{
	i128 come = lam * (i128)k->bound, gone = mu * (i128)k->bound;
	i128 all = come + gone;

	for (size_t c = 0; c < k->d; c++) {
		i128 up = (i128)k->side[c].up, down = (i128)k->side[c].down;

		all -= knorm_beyond(z[c], 0, 0);
		come -= knorm_beyond(z[c], mu * up, mu * down);
		gone -= knorm_beyond(z[c], lam * down, lam * up);
		if (all < 0 || come < 0 || gone < 0)
			return false;
	}
	return true;
}

bool
knorm_try(struct rng *r, const struct knorm *k, i128 *z)
{
	i128 radius = (i128)knorm_radius(r, k), lam = 0, mu;

	if (k->counted)
		lam = (i128)rng_below_wide(r, (u128)radius + 1);
	mu = radius - lam;
	if (k->replaced)
		lam = mu = radius;
	for (size_t c = 0; c < k->d; c++) {
		i128 up = (i128)k->side[c].up, down = (i128)k->side[c].down;
		i128 all = (lam + mu) * (up + down);

		z[c] = (i128)rng_below_wide(r, (u128)all + 1) - lam * down -
		    mu * up;
	}
	if (k->counted)
		z[k->d] = lam - mu;
	return k->bound == 0 || knorm_holds(k, lam, mu, z);
}

/* [DMNS06 Theorem 2] */
void
knorm_draw(struct rng *r, const struct knorm *k, i128 *z)
{
	while (!knorm_try(r, k, z))
		;
}

void
knorm_add(const struct knorm *k, const i128 *exact, const i128 *z, i128 *noisy)
{
	const i128 m = (i128)k->m, most = LIMIT / m;

	for (size_t c = 0; c < knorm_dims(k); c++) {
		i128 x = FIXED_MOST(-most, FIXED_LEAST(exact[c], most));

		noisy[c] = fixed_add_sat(x * m, z != NULL ? z[c] : 0);
	}
	if (z != NULL)
		METER_BOX(noisy, exact, k);
}

/* --- the law of one number ----------------------------------------------- */

/*
 * Given r, the noise of a number over w = up + down is J/w + lam (2 p - 1) - r
 * p, p = up/w, J uniform on 0..r w and lam on 0..r; less z of the count's 2 lam
 * - r it has p - z in place of p.  With J = floor(U (r w + 1)) and lam =
 * floor(V (r + 1)) for uniform U and V it is within 2 of (r + 1) W, W = (U -
 * 1/2) + tilt (V - 1/2), tilt = 2 p - 1 (a negative tilt has the same law): J/w
 * is at most 1 below (r + 1) U, lam at most 1 below (r + 1) V, and p is in
 * 0..1.
 *
 * r is at most R + 1 for an R with the density R^k e^(-R/t), k dimensions: the
 * quotient of two weights of r, q prod (j + 1 + 1/a_i) / (j + 1/a_i), is at
 * most q ((j + 1)/j)^k, and that of R rounded up, integrals from j - 1 to j, at
 * least this; laws with ordered quotients are ordered.
 *
 * So the noise is at most R |W| + 4, |W| <= 1.  Sums of such noises likewise:
 * given r, each term is within KNORM_BLUR times its weight.
 */
struct spread_part
knorm_part(const struct knorm *k, double tilt, double w)
{
	double t = (double)k->t.s / (double)k->t.r / (double)k->m / 2 * w;

	tilt = fmax(fabs(tilt), SPREAD_LEAST);
	return (struct spread_part){ { t, t * tilt }, (size_t)1 + k->counted,
	    (double)knorm_dims(k) + 1, 1 };
}

double
knorm_reach(const struct knorm *k, size_t c, struct rational p)
{
	double up = (double)k->side[c].up, down = (double)k->side[c].down;
	struct spread_part part = knorm_part(k, (up - down) / (up + down), up +
	    down);
	double reach = spread_reach((struct spread){ &part, 1, 0 },
	    (double)(p.den - p.num) / (double)p.den);

	return ceil(reach + (up + down) * KNORM_BLUR / (double)k->m) + 1;
}
