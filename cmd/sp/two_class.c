/*
 * two_class: database-ordered functions with two distinct sensitivities.
 *
 * [CD20] gives windows for one S (Lemma 5.2) and 2^n subsets for individual
 * S_i (Algorithm 1).  Not in the paper: windows within each class.
 *
 * Lemma.  If x <= y have one sensitivity then g(D + x) <= g(D + y) for every D.
 * Proof by induction on |D|.  UPPER(D + x) is the minimum of g(D) + S_x and of
 * g(D - j + x) + S_j over j in D; with y for x the first number stays, as S_x =
 * S_y, and the rest are no smaller by induction.  LOWER likewise, and f(D + x)
 * <= f(D + y) as f is database-ordered.  A clamp is monotone in its three
 * arguments.
 *
 * So in each class only the largest record can bind UPPER and only the smallest
 * LOWER, and removing the extreme records keeps a window of each class: n_a^2
 * n_b^2 / 4 states instead of 2^n (and in general the product over the distinct
 * S of squared class sizes).  A record with S = 0 never counts: g ignores it.
 *
 * The proof never counts the classes, so the lemma holds for k classes; a
 * threshold then costs n^(2k-1) steps, n^3 for two and n^5 for three.  The
 * lemma needs an ordered f: the variance is not ordered (for 0, 10 and x the
 * variance is larger at x = 0 than at x = 5).
 *
 * Windows of the merged order are NOT enough, the equality S_x = S_y is needed:
 * a record with a small S in the middle may bind.  Median, center 0, the
 * records -30, -1, 0 with S = 30, 10, 30: g({-30, 0}) is -15, so taking -1 in
 * gives at most -5 = g; but {-30, 0} is no window, and windows alone would give
 * -1.  tests/prop/two_class.c shows this and counts such data sets.
 *
 * One threshold t, a dimension less.  Let a state be (k_a, l_a, k_b, l_b),
 * windows of k records from l on.  Let F be the state's f plus S for every
 * record that the windows have lost at the high end and minus S for every
 * record lost at the low end, and G g shifted likewise.  Then
 *     G = F clamped to [max over the classes of G(lowest removed),
 *                       min over the classes of G(highest removed)].
 * As LOWER <= UPPER, G(k_b - 1, l_b + 1) <= G(k_b - 1, l_b), also when the
 * second class stands still: for fixed k_a, l_a, k_b, G does not increase in
 * l_b, and {l_b : G >= t} is a prefix of c(k_a, l_a, k_b) positions.  From the
 * clamp c lies in [lo, hi] with
 *     lo = max(c(k_a - 1, l_a + 1, k_b), c(k_a, l_a, k_b - 1) - 1)
 *     hi = min(c(k_a - 1, l_a, k_b),     c(k_a, l_a, k_b - 1)),
 * and hi <= lo + 1, so a look at F decides.  Only where k_b = 0 can lo and hi
 * be further apart, or (k_a = 0 too) be free; there F falls by 2 S_b from one
 * l_b to the next and c is found by division.  g(D) >= t is c(n_a, 0, n_b) = 1.
 * The counts for k_b replace the counts for k_b - 1.  Rounded f may stand for
 * f, see subsets.c: every S is a whole step.
 */
#include "two_class.h"

#include <stdlib.h>

#include "number/memory.h"
#include "ordered_walk.h"

/* State: the window of k[c] records from l[c] on in class c. */
struct state {
	size_t l[2];
	size_t k[2];
};

struct mixed {
	const struct ordered *f;
	struct record_class of[2];
	i128 *sum[2];		/* sum[c][i]: the first i in class c */
	size_t *count;		/* c(k_a, l_a, k_b), a row for each k_a */
};

/* How many of the m smallest in the two windows may come from class 0. */
static size_t
split(const struct mixed *w, const struct state *s, size_t m)
{
	const int64_t *a = w->of[0].x + s->l[0], *b = w->of[1].x + s->l[1];
	size_t lo = m > s->k[1] ? m - s->k[1] : 0;
	size_t hi = m < s->k[0] ? m : s->k[0];

	while (lo < hi) {
		size_t i = lo + (hi - lo) / 2;

		if (a[i] >= b[m - i - 1])
			hi = i;
		else
			lo = i + 1;
	}
	return lo;
}

/* The sum of the m smallest in the two windows. */
static i128
sum_smallest(const struct mixed *w, const struct state *s, size_t m)
{
	size_t i = split(w, s, m), j = m - i;

	return w->sum[0][s->l[0] + i] - w->sum[0][s->l[0]] +
	    w->sum[1][s->l[1] + j] - w->sum[1][s->l[1]];
}

/* The value with rank m, from 0, in the two windows. */
static int64_t
ranked(const struct mixed *w, const struct state *s, size_t m)
{
	size_t i = split(w, s, m), j = m - i;
	const int64_t *a = w->of[0].x + s->l[0], *b = w->of[1].x + s->l[1];

	if (i == s->k[0])
		return b[j];
	if (j == s->k[1])
		return a[i];
	return a[i] < b[j] ? a[i] : b[j];
}

/* floor(f + 1/2) for a state. */
static i128
rounded(const struct mixed *w, const struct state *s)
{
	size_t k = s->k[0] + s->k[1], q = ordered_rank(w->f, k);
	i128 sum;

	if (k == 0)
		return w->f->center;
	switch (w->f->kind) {
	case ORDERED_MEDIAN:
		sum = (i128)ranked(w, s, (k - 1) / 2) + ranked(w, s, k / 2);
		return fixed_floor_div(sum + 1, 2);
	case ORDERED_QUANTILE:
		return ranked(w, s, q > 0 ? q - 1 : 0);
	default:		/* ORDERED_MEAN */
		sum = sum_smallest(w, s, k - q) - sum_smallest(w, s, q);
		k -= 2 * q;
		return fixed_floor_div(2 * sum + (i128)k, 2 * (i128)k);
	}
}

/* The term that F adds to f for class c. */
static i128
shift(const struct mixed *w, const struct state *s, int c)
{
	return ((i128)w->of[c].n - (i128)s->k[c] - 2 * (i128)s->l[c]) *
	    w->of[c].sens;
}

/*
 * How many of the n_b + 1 positions l_b of an empty window in class b have F >=
 * m.
 */
static size_t
empty_count(const struct mixed *w, struct state *s, i128 m)
{
	i128 top, n = (i128)w->of[1].n, step = 2 * (i128)w->of[1].sens;

	s->l[1] = 0;
	top = rounded(w, s) + shift(w, s, 0) + shift(w, s, 1) - m;
	if (top < 0)
		return 0;
	return (size_t)(step == 0 || top / step >= n ? n : top / step) + 1;
}

/* c(k_a, l_a, k_b) from the row for k_a - 1 (NULL if none) and from k_b - 1. */
static size_t
next_count(const struct mixed *w, struct state *s, const size_t *less,
    size_t before, i128 m)
{
	size_t lo = 0, hi = w->of[1].n - s->k[1] + 1, c;

	if (less != NULL) {
		lo = less[s->l[0] + 1];
		hi = less[s->l[0]];
	}
	if (s->k[1] == 0) {
		c = empty_count(w, s, m);
		return c < lo ? lo : c > hi ? hi : c;
	}
	hi = before < hi ? before : hi;
	lo = before > lo + 1 ? before - 1 : lo;
	if (lo == hi)
		return lo;
	s->l[1] = lo;
	return rounded(w, s) + shift(w, s, 0) + shift(w, s, 1) >= m ? hi : lo;
}

/* Is floor(g + 1/2) >= m? */
static bool
walk(const struct mixed *w, i128 m)
{
	size_t na = w->of[0].n, *row = NULL;
	struct state s;

	for (s.k[1] = 0; s.k[1] <= w->of[1].n; s.k[1]++) {
		size_t *less = NULL;

		row = w->count;
		for (s.k[0] = 0; s.k[0] <= na; s.k[0]++) {
			for (s.l[0] = 0; s.l[0] <= na - s.k[0]; s.l[0]++)
				row[s.l[0]] = next_count(w, &s, less,
				    row[s.l[0]], m);
			less = row;
			row += na - s.k[0] + 1;
		}
		row = less;		/* k_a = n_a: a single state */
	}
	return row[0] != 0;
}

/* Bisects between bounds for every g: hull, and center +- sum S. */
static int64_t
search(const struct mixed *w)
{
	i128 center = w->f->center, lo = center, hi = center, reach = 0, m;

	for (int c = 0; c < 2; c++) {
		const struct record_class *of = &w->of[c];

		reach += (i128)of->n * of->sens;
		if (of->n > 0 && of->x[0] < lo)
			lo = of->x[0];
		if (of->n > 0 && of->x[of->n - 1] > hi)
			hi = of->x[of->n - 1];
	}
	lo = lo < center - reach ? center - reach : lo;
	hi = hi > center + reach ? center + reach : hi;
	while (lo < hi) {
		m = lo + (hi - lo + 1) / 2;
		if (walk(w, m))
			lo = m;
		else
			hi = m - 1;
	}
	return (int64_t)lo;
}

static i128 *
prefix_sums(const struct record_class *c)
{
	i128 *sum = err_alloc(NULL, c->n + 1, sizeof(*sum));

	for (size_t i = 0; i < c->n; i++)
		sum[i + 1] = sum[i] + c->x[i];
	return sum;
}

/* [CD20 Definition 3.1] [CD20 Definition 5.1] */
int64_t
two_class_value(const struct ordered *f, const struct record_class *a,
    const struct record_class *b)
{
	struct mixed w = { f, { *a, *b }, { prefix_sums(a), prefix_sums(b) },
	    err_alloc(NULL, (a->n + 1) * (a->n + 2) / 2, sizeof(*w.count)) };
	int64_t value = search(&w);

	free(w.count);
	free(w.sum[1]);
	free(w.sum[0]);
	return value;
}
