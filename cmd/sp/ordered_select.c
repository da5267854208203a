/*
 * ordered_select: the preprocessed median without sorting.
 *
 * The pass of ordered.c [CD20 Lemmas 5.4, 5.5], in closed form.  Let med be
 * twice the median, c the doubled center, s = 2 S, and the median not below
 * center; else everything is done on the negated data, where "below" takes in
 * what equals center.  As the largest values go one by one, k of them gone,
 *	hi = min over k < T of med[0, n - k) + k s
 * until T, the first k at which the median falls below center.  A single
 * middle value x[r] has k = n - 1 - 2 r and the payoff
 *	P(r) = 2 x[r] + (n - 1 - 2 r) s,
 * and the payoff of a middle pair is the mean of the P of its two values.  So
 * hi is the least of P(r) for r from r0, the number of values below center,
 * to (n - 1) / 2, of the whole data's own pair, and of the pair astride
 * center where that pair's median is not below center yet.  What happens at
 * T needs that pair alone.  ordered_buckets.c finds the least P(r).
 */
#include "ordered_select.h"

#include "number/sort.h"
#include "ordered_walk.h"

#define BITS 16
#define SMALL 4096	/* sorted before as many buckets are cleared */

/*
 * The data as seen from center.  False where the median is below it.  No
 * branches: nothing is known of the order.
 */
static bool
around(struct select *s, int64_t center)
{
	int64_t below = INT64_MIN, above = INT64_MAX, top = INT64_MIN, x;
	size_t i, n = 0, mid = (s->n - 1) / 2;

	for (i = 0; i < s->n; i++) {
		x = s->x[i];
		n += x < center;
		below = x < center && x > below ? x : below;
		above = x >= center && x < above ? x : above;
		top = x > top ? x : top;
	}
	s->r0 = n;
	s->below = below;
	s->above = above;
	s->floor = center;
	s->top = top;
	s->stays = n > 0 && n < s->n &&
	    (i128)below + above >= 2 * (i128)center;
	return mid >= n || (s->n % 2 == 0 && mid + 1 == n && s->stays);
}

/* Negates the values; their new maximum. */
static int64_t
turn_signs(struct select *s)
{
	int64_t top = INT64_MIN;
	size_t i;

	for (i = 0; i < s->n; i++) {
		s->x[i] = -s->x[i];
		top = s->x[i] > top ? s->x[i] : top;
	}
	return top;
}

/* The negated data, and center: what was not below now is. */
static void
negate(struct select *s)
{
	i128 below = s->below;

	s->top = turn_signs(s);
	s->r0 = s->n - s->r0;
	s->below = -s->above;
	s->above = -below;
	s->floor = 1 - s->floor;
	s->stays = s->r0 > 0 && s->r0 < s->n && !s->stays;
}

/* Twice the preprocessed median, hi being the least payoff of singles. */
static i128
turn(const struct select *s, i128 center2, i128 hi)
{
	i128 n = (i128)s->n, r0 = (i128)s->r0, pair = s->below + s->above;
	i128 t = n - 2 * r0, med = pair, shift;

	if (s->r0 == 0)
		return ordered_clamp(center2 + n * s->s, -BEYOND, hi);
	if (s->stays) {
		hi = pair + t * s->s < hi ? pair + t * s->s : hi;
		t++;
		med = 2 * s->below;
	}
	med += t * s->s;
	shift = (t - 1 + (n - t - 1) % 2) * s->s;
	return ordered_clamp(center2 + shift, med < hi ? med : hi, hi);
}

/* Twice the preprocessed median of data whose median is not below center. */
static enum found
median(struct select *s, i128 center2, int bits, i128 *value)
{
	enum found found = FOUND;
	i128 hi = BEYOND;

	if (s->r0 <= (s->n - 1) / 2)
		found = select_least(s, bits, &hi);
	*value = turn(s, center2, hi);
	return found;
}

static bool
by_sorting(const struct ordered *f, int64_t *x, size_t n, int64_t *value)
{
	if (!sort_grid(x, n))
		return false;
	*value = ordered_value(f, x, n);
	return true;
}

bool
ordered_select(const struct ordered *f, int64_t *x, size_t n, int bits,
    int64_t *value)
{
	struct select s = { .x = x, .n = n, .s = 2 * (i128)f->sens };
	i128 twice, c = f->center;
	enum found found;
	bool up;

	if (n == 0)
		return by_sorting(f, x, n, value);
	up = around(&s, f->center);
	if (!up)
		negate(&s);
	found = median(&s, up ? 2 * c : -2 * c, bits, &twice);
	if (!up)
		turn_signs(&s);
	if (found == TOO_MANY)
		return by_sorting(f, x, n, value);
	*value = (int64_t)fixed_floor_div((up ? twice : -twice) + 1, 2);
	return found == FOUND;
}

bool
ordered_median(const struct ordered *f, int64_t *x, size_t n, int64_t *value)
{
	if (n < SMALL)
		return by_sorting(f, x, n, value);
	return ordered_select(f, x, n, BITS, value);
}
