/*
 * pair: two numbers released together under one l1 sensitivity.
 *
 * [CD20] section 8; the decoupling is not in the paper.  Since
 *     |a| + |b| = max(|a + b|, |a - b|)                                (1)
 * the l1 ball of radius S_i about a point is the square |u - u0| <= S_i, |v -
 * v0| <= S_i, and the intersection of the balls of Definition 8.2 is the
 * rectangle [LOWER_u, UPPER_u] x [LOWER_v, UPPER_v], the bounds of Definition
 * 3.1 for u and for v.  (Lemma 8.5 finds the rectangle too, with max for min in
 * the >= constraints.) Neither side is empty by Lemma 3.5 in one dimension, so
 * no Helly argument is needed.  Also a^2 + b^2 = (u^2 + v^2) / 2, so the l2
 * closest point of a rectangle is found by clamping u and v separately: the
 * pair's g is g for u and g for v, two independent runs with one S_i.
 *
 * On the grid.  Let g_u and g_v be rounded to whole steps; each still moves by
 * at most S_i, a whole number.  The parities may differ: with center (0, 0),
 * one record, f = (2, 2) and S = 1, u = 4 becomes 1, v stays 0, and the closest
 * point is (1/2, 1/2).  So the pair is kept in HALF steps: a = u + v and b = u
 * - v, always whole, always with equal parity, no rounding.  When record i
 * comes or goes, with |du|, |dv| <= S_i,
 *     |du + dv| + |du - dv| = 2 max(|du|, |dv|) <= 2 S_i half steps,
 * which is S_i steps exactly, by (1) again: nothing is lost.  Noise is drawn on
 * every half step in each coordinate, so the parity that a and b share is
 * hidden, and P(y | D) / P(y | D') <= exp(l1 distance / scale) needs no parity.
 * Rounding a and b to whole steps before the noise would move the pair by up to
 * S + 1 steps; rounding after the noise is post-processing.
 *
 * Means: for means a and b, a + b and a - b are means of sums and differences,
 * so the walk of ordered.c does each in O(n log n).  (Trimmed means and medians
 * of two columns are not: their sum is no function of the record sums.)
 *
 * Saturation: each record's u and v are cut at half FIXED_MAX, a row-wise map,
 * so that u + v stays within FIXED_MAX.
 */
#include "pair.h"

#include "values.h"

struct uv
pair_split(int64_t a, int64_t b)
{
	return (struct uv){
	    (int64_t)values_clamp((i128)a + b, -PAIR_MAX, PAIR_MAX),
	    (int64_t)values_clamp((i128)a - b, -PAIR_MAX, PAIR_MAX) };
}

void
pair_merge(struct uv g, int64_t half[2])
{
	half[0] = g.u + g.v;
	half[1] = g.u - g.v;
}
