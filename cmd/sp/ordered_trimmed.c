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

#include "number/fixed.h"

#define MARGIN 4
#define WORTH 16	/* levels that make a jump worth while */

struct level {
	const struct run_walk *w;
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
	double trim = 1 - 2 * rational_real(a);
	double m = 2 * (double)s->w->d->f->sens * (double)s->c -
	    (double)s->gap;
	double move = (double)s->slope / m, p, q;

	p = (double)(s->w->p.at - s->first) * 2 / (trim * (1 - move));
	q = (double)(s->end - s->w->q.at) * 2 / (trim * (1 + move));
	return p < q ? p : q;
}

/*
 * Jumps of the trimmed mean's walk where its threshold moves
 * by more than a step a level, but by less than a step a level on average.
 *
 * In the terms above c grows by 1 a level, but falls by 1 on
 * the levels where floor(alpha k) grows.  Call the stretch from one of these
 * levels to the next a period of L levels; c has grown by L - 2 at its end.
 * Suppose that theta grows by s with each unit of c, 1 <= s and (L - 2) s <=
 * L.  (Where it falls, all is mirrored: u and v, yes and no, change places.)
 *
 * After the first level of a period all answers are yes: the level before it
 * had theta >= a, so that at it theta - a >= -(s + 1), and after one step to
 * either side theta - a >= 0, which growing by s - 1 >= 0 a level keeps.  A
 * period therefore moves a by L after yes at its first level and by L - 2
 * after no.  Let a' be a less L - 1 for each period passed: it moves by +1 or
 * -1 as a' <= theta' or not, where theta' is theta less the same, and theta'
 * moves by (L - 2) s - (L - 1), between -1 and 1.  So the lemma
 * above holds with periods for levels.
 *
 * A period moves p by +1 or 0 and q by L - 1 or L - 2, in between they leave
 * this range by at most 1: the margins above suffice again.
 */
#define PERIODS_WORTH 4	/* periods that make a jump worth while */

struct period {
	const struct run_walk *w;
	i128 n0, slope, gap, s2;	/* N_0, X - 2 t'_0, H, 2 S */
	i128 num, den;			/* alpha */
	i128 k, c, rank;		/* of the present window */
	i128 p0, p1, q0, q1;		/* where p and q may end */
	bool mirror;
};

/* k at the start of period i. */
static i128
start(const struct period *s, uint64_t i)
{
	return fixed_ceil_div((s->rank + (i128)i) * s->den, s->num);
}

static i128
slack(const struct period *s, i128 c)
{
	return s->s2 * c - s->gap;
}

/* u after j > 0 periods. */
static i128
period_right(const struct period *s, uint64_t j)
{
	i128 k = start(s, j - 1), c = k - 2 * (s->rank + (i128)j - 1), b;

	b = fixed_floor_div(s->n0 + s->slope * (c - s->c), slack(s, c));
	if (s->mirror)
		b = -b - 1;
	b -= k - s->k - (i128)j + 1;
	b -= (b - (i128)j + 1) & 1;
	k = start(s, j) - s->k;
	b += 1 + k - (i128)j;
	return (k + (s->mirror ? -b : b)) / 2;
}

/* Is a jump of j + 1 periods too far, or theta too slow at its end? */
static bool
period_leaves(const void *context, uint64_t j)
{
	const struct period *s = context;
	i128 k = start(s, j + 1) - s->k, u = period_right(s, j + 1), v = k - u;
	i128 rank = s->rank + (i128)j + 1, p, q, m;
	i128 least = (s->slope < 0 ? -s->slope : s->slope) - 2 * s->s2;

	p = (i128)s->w->l - v + rank;
	q = (i128)s->w->r + u - rank;
	if (u > (i128)(s->w->n - s->w->r) || v > (i128)s->w->l ||
	    p < s->p0 || p > s->p1 || q < s->q0 || q > s->q1)
		return true;
	m = slack(s, s->k + k - 2 * rank + 1);
	return wide_cmp(wide_mul((u128)least, (u128)slack(s, s->c)),
	    wide_mul((u128)m, (u128)m)) < 0;
}

/* Periods until p or q has drifted out of its run, roughly. */
static double
period_estimate(const struct period *s)
{
	double len = (double)s->den / (double)s->num, rare, p, q;
	double theta = (double)s->slope / (double)slack(s, s->c);

	rare = (len - (len - 2) * (s->mirror ? -theta : theta)) / 2;
	p = (double)s->w->p.at;
	q = (double)s->w->q.at;
	p = s->mirror ? (p - (double)s->p0) / (len - rare - 1) :
	    ((double)s->p1 - p) / (1 - rare);
	q = s->mirror ? (q - (double)s->q0) / (1 - rare) :
	    ((double)s->q1 - q) / (len - rare - 1);
	return p < q ? p : q;
}

static void
track_periods(struct run_walk *w)
{
	const struct ordered_data *d = w->d;
	size_t a = w->p.run, b = w->q.run;
	i128 xa = d->x[a], xb = d->x[b], m, steep, len;
	struct period s = {
		.w = w, .slope = xa + xb - w->t2, .gap = xb - xa,
		.s2 = 2 * (i128)d->f->sens,
		.num = d->f->alpha.num, .den = d->f->alpha.den,
		.k = (i128)(w->r - w->l), .c = (i128)(w->q.at - w->p.at),
		.p0 = (i128)d->before[a] + MARGIN,
		.p1 = (i128)d->before[a + 1] - MARGIN,
		.q0 = (i128)d->before[b] + MARGIN,
		.q1 = (i128)d->before[b + 1] - MARGIN,
		.mirror = xa + xb < w->t2
	};
	uint64_t j;
	i128 u;

	s.rank = (s.k - s.c) / 2;
	if (s.den > FIXED_MAX || s.rank == 0 || start(&s, 0) != s.k ||
	    (i128)w->p.at < s.p0 || (i128)w->p.at > s.p1 ||
	    (i128)w->q.at < s.q0 || (i128)w->q.at > s.q1)
		return;
	m = slack(&s, s.c);
	steep = s.mirror ? -s.slope : s.slope;
	len = fixed_ceil_div(s.den, s.num);
	if (m <= 0 || steep - 2 * s.s2 < m ||
	    (steep + 2 * s.s2) * (len - 2) > len * m)
		return;
	s.n0 = 2 * w->sum - w->t2 * s.c;
	if (s.n0 <= -2 * m || s.n0 >= 2 * m)
		return;
	j = run_walk_first(&s, period_leaves, (uint64_t)1 << 41,
	    period_estimate(&s));
	if (j < PERIODS_WORTH)
		return;
	u = period_right(&s, j);
	m = start(&s, j) - s.k;
	run_walk_place(w, w->l - (uint64_t)(m - u), w->r + (uint64_t)u);
}

/*
 * Rest.  Suppose that two steps lead from the window [l, r) to [l - 1, r + 1)
 * while floor(alpha k) grows by 1: then p and q are where they were, and the
 * untrimmed part, its sum and the threshold, which depends on a alone, are the
 * same.  The next two answers are the same too, for as long as the rank grows
 * in this way: rank(k + 2 i) = rank(k) + i and rank(k + 2 i + 1) =
 * rank(k + 1) + i.  As it grows by at most 1 in two levels, 2 alpha < 1, both
 * hold up to some i and not again.  This is exact at the ends of runs and for
 * the smallest c; near alpha = 1/2 the rests are long.
 */
struct rest {
	const struct run_walk *w;
	uint64_t k, rank, next;		/* rank of levels k and k + 1 */
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
	uint64_t pairs = w->l < w->n - w->r ? w->l : w->n - w->r;

	if (!run_walk_step(&two) || !run_walk_step(&two) || two.l + 1 != w->l)
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
		track_periods(w);
		return;
	}
	m = s2 * (i128)s.c - s.gap;
	s.n0 = 2 * w->sum - w->t2 * (i128)s.c;
	if (s.n0 < -2 * m || s.n0 >= 2 * m)
		return;
	s.rank = ordered_rank(d->f, s.k);
	j = run_walk_first(&s, leaves, (uint64_t)1 << 41, estimate(&s));
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
