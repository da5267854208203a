/*
 * ordered_hint: where to look for g first.
 *
 * The walk of a threshold t follows the line F(l, r) = t for as long as a
 * record more on the right lowers F and one more on the left raises it.  The
 * walks just above and just below g part at a window where this ends: F is
 * smallest over r and largest over l there, which for the mean says that the
 * k records of the window are those within about k S of their own mean.  Such
 * windows are looked for from center up and from the data down, the whole and
 * the parts on either side of center; the empty window at center is one too.
 * None need be the right one, so its payoff is only a hint; but the right one
 * is met nearly always, and two walks then confirm it.
 */
#include "ordered_runs.h"

struct piece {
	const struct ordered_data *d;
	size_t l, r;
	i128 k, sum;
};

static i128
weight(const struct ordered_data *d, size_t i)
{
	return d->before == NULL ? 1 :
	    (i128)(d->before[i + 1] - d->before[i]);
}

/* The payoff of a window, rounded. */
static i128
payoff(const struct piece *s)
{
	const struct ordered_data *d = s->d;
	i128 shift = (i128)ordered_before(d, d->n) -
	    (i128)ordered_before(d, s->l) - (i128)ordered_before(d, s->r);
	i128 f = d->f->center;

	if (s->k > 0)
		f = fixed_floor_div(2 * s->sum + s->k, 2 * s->k);
	return f + shift * d->f->sens;
}

static i128
middle(const struct piece *s)
{
	return s->k > 0 ? s->sum / s->k : s->d->f->center;
}

/* By how much the last run (with side 1) or the first raises or lowers F. */
static i128
excess(const struct piece *s, i128 mean, i128 k, int side)
{
	size_t i = side ? s->r - 1 : s->l;
	i128 far = side ? s->d->x[i] - mean : mean - s->d->x[i];

	return far - (k - weight(s->d, i)) * s->d->f->sens;
}

/*
 * Drops runs that raise F on the right or lower it on the left, the worst
 * ones first because they spoil the mean for the others.
 */
static void
shrink(struct piece *s)
{
	i128 mean, k, worst, e;
	size_t i;

	while (s->r - s->l > 1) {
		mean = middle(s);
		k = s->k;
		worst = excess(s, mean, k, 0);
		e = excess(s, mean, k, 1);
		if (worst < e)
			worst = e;
		if (worst <= 0)
			break;
		for (int side = 0; side < 2; side++)
			while (s->r - s->l > 1 &&
			    excess(s, mean, k, side) > worst / 2) {
				i = side ? --s->r : s->l++;
				s->k -= weight(s->d, i);
				s->sum -= weight(s->d, i) * s->d->x[i];
			}
	}
}

/* Takes in runs that lower F on the right or raise it on the left. */
static void
grow(struct piece *s)
{
	const int64_t *x = s->d->x;
	i128 mean, w, k, sens = s->d->f->sens, old;

	do {
		mean = middle(s);
		old = k = s->k;
		for (; s->r < s->d->n; s->r++) {
			w = weight(s->d, s->r);
			if (x[s->r] - mean > (k + w) * sens)
				break;
			s->k += w;
			s->sum += w * x[s->r];
		}
		for (; s->l > 0; s->l--) {
			w = weight(s->d, s->l - 1);
			if (mean - x[s->l - 1] > (k + w) * sens)
				break;
			s->k += w;
			s->sum += w * x[s->l - 1];
		}
	} while (s->k != old);
}

size_t
ordered_find(const struct ordered_data *d, i128 v)
{
	size_t lo = 0, hi = d->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (d->x[mid] < v)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Whole runs [l, r), shrunk. */
static i128
down(const struct ordered_data *d, size_t l, size_t r)
{
	struct piece s = { .d = d, .l = l, .r = r };

	for (size_t i = l; i < r; i++) {
		s.sum += weight(d, i) * d->x[i];
		s.k += weight(d, i);
	}
	shrink(&s);
	return payoff(&s);
}

/* The payoff of all data, which is their trimmed mean or quantile, rounded. */
static i128
whole(const struct ordered_data *d)
{
	uint64_t n = ordered_before(d, d->n);
	struct run_walk w = run_walk_make(d, 0, 0);
	i128 den, f2;

	run_walk_place(&w, 0, n);
	f2 = run_walk_twice(&w, &den);
	return fixed_floor_div(f2 + den, 2 * den);
}

int
ordered_hints(const struct ordered_data *d, i128 *hint)
{
	size_t at = ordered_find(d, d->f->center);
	struct piece s = { .d = d, .l = at, .r = at };

	if (d->f->kind != ORDERED_MEAN || d->f->alpha.num != 0) {
		hint[0] = whole(d);
		hint[1] = payoff(&s);
		return 2;
	}
	hint[0] = down(d, 0, d->n);
	hint[2] = payoff(&s);
	grow(&s);
	hint[1] = payoff(&s);
	hint[3] = down(d, 0, at);
	hint[4] = down(d, at, d->n);
	return 5;
}
