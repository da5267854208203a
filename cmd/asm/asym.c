/*
 * asym: the asymmetric sensitivity mechanism, by exact AboveThreshold.
 *
 * Query.  For output bounds that satisfy [D24 Definition A.1], with
 * len(t) = min l such that L^l <= t <= U^l,
 *	h(t) = 1 - len(t) for t < f(x),  max(len(t), 1) for t >= f(x).
 * This is the reflective inverse sensitivity [D24 Definition A.3] plus 1/2,
 * except at t = f(x), where h is 1, the value just above.  h has sensitivity 1.
 * Let x, x' be neighbours.  (i) t below both f: |len - len'| <= 1 by Definition
 * A.1.  (ii) t at or above both: as in (i), and max(., 1) keeps the bound.
 * (iii) f(x') <= t < f(x): L^1(x) <= L^0(x') <= f(x') <= t and U^1(x) >= f(x) >
 * t give len(t) <= 1, so h is 0 or 1; U^1(x') >= U^0(x) > t gives len' <= 1, so
 * h' = 1.  In every case |h - h'| <= 1.
 *
 * Any number of records.  Let N be a public number and n the records in x.  The
 * query is
 *	h'(t) = max(min(h(t), m - c - 1), -c), m = max(N - n, 0).
 * m moves by at most 1 between neighbours, a minimum or maximum keeps this
 * bound, and h' has sensitivity 1.  As h is -c at least and c + 1 at most, h' =
 * h as long as m >= 2 c + 2, and from n = N on h' = -c whatever the records
 * are: no record is looked at, and the surplus need not be told.  Inverse
 * sensitivities len(t) become min(len(t), m) likewise, 0 from N on (inverse.c).
 *
 * Monotonic.  When L^l(x) <= L^l(x') and U^l(x) <= U^l(x') for all l [D24 Lemma
 * E.6]: below both f, len <= len', so h >= h'; above, len >= len', so h >= h';
 * between them (f(x) <= t < f(x')) h = 1 >= h'.  So every query moves in one
 * direction.  And so after the minimum: under swap x and x' share m, and for
 * sums of terms from 0 up under add-remove x' has a record more, and the
 * smaller m.
 *
 * Halting.  T and V_i are geometric on 0, 1, 2, ... with P[j] proportional to
 * exp(-eps1 j) and exp(-eps2 j); the search stops at the first i with
 *	h(t_i) + V_i >= 1 + T.
 * Let x' neighbour x and the search stop at i for x.  Map (T, V_i) to (T + 1,
 * V_i + 2), and keep each V_j, j /= i: for j < i, h'_j + V_j <= h_j + V_j + 1 <
 * 2 + T, no stop; at i, h'_i + V_i + 2 >= h_i + V_i + 1 >= 2 + T, a stop.  The
 * map is one-to-one, stays in the support, and multiplies probabilities by
 * exp(-eps1 - 2 eps2), hence P[i | x] <= exp(eps1 + 2 eps2) P[i | x'].  When
 * all h' >= h, V_i + 1 is enough (h'_i >= h_i); when all h' <= h, T stays and
 * V_i + 1 is enough: in both cases exp(eps1 + eps2) bounds the ratio.  At the
 * list's end, where nothing stopped, the part j < i is the whole argument.  V_i
 * is never drawn: P[V_i >= a] = exp(-eps2 a) for a >= 0, one coin.
 *
 * Hazards: need * eps2's numerator must fit 128 bits.  need is cut at 2^64,
 * which changes an answer only for a T above: eps1 >= EPS_LEAST keeps this
 * chance below exp(-2^33).
 */
#include "asym.h"

#include "random/meter.h"

#define EPS_LEAST ((struct rational){ 1, (i128)1 << 31 })
#define NEED_MOST ((i128)1 << 64)
#define PART_MOST (((i128)1 << 63) - 1)

static bool
part_fits(struct rational eps)
{
	return rational_cmp(eps, EPS_LEAST) >= 0 && eps.num <= PART_MOST &&
	    eps.den <= PART_MOST;
}

/* [D24 Proposition 2.5] eps1 + times eps2. */
bool
asym_split(struct asym *a, struct rational eps, struct rational share,
    unsigned times)
{
	struct rational part = { 1, times };

	return rational_mul(&a->eps1, eps, share) &&
	    rational_sub(&a->eps2, eps, a->eps1) &&
	    rational_mul(&a->eps2, a->eps2, part) &&
	    part_fits(a->eps1) && part_fits(a->eps2) &&
	    scale_make(&a->threshold, 1, a->eps1);
}

int64_t
asym_query(const struct output_bounds *b, int64_t t)
{
	int64_t len = (int64_t)output_bounds_len(b, t), c = (int64_t)b->c;
	int64_t h = FIXED_MOST(len, 1);
	int64_t most = (int64_t)b->room - c - 1;

	if (t < b->lo[0])
		h = 1 - len;
	h = FIXED_LEAST(h, most);
	return FIXED_MOST(h, -c);
}

/* [D24 Algorithm 1] with one-sided geometric noise. */
size_t
asym_search(const struct asym *a, const struct output_bounds *b,
    const struct outputs *o, struct rng *r)
{
	u128 draw = noise_geometric(r, &a->threshold);
	i128 bar = 1 + (i128)FIXED_LEAST(draw, (u128)NEED_MOST), need;
	size_t i;

	for (i = 0; i + 1 < o->n; i++) {
		need = bar - asym_query(b, o->t[i]);
		need = FIXED_LEAST(need, NEED_MOST);
		if (need <= 0 || noise_bern_exp(r,
		    (u128)need * (u128)a->eps2.num, (uint64_t)a->eps2.den))
			break;
	}
	return METER_SPARSE(a, b, o, i);
}
