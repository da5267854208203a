/*
 * ordered_trimmed: jumps of the mean's walk along its threshold, where alpha n
 * records are trimmed at each end; alpha = 0 is the plain mean.
 *
 * Write K = u + v for the level and a = u - v; a step adds 1 to K and +-1 to a.
 * While the ends p, q of the untrimmed part, c = q - p records, stay in the
 * runs x_a, x_b, with X = x_a + x_b and H = x_b - x_a, level K has
 *	2 sum - 2 t' c = N(c) - a M(c),  M(c) = 2 S c - H,
 *	N(c) = N_0 + (X - 2 t'_0) (c - c_0),
 * so that for M > 0 the answer is yes exactly when a <= theta(c) = N / M.
 * theta is a Moebius function of c whose steps, |(X - 2 t'_0) M - 2 S N| /
 * (M(c) M(c + 1)), have one numerator and shrink as c grows.
 *
 * Lemma.  Let b_K be the largest number of the parity of a on level K with b_K
 * <= theta.  If a is b_K or b_K + 2, then a = b_K + 1 on level K + 1.  When
 * theta moves by at most 1 a level then b_{K+1} is b_K +- 1, so that a is
 * b_{K+1} or b_{K+1} + 2 again.  Hence, if -2 <= theta < 2 now (a = 0), then a
 * = b_{K-1} + 1 on level K, whatever lies between.
 *
 * c changes by 1 a level and c(K + 2) >= c(K), so c >= c_0 - 1 throughout.
 * The numerator at c_0 is at most M(c_0) (|X - 2 t'_0| + 4 S) as |N_0| <= 2
 * M(c_0); with |X - 2 t'_0| + H + 4 S <= 2 S (c_0 - 1) theta's steps are
 * therefore at most 1.
 *
 * Drift: for levels i < j, |theta_i - theta_j| is at most |c_i - c_j|, so that
 * q_i - q_j <= 3 and p_j - p_i <= 3 (rounding a and the rank makes up the 3).
 * If the ends are at least MARGIN = 4 records inside their runs before and
 * after a jump, they are inside in between.
 */
#include "ordered_runs.h"

#define MARGIN 4
#define WORTH 16	/* levels worth a jump */

struct level {
	const struct run_walk *w;
	i128 n0, slope, gap;	/* N_0, X - 2 t'_0, H */
	uint64_t k, c, rank;	/* for the present window */
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
trimmed_leaves(const void *p, uint64_t j)
{
	const struct level *s = p;
	i128 u = right(s, j + 1), v = (i128)j + 1 - u;
	i128 rank = ordered_rank(s->w->d->f, s->k + j + 1);

	return u > (i128)(s->w->n - s->w->r) || v > (i128)s->w->l ||
	    (i128)s->w->l - v + rank < (i128)s->first ||
	    (i128)s->w->r + u - rank > (i128)s->end;
}

/* Levels until an end has drifted out of the run, roughly. */
static double
trimmed_estimate(const struct level *s)
{
	struct rational a = s->w->d->f->alpha;
	double trim = 1 - 2 * rational_real(a);
	double m = 2 * (double)s->w->d->f->sens * (double)s->c -
	    (double)s->gap;
	double move = (double)s->slope / m, p, q;

	p = (double)(s->w->p.at - s->first) * 2 / (trim * (1 - move));
	q = (double)(s->end - s->w->q.at) * 2 / (trim * (1 + move));
	return FIXED_LEAST(p, q);
}

/*
 * Rest.  Suppose that two steps lead from the window [l, r) to [l - 1, r + 1)
 * while floor(alpha k) grows by 1: then p, q, the untrimmed part, the sum and
 * the threshold, which depends on a alone, stay.  The next two answers stay,
 * too, for as long as the rank grows like this: rank(k + 2 i) = rank(k) + i and
 * rank(k + 2 i + 1) = rank(k + 1) + i.  As the rank grows by at most 1 in two
 * levels, 2 alpha < 1, the equations hold up to some i and not again.  Rests
 * are exact at the ends of runs and for the smallest c; near alpha = 1/2 rests
 * are long.
 */
struct rest {
	const struct run_walk *w;
	uint64_t k, rank, next;		/* rank on levels k and k + 1 */
};

static bool
wakes(const void *context, uint64_t i)
{
	const struct rest *s = context;
	const struct ordered *f = s->w->d->f;

	return ordered_rank(f, s->k + 2 * i + 1) != s->next + i ||
	    ordered_rank(f, s->k + 2 * i + 2) != s->rank + i + 1;
}

static void
rest(struct run_walk *w)
{
	struct rational a = w->d->f->alpha;
	double part = 1 - 2 * rational_real(a);
	struct rest s = { .w = w, .k = w->r - w->l };
	struct run_walk two = *w;
	uint64_t pairs = FIXED_LEAST(w->l, w->n - w->r);
	bool yes;

	if (!run_walk_steps(&two, 2, &yes) || two.l + 1 != w->l)
		return;
	s.rank = ordered_rank(w->d->f, s.k);
	s.next = ordered_rank(w->d->f, s.k + 1);
	pairs = run_walk_first(&s, wakes, pairs, 0.5 / part);
	run_walk_place(w, w->l - pairs, w->r + pairs);
}

static void
track_line(struct run_walk *w)
{
	const struct ordered_data *d = w->d;
	size_t a = w->p.run - (w->p.at == ordered_before(d, w->p.run));
	size_t b = w->q.run;
	i128 s2 = 2 * (i128)d->f->sens, xa = d->x[a], xb = d->x[b], m;
	struct level s = {
		.w = w, .slope = xa + xb - w->t2, .gap = xb - xa,
		.k = w->r - w->l, .c = w->q.at - w->p.at,
		.first = ordered_before(d, a) + MARGIN,
		.end = ordered_before(d, b + 1) - MARGIN
	};
	uint64_t j;
	i128 u;

	if (w->p.at < s.first || w->p.at + MARGIN > ordered_before(d, a + 1) ||
	    w->q.at > s.end || w->q.at < ordered_before(d, b) + MARGIN ||
	    s.end < MARGIN)
		return;
	if ((s.slope < 0 ? -s.slope : s.slope) + s.gap + 2 * s2 >
	    s2 * ((i128)s.c - 1))
		return;
	m = s2 * (i128)s.c - s.gap;
	s.n0 = 2 * w->sum - w->t2 * (i128)s.c;
	if (s.n0 < -2 * m || s.n0 >= 2 * m)
		return;
	s.rank = ordered_rank(d->f, s.k);
	j = run_walk_first(&s, trimmed_leaves, (uint64_t)1 << 41,
	    trimmed_estimate(&s));
	if (j < WORTH)
		return;
	u = right(&s, j);
	run_walk_place(w, w->l - (j - (uint64_t)u), w->r + (uint64_t)u);
}

void
run_walk_trimmed(struct run_walk *w)
{
	uint64_t l = w->l, r = w->r;

	track_line(w);
	if (w->l == l && w->r == r)
		rest(w);
}
