/*
 * ordered_trimmed: jumps of the trimmed mean's walk along its threshold.
 *
 * Write K = u + v for the level and a = u - v; a step adds 1 to K and +-1 to
 * a.  While both ends p, q of the untrimmed part of c = q - p records stay in
 * their runs x_a, x_b, with X = x_a + x_b and H = x_b - x_a, level K has
 *	2 sum - 2 t' c = N(c) - a M(c),  M(c) = 2 S c - H,
 *	N(c) = N_0 + (X - 2 t'_0) (c - c_0),
 * so that for M > 0 the answer is yes exactly when a <= theta(c) = N / M.
 * theta is a Moebius function of c whose steps, |(X - 2 t'_0) M - 2 S N| /
 * (M(c) M(c + 1)), have one numerator and shrink as c grows.
 *
 * Lemma.  Let b_K be the largest number of the parity of a on level K with
 * b_K <= theta.  If a is b_K or b_K + 2, then a = b_K + 1 on level K + 1.
 * When theta moves by at most 1 a level then b_{K+1} is b_K +- 1, so that a
 * is b_{K+1} or b_{K+1} + 2 again.  Hence, if -2 <= theta < 2 now (a = 0),
 * then on level K it is a = b_{K-1} + 1, whatever lies between.
 *
 * c changes by 1 a level and c(K + 2) >= c(K), so c >= c_0 - 1 throughout.
 * The numerator at c_0 is at most M(c_0) (|X - 2 t'_0| + 4 S) as |N_0| <= 2
 * M(c_0); with |X - 2 t'_0| + H + 4 S <= 2 S (c_0 - 1) theta's steps are
 * therefore at most 1.
 *
 * Drift: for levels i < j, |theta_i - theta_j| is at most |c_i - c_j|, from
 * which q_i - q_j <= 3 and p_j - p_i <= 3 (the roundings of a and of the rank
 * make up the 3).  If the ends are at least MARGIN = 4 records inside their
 * runs at both ends of a jump, they are in their runs in between.
 */
#include "ordered_runs.h"

#define MARGIN 4
#define WORTH 16	/* levels that make a jump worth while */

struct level {
	const struct jumper *w;
	i128 n0, slope, gap;	/* N_0, X - 2 t'_0, H */
	uint64_t k, c, rank;	/* of the present window */
	uint64_t first, end;	/* p stays from first on, q before end */
};

/* u after j > 0 levels. */
static i128
right(const struct level *s, uint64_t j)
{
	i128 before = ordered_rank(s->w->d->f, s->k + j - 1);
	i128 more = (i128)j - 1 - 2 * (before - (i128)s->rank);
	i128 c = (i128)s->c + more, b;

	b = fixed_floor_div(s->n0 + s->slope * more,
	    2 * (i128)s->w->d->f->sens * c - s->gap);
	b -= (b - (i128)j + 1) & 1;
	return ((i128)j + b + 1) / 2;
}

/* Is a jump of j + 1 levels too far? */
static bool
leaves(const void *p, uint64_t j)
{
	const struct level *s = p;
	i128 u = right(s, j + 1), v = (i128)j + 1 - u;
	i128 rank = ordered_rank(s->w->d->f, s->k + j + 1);

	return u > (i128)(s->w->n - s->w->r) || v > (i128)s->w->l ||
	    (i128)s->w->l - v + rank < (i128)s->first ||
	    (i128)s->w->r + u - rank > (i128)s->end;
}

/* Levels until an end has drifted out of its run, roughly. */
static double
estimate(const struct level *s)
{
	struct rational a = s->w->d->f->alpha;
	double trim = 1 - 2 * ((double)a.num / (double)a.den);
	double m = 2 * (double)s->w->d->f->sens * (double)s->c -
	    (double)s->gap;
	double move = (double)s->slope / m, p, q;

	p = (double)(s->w->p.at - s->first) * 2 / (trim * (1 - move));
	q = (double)(s->end - s->w->q.at) * 2 / (trim * (1 + move));
	return p < q ? p : q;
}

void
jumper_trimmed(struct jumper *w)
{
	const struct ordered_data *d = w->d;
	size_t a = w->p.run - (w->p.at == d->before[w->p.run]);
	size_t b = w->q.run;
	i128 s2 = 2 * (i128)d->f->sens, xa = d->x[a], xb = d->x[b], m;
	struct level s = {
		.w = w, .slope = xa + xb - w->t2, .gap = xb - xa,
		.k = w->r - w->l, .c = w->q.at - w->p.at,
		.first = d->before[a] + MARGIN, .end = d->before[b + 1] - MARGIN
	};
	uint64_t j;
	i128 u;

	if (w->p.at < s.first || w->p.at + MARGIN > d->before[a + 1] ||
	    w->q.at > s.end || w->q.at < d->before[b] + MARGIN ||
	    s.end < MARGIN)
		return;
	if ((s.slope < 0 ? -s.slope : s.slope) + s.gap + 2 * s2 >
	    s2 * ((i128)s.c - 1)) {
		jumper_period(w);
		return;
	}
	m = s2 * (i128)s.c - s.gap;
	s.n0 = 2 * w->sum - w->t2 * (i128)s.c;
	if (s.n0 < -2 * m || s.n0 >= 2 * m)
		return;
	s.rank = ordered_rank(d->f, s.k);
	j = jumper_first(&s, leaves, (uint64_t)1 << 41, estimate(&s));
	if (j < WORTH)
		return;
	u = right(&s, j);
	jumper_place(w, w->l - (j - (uint64_t)u), w->r + (uint64_t)u);
}
