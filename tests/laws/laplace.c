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

#define POINTS 4
#define MOST 3			/* records */
#define WIDE 18			/* numbers of an answer */

/* Values of every column: below, within, at the end of and above its range. */
static const int64_t point[POINTS] = { -9, 0, 1, 7 };

struct world {
	const struct statistic *of;
	struct sums_column column[2];
	struct norm norm;
	size_t d;		/* columns */
	struct scale t[WIDE];	/* of the noise of each number */
};

/* A statistic: its numbers, and what one record moves them by. */
struct statistic {
	const char *name;
	size_t (*answer)(const struct world *w, int64_t x[][2], size_t n,
	    i128 *value);
	/* l1, of column a's numbers; or of all */
	u128 (*sens)(const struct world *w, enum neighbors r, size_t a);
	size_t alike;		/* numbers of a column; 0: all of them */
	int kind;		/* of a norm */
	bool from_end;		/* values count from the least one */
};

/* What each record weighs; of two neighbours the longer ends with the record
   that is compared. */
static uint64_t weight[MOST + 1] = { 1, 1, 1, 1 };

static const struct rational budget[] = { { 1, 1 }, { 3, 2 }, { 1, 10 } };

/* --- neighbours ---------------------------------------------------------- */

static void
compare(const struct world *w, int64_t x[][2], size_t n, int64_t y[][2],
    size_t m, long double eps, struct audit_count *c)
{
	i128 f[WIDE], g[WIDE];
	size_t k = w->of->answer(w, x, n, f), i;
	long double sum = 0;

	cr_assert_eq(w->of->answer(w, y, m, g), k);
	for (i = 0; i < k; i++)
		sum += audit_ratio(f[i], g[i], &w->t[i], c);
	c->pairs++;
	c->worst = fmaxl(c->worst, sum / eps);
}

static size_t
records(const struct world *w)
{
	return world_power(POINTS, w->d);
}

static void
database(const struct world *w, size_t code, size_t n, int64_t x[][2])
{
	for (size_t i = 0; i < n; i++, code /= records(w)) {
		x[i][0] = point[code % POINTS];
		x[i][1] = point[code % records(w) / POINTS];
	}
}

/*
 * All data sets of n records against all with one more, both ways, or against
 * all that differ in one.
 */
static void
each_pair(const struct world *w, enum neighbors r, size_t n, long double eps,
    struct audit_count *c)
{
	int64_t x[MOST + 1][2], y[MOST + 1][2];

	for (size_t code = 0; code < world_power(records(w), n); code++)
		for (size_t v = 0; v < records(w); v++) {
			database(w, code, n, x);
			memcpy(y, x, sizeof(y));
			for (size_t at = 0; r == NEIGHBORS_SWAP && at < n;
			    at++) {
				database(w, v, 1, y + at);
				compare(w, x, n, y, n, eps, c);
				memcpy(y[at], x[at], sizeof(y[at]));
			}
			if (r == NEIGHBORS_SWAP)
				continue;
			database(w, v, 1, y + n);
			compare(w, x, n, y, n + 1, eps, c);
			compare(w, y, n + 1, x, n, eps, c);
		}
}

/* d columns, with noise for records of this weight at most. */
static struct world
world_of(const struct statistic *of, size_t d, enum neighbors r,
    uint64_t whole, struct rational eps)
{
	struct world w = { .of = of, .column = { { -2, 1, 0, 1 },
	    { 0, 3, 0, 1 } }, .norm = { (enum norm_kind)of->kind, 2, 3, 3 },
	    .d = d };
	i128 none[WIDE];
	size_t k = of->answer(&w, NULL, 0, none);
	size_t alike = of->alike == 0 ? k : of->alike;

	if (of->from_end)
		w.column[0].center = w.column[0].lo;
	eps.den *= k / alike;
	for (size_t i = 0; i < k; i++)
		cr_assert(scale_make(&w.t[i], whole * of->sens(&w, r,
		    i / alike), eps));
	return w;
}

/* --- statistics ---------------------------------------------------------- */

/* Values outside the first column's range do not count. */
static size_t
answer_count(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	value[0] = 0;
	for (size_t i = 0; i < n; i++)
		value[0] += x[i][0] <= w->column[0].hi ? weight[i] : 0;
	return 1;
}

static u128
sens_count(const struct world *w, enum neighbors r, size_t a)
{
	(void)w;
	(void)r;
	(void)a;
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

static u128
sens_hist(const struct world *w, enum neighbors r, size_t a)
{
	(void)w;
	(void)a;
	return sums_sens_hist(3, r);
}

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

static u128
sens_sums(const struct world *w, enum neighbors r, size_t a)
{
	return sums_sens_sum(&w->column[a], r);
}

#define GROUPS 2

/* The sum of column 0, or the count, of each group; 7 and -9 are in none. */
static size_t
answer_groups(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	memset(value, 0, GROUPS * sizeof(*value));
	for (size_t i = 0; i < n; i++)
		if (x[i][1] < GROUPS && x[i][1] >= 0)
			value[x[i][1]] += w->of->kind == LAP_COUNTS ? 1 :
			    sums_offset(&w->column[0], x[i][0]);
	return GROUPS;
}

/* With the sensitivity of these options. */
static u128
sens_groups(const struct world *w, enum neighbors r, size_t a)
{
	const struct opts o = { .neighbors = r, .group = "g" };
	const struct lap_plan p = { .opts = &o };

	(void)a;
	return w->of->kind == LAP_COUNTS ? lap_sens(&p, 1, 1) : lap_sens(&p,
	    sums_sens_sum(w->column, NEIGHBORS_ADD_REMOVE),
	    sums_sens_sum(w->column, NEIGHBORS_SWAP));
}

/* Every total that gets noise with --norm. */
static size_t
answer_norm(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	struct total t[WIDE] = { { 0 } };
	int64_t y[2];

	for (size_t i = 0; i < n; i++) {
		for (size_t c = 0; c < 2; c++)
			y[c] = norm_cell(&w->norm, x[i][c], 3);
		norm_shrink(&w->norm, y);
		norm_add(&w->norm, y, weight[i], t);
	}
	for (size_t i = 0; i < norm_totals(&w->norm); i++)
		value[i] = total_value(&t[i]);
	return norm_totals(&w->norm);
}

static u128
sens_norm(const struct world *w, enum neighbors r, size_t a)
{
	(void)a;
	return norm_sens(&w->norm, r);
}

/* Every total that stats give noise. */
static size_t
answer_unity(const struct world *w, int64_t x[][2], size_t n, i128 *value)
{
	size_t k = w->d * UNITY_PARTS;
	struct total t[2 * UNITY_PARTS] = { { 0, 0 } };

	for (size_t i = 0; i < n; i++)
		for (size_t a = 0; a < w->d; a++)
			unity_add(&w->column[a], &x[i][a], 1, weight[i],
			    &t[a * UNITY_PARTS]);
	for (size_t i = 0; i < k; i++)
		value[i] = total_value(&t[i]);
	return k;
}

/* Noise for C, for 2 C under swap. */
static u128
sens_unity(const struct world *w, enum neighbors r, size_t a)
{
	return (r + 1) * unity_sens(&w->column[a]);
}

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

static u128
sens_pairs(const struct world *w, enum neighbors r, size_t a)
{
	(void)a;
	return (r + 1) * unity_pair_sens(&w->column[0], &w->column[1]);
}

static const struct statistic statistics[] = {
	{ "laplace count", answer_count, sens_count, 1, 0, false },
	{ "laplace hist", answer_hist, sens_hist, 0, 0, false },
	{ "laplace sum", answer_sums, sens_sums, 1, 0, false },
	{ "laplace stats", answer_unity, sens_unity, 3, 0, true },
	{ "laplace cov", answer_pairs, sens_pairs, 9, 0, true },
	{ "laplace mean --norm", answer_norm, sens_norm, 0, NORM_PARTS, false },
	/* up to here weights are epsilons of records, too */
	{ "laplace sum --norm", answer_norm, sens_norm, 0, NORM_SUMS, false },
	{ "laplace cov --norm", answer_norm, sens_norm, 0, NORM_PRODUCTS,
	    false },
	{ "laplace sum -g", answer_groups, sens_groups, 0, LAP_SUMS, false },
	{ "laplace count -g", answer_groups, sens_groups, 0, LAP_COUNTS,
	    false },
};

#define WEIGHED 6		/* of them */
#define STATISTICS (sizeof(statistics) / sizeof(statistics[0]))

/*
 * [DMNS06 Example 1, Example 3, Section 3.2] Each column has noise in units of
 * its own range, groups under swap have it for a record that leaves one for
 * another, records of a bounded norm for the largest l1 norm, partitions of
 * unity for C: some record costs E, none more.
 */
Test(laplace, every_statistic_reaches_epsilon)
{
	for (size_t i = 0; i < STATISTICS; i++)
		for (int r = 0; r < 2; r++) {
			const struct statistic *s = &statistics[i];
			struct audit_count c = { 0 };
			char name[64];

			if (s->kind == NORM_PARTS && s->answer == answer_norm &&
			    r == NEIGHBORS_SWAP)
				continue;	/* n is public: sums */
			for (size_t k = 0; k < 6; k++) {
				size_t d = k / 3 + 1, most = d == 1 ? 3 : 2;
				struct rational eps = budget[k % 3];
				struct world w = world_of(s, d,
				    (enum neighbors)r, 1, eps);

				for (size_t n = 0; n <= most; n++)
					each_pair(&w, (enum neighbors)r, n,
					    world_real(eps), &c);
			}
			snprintf(name, sizeof(name), "%s%s", s->name,
			    r == NEIGHBORS_SWAP ? ", swap" : "");
			audit_finish(name, &c, true);
		}
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

/* The largest loss of a record of this weight, over E. */
static long double
own_loss(const struct statistic *of, struct rational eps, uint64_t own)
{
	struct world w = world_of(of, 2, NEIGHBORS_ADD_REMOVE, OWN_WHOLE, eps);
	struct audit_count c = { 0 };

	weight[0] = OWN_WHOLE;
	for (size_t m = 0; m < 2; m++) {
		weight[m] = own;
		each_pair(&w, NEIGHBORS_ADD_REMOVE, m, world_real(eps), &c);
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

	for (size_t i = 0; i < WEIGHED * 15; i++) {
		const struct statistic *of = &statistics[i / 15];
		struct rational own, part = parts[i % 5], e = budget[i / 5 % 3];
		long double loss, most = fminl(world_real(part), 1);

		cr_assert(rational_mul(&own, part, e));
		loss = own_loss(of, e, shares_own(own, e, OWN_WHOLE));
		cr_expect(loss <= most + AUDIT_MARGIN && loss > most -
		    1.0L / OWN_WHOLE, "%s: %Lf for %Lf", of->name, loss, most);
	}
	/* broken twin: weight rounded up */
	cr_assert_gt(own_loss(&statistics[0], budget[0], 4), 0.2L +
	    AUDIT_MARGIN);
}
