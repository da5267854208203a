/*
 * ordered_period: jumps of the trimmed mean's walk where its threshold moves
 * by more than a step a level, but by less than a step a level on average.
 *
 * In the terms of ordered_trimmed.c: c grows by 1 a level, but falls by 1 on
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
 * moves by (L - 2) s - (L - 1), between -1 and 1.  So the lemma of
 * ordered_trimmed.c holds with periods for levels.
 *
 * A period moves p by +1 or 0 and q by L - 1 or L - 2, in between they leave
 * this range by at most 1: the margins of ordered_trimmed.c suffice again.
 */
#include "ordered_runs.h"

#include "number/wide.h"

#define MARGIN 4
#define WORTH 4		/* periods that make a jump worth while */

struct period {
	const struct jumper *w;
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
right(const struct period *s, uint64_t j)
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
leaves(const void *context, uint64_t j)
{
	const struct period *s = context;
	i128 k = start(s, j + 1) - s->k, u = right(s, j + 1), v = k - u;
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
estimate(const struct period *s)
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

void
jumper_period(struct jumper *w)
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
	j = jumper_first(&s, leaves, (uint64_t)1 << 41, estimate(&s));
	if (j < WORTH)
		return;
	u = right(&s, j);
	m = start(&s, j) - s.k;
	jumper_place(w, w->l - (uint64_t)(m - u), w->r + (uint64_t)u);
}
