/*
 * laplace: the output law of every operation, enumerated over all neighbours
 * among small data sets.
 *
 * The values come from lib/, the scales from the integer sensitivities that
 * lib/ computes, the law of the noise from its definition, see world.h.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"
#include "input/shares.h"
#include "laplace/lap.h"
#include "laplace/norm.h"
#include "laplace/sums.h"
#include "laplace/unity.h"
#include "random/noise.h"

#define MOST 4			/* records */
#define WIDE 18			/* numbers of an answer */

struct world;

/* Numbers of a data set, and noise for each: scale[i] of number i. */
typedef size_t answer_fn(const struct world *w, int64_t x[][2], size_t n,
    i128 *value);

struct world {
	struct sums_column column[2];
	size_t d;		/* columns */
	int64_t point[5];	/* values of every column */
	int points;
	size_t most;		/* records */
	answer_fn *answer;
	struct scale t[WIDE];
};

/* What each record weighs; of two neighbours the longer ends with the record
   that is compared. */
static uint64_t weight[MOST + 1] = { 1, 1, 1, 1, 1 };

static void
compare(const struct world *w, int64_t x[][2], size_t n, int64_t y[][2],
    size_t m, long double eps, struct audit_count *c)
{
	i128 f[WIDE], g[WIDE];
	size_t k = w->answer(w, x, n, f), i;
	long double sum = 0;

	cr_assert_eq(w->answer(w, y, m, g), k);
	for (i = 0; i < k; i++)
		sum += audit_ratio(f[i], g[i], &w->t[i], c);
	c->pairs++;
	c->worst = fmaxl(c->worst, sum / eps);
}

static void
record(const struct world *w, size_t code, int64_t x[2])
{
	x[0] = w->point[code % (size_t)w->points];
	x[1] = w->point[code / (size_t)w->points % (size_t)w->points];
}

static size_t
records(const struct world *w)
{
	return world_power((size_t)w->points, w->d);
}

static void
database(const struct world *w, size_t code, size_t n, int64_t x[][2])
{
	for (size_t i = 0; i < n; i++, code /= records(w))
		record(w, code % records(w), x[i]);
}

/* All data sets of n records against all with one record more, both ways. */
static void
each_added(const struct world *w, size_t n, long double eps,
    struct audit_count *c)
{
	int64_t x[MOST + 1][2];

	for (size_t code = 0; code < world_power(records(w), n); code++)
		for (size_t v = 0; v < records(w); v++) {
			database(w, code, n, x);
			record(w, v, x[n]);
			compare(w, x, n, x, n + 1, eps, c);
			compare(w, x, n + 1, x, n, eps, c);
		}
}

/* All data sets of n records against all that differ in one. */
static void
each_swapped(const struct world *w, size_t n, long double eps,
    struct audit_count *c)
{
	int64_t x[MOST][2], y[MOST][2];

	for (size_t code = 0; code < world_power(records(w), n); code++)
		for (size_t at = 0; at < n; at++)
			for (size_t v = 0; v < records(w); v++) {
				database(w, code, n, x);
				memcpy(y, x, sizeof(y));
				record(w, v, y[at]);
				compare(w, x, n, y, n, eps, c);
			}
}

static void
spread_scale(struct world *w, size_t from, size_t to, u128 sens,
    struct rational eps)
{
	for (size_t i = from; i < to; i++)
		cr_assert(scale_make(&w->t[i], sens, eps));
}

static const struct rational budget[] = { { 1, 1 }, { 3, 2 }, { 1, 10 } };

/* --- count and histogram ------------------------------------------------- */

/* Values outside the first column's range do not count. */
static size_t
answer_count(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	value[0] = 0;
	for (size_t i = 0; i < n; i++)
		value[0] += x[i][0] <= w->column[0].hi ? weight[i] : 0;
	return 1;
}

static size_t
answer_hist(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	static const int64_t edge[] = { 0, 1, 2, 3 };

	(void)w;
	memset(value, 0, 4 * sizeof(*value));
	for (size_t i = 0; i < n; i++)
		value[sums_bin(edge, 3, x[i][0])] += weight[i];
	return 3;
}

/* [DMNS06 Example 1, Example 3] */
Test(laplace, counts_and_histograms_reach_epsilon)
{
	struct world w = { .column = { { .hi = 2 } }, .d = 1,
	    .point = { 0, 1, 2, 5 }, .points = 4 };
	struct audit_count c[4] = { { 0 } };

	for (size_t e = 0; e < 3; e++)
		for (int r = 0; r < 2; r++)
			for (size_t n = 0; n < MOST; n++) {
				struct rational eps = budget[e];

				w.answer = answer_count;
				spread_scale(&w, 0, 1, 1,
				    eps);
				(r ==
				    NEIGHBORS_SWAP ? each_swapped : each_added)(
				    &w, n, world_real(eps), &c[r]);
				w.answer = answer_hist;
				spread_scale(&w, 0, 3, sums_sens_hist(3, r),
				    eps);
				(r ==
				    NEIGHBORS_SWAP ? each_swapped : each_added)(
				    &w, n, world_real(eps), &c[2 + r]);
			}
	audit_finish("laplace count", &c[NEIGHBORS_ADD_REMOVE], true);
	audit_finish("laplace count, swap", &c[NEIGHBORS_SWAP], true);
	audit_finish("laplace hist", &c[2 + NEIGHBORS_ADD_REMOVE], true);
	audit_finish("laplace hist, swap", &c[2 + NEIGHBORS_SWAP], true);
}

/* --- sums and means ------------------------------------------------------ */

static size_t
answer_sums(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	memset(value, 0, w->d * sizeof(*value));
	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < w->d; a++)
			value[a] += sums_offset(&w->column[a], x[i][a]) *
			    (i128)weight[i];
	return w->d;
}

static struct world
sums_world(size_t d)
{
	struct world w = { .column = { { -2, 1, 0, 1 }, { 0, 3, 0, 1 } },
	    .d = d, .point = { -9, 0, 1, 7 }, .points = 4,
	    .most = d == 1 ? 3 : 2, .answer = answer_sums };

	return w;
}

/* eps / k, what one of k numbers gets. */
static struct rational
part(struct rational eps, int k)
{
	return (struct rational){ eps.num, eps.den * k };
}

/* [DMNS06 Section 3.2] Each column has noise in units of its own range. */
Test(laplace, sums_reach_epsilon)
{
	struct audit_count c[2] = { { 0 } };

	for (int d = 1; d <= 2; d++)
		for (size_t e = 0; e < 3; e++)
			for (int r = 0; r < 2; r++) {
				struct world w = sums_world((size_t)d);

				for (int a = 0; a < d; a++)
					spread_scale(&w, a, a + 1,
					    sums_sens_sum(&w.column[a], r),
					    part(budget[e], d));
				for (size_t n = 0; n <= w.most; n++)
					(r == NEIGHBORS_SWAP ? each_swapped :
					    each_added)(&w, n,
					    world_real(budget[e]), &c[r]);
			}
	audit_finish("laplace sum", &c[NEIGHBORS_ADD_REMOVE], true);
	audit_finish("laplace sum and mean, swap", &c[NEIGHBORS_SWAP], true);
}

/* --- groups that are private --------------------------------------------- */

#define GROUPS 2

/* The sum of column 0, or the count, of each group; 7 is in no group. */
static size_t
answer_group_sums(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	memset(value, 0, GROUPS * sizeof(*value));
	for (size_t i = 0; i < n; i++)
		if (x[i][1] < GROUPS && x[i][1] >= 0)
			value[x[i][1]] += sums_offset(&w->column[0], x[i][0]);
	return GROUPS;
}

static size_t
answer_group_counts(const struct world *w, int64_t x[][2], size_t n,
    i128 *value)
{
	(void)w;
	memset(value, 0, GROUPS * sizeof(*value));
	for (size_t i = 0; i < n; i++)
		if (x[i][1] < GROUPS && x[i][1] >= 0)
			value[x[i][1]]++;
	return GROUPS;
}

/* The largest loss over E, with the sensitivity of these options. */
static long double
groups_loss(const char *public, bool counts, struct audit_count *c)
{
	struct lap l = { .opts = { .neighbors = NEIGHBORS_SWAP, .group = "g",
	    .public = public } };
	struct world w = { .column = { { -2, 3, 0, 1 } }, .d = 2,
	    .point = { -9, 0, 1, 7 }, .points = 4, .answer = counts ?
	    answer_group_counts : answer_group_sums };

	for (size_t e = 0; e < 3; e++) {
		u128 sens = counts ? lap_sens(&l, 1, 1) : lap_sens(&l,
		    sums_sens_sum(w.column, NEIGHBORS_ADD_REMOVE),
		    sums_sens_sum(w.column, NEIGHBORS_SWAP));

		spread_scale(&w, 0, GROUPS, sens, budget[e]);
		for (size_t n = 1; n <= 2; n++)
			each_swapped(&w, n, world_real(budget[e]), c);
	}
	return c->worst;
}

/* [DMNS06 Section 3.2] 2 max S: a record leaves a group for another. */
Test(laplace, private_groups_reach_epsilon_under_swap)
{
	struct audit_count sum = { 0 }, count = { 0 };

	groups_loss(NULL, false, &sum);
	groups_loss(NULL, true, &count);
	audit_finish("laplace sum -g, swap", &sum, true);
	audit_finish("laplace count -g, swap", &count, true);
}

/* --- records of a bounded norm ------------------------------------------- */

static struct norm norm;

/* Every total that gets noise with --norm. */
static size_t
answer_norm(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	struct total t[WIDE] = { { 0 } };
	int64_t y[2];

	for (size_t i = 0; i < n; i++) {
		for (size_t c = 0; c < w->d; c++)
			y[c] = norm_cell(&norm, x[i][c], 3);
		norm_shrink(&norm, y);
		norm_add(&norm, y, weight[i], t);
	}
	for (size_t i = 0; i < norm_totals(&norm); i++)
		value[i] = total_value(&t[i]);
	return norm_totals(&norm);
}

/* The largest loss over E. */
static long double
norm_loss(enum norm_kind kind, enum neighbors r, struct audit_count *c)
{
	struct world w = { .d = 2, .point = { -3, 0, 1, 3, 9 }, .points = 5,
	    .answer = answer_norm };

	norm = (struct norm){ kind, 2, 3, 3 };
	for (size_t e = 0; e < 3; e++) {
		spread_scale(&w, 0, norm_totals(&norm), norm_sens(&norm, r),
		    budget[e]);
		for (size_t n = r == NEIGHBORS_SWAP; n <= 1; n++)
			(r == NEIGHBORS_SWAP ? each_swapped : each_added)(&w,
			    n, world_real(budget[e]), c);
	}
	return c->worst;
}

/* [DMNS06 Section 3.2] gamma: the largest l1 norm of a record. */
Test(laplace, records_of_a_bounded_norm_reach_epsilon)
{
	static const char *const name[] = { "laplace sum --norm",
	    "laplace mean --norm", "laplace cov --norm" };

	for (int r = 0; r < 2; r++)
		for (int kind = NORM_SUMS; kind <= NORM_PRODUCTS; kind++) {
			struct audit_count c = { 0 };

			if (kind == NORM_PARTS && r == NEIGHBORS_SWAP)
				continue;	/* n is public: sums */
			norm_loss(kind, r, &c);
			audit_finish(name[kind], &c, true);
		}
}

/* --- partitions of unity ------------------------------------------------- */

static enum unity_degree degree;

/* Every total that mean (degree 1) or stats (degree 2) gives noise. */
static size_t
answer_unity(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	size_t parts = (size_t)degree + 1, k = w->d * parts;
	struct total t[2 * UNITY_PARTS] = { { 0, 0 } };

	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < w->d; a++)
			unity_add(&w->column[a], degree, &x[i][a], 1,
			    weight[i], &t[a * parts]);
	for (size_t i = 0; i < k; i++)
		value[i] = total_value(&t[i]);
	return k;
}

/* The largest loss over E with noise for C, for 2 C under swap. */
static long double
unity_loss(enum neighbors r, struct audit_count *c)
{
	for (int d = 1; d <= 2; d++)
		for (size_t e = 0; e < 3; e++)
			for (degree = UNITY_LINE; degree <= UNITY_SQUARE;
			    degree++) {
				struct world w = sums_world((size_t)d);
				size_t k = (size_t)degree + 1;
				w.answer = answer_unity;
				w.column[0].center = w.column[0].lo;
				for (size_t a = 0; a < (size_t)d; a++)
					spread_scale(&w, a * k, (a + 1) * k,
					    (r + 1) * unity_sens(sums_steps(
					    &w.column[a]), degree),
					    part(budget[e], d));
				for (size_t n = 0; n <= w.most; n++)
					(r == NEIGHBORS_SWAP ? each_swapped :
					    each_added)(&w, n,
					    world_real(budget[e]), c);
			}
	return c->worst;
}

/* Count, mean and variance for one epsilon, n hidden. */
Test(laplace, partitions_of_unity_reach_epsilon_and_no_more)
{
	struct audit_count c = { 0 }, swapped = { 0 };

	unity_loss(NEIGHBORS_ADD_REMOVE, &c);
	unity_loss(NEIGHBORS_SWAP, &swapped);
	audit_finish("laplace mean and stats", &c, true);
	audit_finish("laplace cov of a column, swap", &swapped, true);
}

/* Records of weight w are w records, so that a unit of weight is hidden. */
Test(laplace, a_unit_of_weight_is_hidden_by_the_partition)
{
	struct audit_count c = { 0 };
	struct sums_column column = { 0, 3, 0, 1 };
	struct scale t;

	cr_assert(scale_make(&t, unity_sens(3, UNITY_SQUARE), budget[0]));
	for (int64_t x = -1; x < 5; x++)
		for (int64_t y = 0; y < 4; y++)
			for (uint64_t w = 0; w < 6; w++) {
				struct total s[UNITY_PARTS] = { { 0, 0 } };
				i128 f[UNITY_PARTS], g;
				long double loss = 0;

				unity_add(&column, UNITY_SQUARE, &y, 1, 2, s);
				unity_add(&column, UNITY_SQUARE, &x, 1, w, s);
				for (int j = 0; j < UNITY_PARTS; j++)
					f[j] = total_value(&s[j]);
				unity_add(&column, UNITY_SQUARE, &x, 1, 1, s);
				for (int j = 0; j < UNITY_PARTS; j++) {
					g = total_value(&s[j]);
					loss += fmaxl(audit_ratio(f[j], g, &t,
					    &c), audit_ratio(g, f[j], &t, &c));
				}
				c.pairs++;
				c.worst = fmaxl(c.worst, loss);
			}
	audit_finish("laplace stats, weights", &c, true);
}

/* --- covariances --------------------------------------------------------- */

/* The nine totals of both orders of two columns: two pairs, E/2 each. */
static size_t
answer_pairs(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	struct total t[2 * PAIR_PARTS] = { { 0 } };

	for (size_t i = 0; i < n; i++) {
		uint64_t f[PAIR_FUNCTIONS], g[PAIR_FUNCTIONS];

		unity_pair_functions(&w->column[0], x[i][0], f);
		unity_pair_functions(&w->column[1], x[i][1], g);
		unity_pair_add(t, f, g, weight[i]);
		unity_pair_add(t + PAIR_PARTS, g, f, weight[i]);
	}
	for (size_t j = 0; j < 2 * PAIR_PARTS; j++)
		value[j] = total_value(&t[j]);
	return 2 * PAIR_PARTS;
}

/* The largest loss over E, as unity_loss has it. */
static long double
pairs_loss(enum neighbors r, struct audit_count *c)
{
	for (size_t e = 0; e < 3; e++) {
		struct world w = sums_world(2);

		w.answer = answer_pairs;
		w.column[0].center = w.column[0].lo;
		spread_scale(&w, 0, 2 * PAIR_PARTS, (r + 1) * unity_pair_sens(
		    &w.column[0], &w.column[1]), part(budget[e], 2));
		for (size_t n = 0; n <= w.most; n++)
			(r == NEIGHBORS_SWAP ? each_swapped : each_added)(&w,
			    n, world_real(budget[e]), c);
	}
	return c->worst;
}

/* Covariances: some record costs E, none more. */
Test(laplace, pairs_of_columns_reach_epsilon_and_no_more)
{
	struct audit_count c = { 0 }, swapped = { 0 };

	pairs_loss(NEIGHBORS_ADD_REMOVE, &c);
	pairs_loss(NEIGHBORS_SWAP, &swapped);
	audit_finish("laplace cov", &c, true);
	audit_finish("laplace cov, swap", &swapped, true);
}

/* --- given numbers ------------------------------------------------------- */

#define TENTHS 10

/* Halves up, as cells are rounded. */
static i128
rounded(int tenths)
{
	int64_t x;

	cr_assert(rational_grid((struct rational){ tenths, TENTHS }, 0,
	    FIXED_NEAREST, &x));
	return x;
}

/*
 * All numbers of a few steps in tenths against all within sum |d_i| <= S.
 */
static void
each_vector(int64_t sens, size_t n, struct rational eps, struct audit_count *c)
{
	struct scale t;
	int all = (int)world_power(41, n), base = 41 / 2;

	cr_assert(scale_make(&t, sums_sens_rounded(n, sens), eps));
	for (int from = 0; from < (int)world_power(TENTHS, n); from++)
		for (int code = 0; code < all; code++) {
			long double spent = 0, loss = 0;
			int f = from, g = code;

			for (size_t i = 0; i < n; i++, f /= TENTHS, g /= 41) {
				int d = g % 41 - base;

				spent += fabsl(d / (long double)TENTHS) / sens;
				if (spent > 1 + 1e-12L)
					break;
				loss += audit_ratio(rounded(f % TENTHS),
				    rounded(f % TENTHS + d), &t, c);
			}
			if (spent > 1 + 1e-12L)
				continue;
			c->pairs++;
			c->worst = fmaxl(c->worst, loss / world_real(eps));
		}
}

/* [DMNS06 Proposition 1] Halves and fractions on either side of them. */
Test(laplace, given_numbers_stay_within_epsilon_and_reach_it)
{
	struct audit_count one = { 0 };

	for (size_t n = 1; n <= 2; n++)
		for (size_t e = 0; e < 2; e++)
			each_vector(2, n, budget[e], &one);
	each_vector(2, 1, budget[2], &one);
	audit_finish("laplace value", &one, true);
}

/* --- records with epsilons of their own ---------------------------------- */

#define OWN_WHOLE 16		/* the weight of a record that has E */

enum own { OWN_COUNT, OWN_HIST, OWN_SUMS, OWN_MEAN, OWN_STATS, OWN_PAIRS,
	OWN_NORM, OWNS };

/* Numbers that have one scale, as a column's totals have. */
static const struct {
	answer_fn *answer;
	size_t alike;
} own_case[OWNS] = { { answer_count, 1 }, { answer_hist, 3 },
	{ answer_sums, 1 }, { answer_unity, 2 }, { answer_unity, 3 },
	{ answer_pairs, 9 }, { answer_norm, 5 } };

/* How far a record moves the statistic, or twice how far column a's part. */
static u128
own_move(const struct world *w, enum own kind, size_t a)
{
	switch (kind) {
	case OWN_SUMS:
		return 2 * sums_sens_sum(&w->column[a], NEIGHBORS_ADD_REMOVE);
	case OWN_MEAN: case OWN_STATS:
		return 2 * unity_sens(sums_steps(&w->column[a]), degree);
	case OWN_PAIRS:
		return 2 * unity_pair_sens(&w->column[0], &w->column[1]);
	case OWN_NORM: return norm_sens(&norm, NEIGHBORS_ADD_REMOVE);
	default: return 1;
	}
}

/* The largest loss of a record of this weight, over E. */
static long double
own_loss(enum own kind, struct rational eps, uint64_t own)
{
	struct audit_count c = { 0 };
	struct world w = sums_world(2);
	size_t k, n = own_case[kind].alike;
	i128 none[WIDE];

	w.answer = own_case[kind].answer;
	if (kind > OWN_SUMS)
		w.column[0].center = w.column[0].lo;
	degree = kind == OWN_MEAN ? UNITY_LINE : UNITY_SQUARE;
	norm = (struct norm){ NORM_PARTS, 2, 3, 3 };
	k = w.answer(&w, NULL, 0, none);
	for (size_t a = 0; a * n < k; a++)
		spread_scale(&w, a * n, (a + 1) * n, OWN_WHOLE *
		    own_move(&w, kind, a), eps);
	weight[0] = OWN_WHOLE;
	for (size_t m = 0; m < 2; m++) {
		weight[m] = own;
		each_added(&w, m, world_real(eps), &c);
		weight[m] = OWN_WHOLE;
	}
	weight[0] = weight[1] = 1;
	return c.worst;
}

/* [CD20 Definition 7.1] Beside a full record too: own epsilon, to a step. */
Test(laplace, records_with_epsilons_of_their_own_reach_them)
{
	static const struct rational parts[] = { { 1, 5 }, { 1, 2 }, { 9, 10 },
	    { 1, 17 }, { 3, 1 } };

	for (int kind = 0; kind < OWNS; kind++)
		for (size_t e = 0; e < 3; e++)
			for (size_t i = 0; i < 5; i++) {
				struct rational own;
				long double loss, most =
				    fminl(world_real(parts[i]), 1);

				cr_assert(rational_mul(&own, parts[i],
				    budget[e]));
				loss = own_loss(kind, budget[e], shares_own(own,
				    budget[e], OWN_WHOLE));
				cr_expect(loss <= most + AUDIT_MARGIN && loss >
				    most - 1.0L / OWN_WHOLE, "%d: %Lf for %Lf",
				    kind, loss, most);
			}
	/* broken twin: weight rounded up */
	cr_assert_gt(own_loss(OWN_STATS, budget[0], 4), 0.2L + AUDIT_MARGIN);
}
