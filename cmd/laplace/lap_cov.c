/*
 * lap_cov: the operation cov of laplace for several columns.
 *
 * Each column pair has a separate partition of unity, with nine totals
 * (unity.c).  A record that comes or goes moves a pair's totals by C, and
 * a replaced record, one less and one more, by 2 C.  So each of k pairs has
 * noise with scale k C/E on the totals, under swap 2 k C/E.  The number of
 * records, means and variances are averages over the pairs.  Before the noise
 * there are integers only; behind the noise any computation is post-processing.
 * The results are clamped to the bounds of the ranges: |C_ab| <= R_a R_b / 4
 * and C_aa >= 0.
 *
 * [DMNS06 Section 3.2] The paper adds noise to the covariances themselves, for
 * a public n: an entry moves by (n-1)/n^2 R_a R_b, and d (d+1)/2 entries share
 * E.  The totals have less noise for d >= 2, since one part of E pays for the
 * nine totals.
 */
#include <math.h>

#include "laplace/answer/cover.h"
#include "lap.h"
#include "tool/err.h"

/* A group's moments: for each pair, and averages over pairs. */
struct known {
	struct unity_moments *pair;	/* for each pair */
	struct unity_moments *column;	/* for each column, as column 0 */
	long double n;
	uint64_t (*f)[PAIR_FUNCTIONS];	/* for a record's columns */
};

#define MARGIN 1e-9L		/* for losses to floating point */

static size_t
pairs_of(size_t d)
{
	return d * (d - 1) / 2;
}

/* The place of a pair a < b among d columns, row by row. */
static size_t
pair_place(size_t d, size_t a, size_t b)
{
	return a * d - a * (a + 1) / 2 + b - a - 1;
}

static void
pair_column(struct lap *l, size_t a, size_t b, const char *what, int digits)
{
	struct text name = TEXT_INIT;

	text_printf(&name, a == b ? "%s" : "%s_%s", lap_name(l, a),
	    lap_name(l, b));
	text_bytes(&name, "", 1);
	lap_column_of(l, name.buf, what, digits);
	text_free(&name);
}

void
lap_pairs(struct lap *l)
{
	for (size_t a = 0; a < l->plan.d; a++)
		for (size_t b = a; b < l->plan.d; b++)
			pair_column(l, a, b, a == b ? "var" : "cov",
			    lap_real_digits(l, lap_length(l, a) *
			    lap_length(l, b)));
}

void
lap_pairs_fit(const struct lap *l)
{
	for (size_t a = 0; a < l->plan.d; a++)
		for (size_t b = a; b < l->plan.d; b++)
			(void)lap_real_digits(l, lap_length(l, a) *
			    lap_length(l, b));
}

/* --- the plan ------------------------------------------------------------ */

/* Column c on a grid `less' decimals coarser than the finest of few steps. */
static bool
set_column(struct lap *l, size_t c, int less)
{
	int k = lap_finest(l, c, FIXED_DIGITS, -FIXED_DIGITS, LAP_LOWER,
	    PAIR_STEPS) - less;

	return k >= -FIXED_DIGITS && lap_column(l, c, k, LAP_LOWER) &&
	    sums_steps(&l->plan.column[c]) > 0;
}

static bool
set_noise(struct lap *l)
{
	const struct sums_column *c = l->plan.column;
	size_t d = l->plan.d;

	for (size_t a = 0; a < d; a++)
		for (size_t b = a + 1; b < d; b++) {
			u128 sens = unity_pair_sens(&c[a], &c[b]);

			sens = lap_sens(l, sens, 2 * sens);
			if (!lap_noise_fine(l, pair_place(d, a, b), sens,
			    pairs_of(d)))
				return false;
		}
	return true;
}

static bool
lap_cov_plan(struct lap *l)
{
	if (l->box)
		return lap_moments_plan(l);
	l->m = pairs_of(l->plan.d) * PAIR_PARTS;
	lap_room(l, pairs_of(l->plan.d));
	l->plan.k = 0;		/* the decimals are not printed numbers' */
	for (int less = 0;; less++) {
		for (size_t c = 0; c < l->plan.d; c++)
			if (!set_column(l, c, less))
				return false;
		if (set_noise(l))
			return true;
	}
}

void
lap_note_error(struct lap *l, const struct cover_noise *noise,
    enum cover_part part)
{
	double eps = rational_real(lap_epsilon(l));
	static const char *const words[][2] = { { "error95_of_mean", "(B-A)" },
	    { "error95_of_variance", "(B-A)^2" },
	    { "error95_of_covariance", "(B-A)(B'-A')" } };

	report_note(&l->report, words[part][0], "about %.1f to %.1f %s/(n E), "
	    "n records", cover_error95(noise, part, 0) * eps,
	    cover_error95(noise, part, 1) * eps, words[part][1]);
}

static void
lap_cov_note(struct lap *l)
{
	const struct cover_noise noise = lap_cover(l, 0);
	char text[REPORT_NOTE];

	l->report.digits = l->opts.digits;
	if (l->box) {
		lap_moments_note(l);
	} else {
		report_note(&l->report, "totals", "9 of each pair of columns, "
		    "in records: a record adds 1 to them together; the noise "
		    "of each has scale %d/E%s%s", (int)lap_sens(l, 1, 2),
		    lap_times(l, text), pairs_of(l->plan.d) > 1 ? " times the "
		    "number of pairs" : "");
		l->report.noise = "discrete Laplace, exact, on the totals of a "
		    "partition of unity";
	}
	lap_note_error(l, &noise, COVER_COVARIANCE);
	lap_note_error(l, &noise, COVER_VARIANCE);
}

/* The decimals that are printed, refused before a charge. */
static void
lap_cov_fit(const struct lap *l)
{
	size_t d = l->plan.d;

	lap_pairs_fit(l);
	for (size_t a = 0; l->args.fit && a < d; a++)
		for (size_t b = a + 1; b < d; b++) {
			(void)lap_real_digits(l, lap_length(l, b) /
			    lap_length(l, a));
			(void)lap_real_digits(l, lap_length(l, b));
		}
}

/* --- records ------------------------------------------------------------- */

static void
lap_cov_opened(struct lap *l)
{
	struct known *k = l->own;
	size_t d = l->plan.d;

	k->pair = err_alloc(NULL, pairs_of(d), sizeof(*k->pair));
	k->column = err_alloc(NULL, d, sizeof(*k->column));
	k->f = err_alloc(NULL, d, sizeof(*k->f));
}

static void
lap_cov_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	const struct lap *l = arg;
	const struct known *k = l->own;
	size_t d = l->plan.d;
	struct total *t = l->total + group * l->m;

	if (l->box) {
		lap_moments_take(l, x, w, t);
		return;
	}
	for (size_t c = 0; c < d; c++)
		unity_pair_functions(&l->plan.column[c], x[c], k->f[c]);
	for (size_t a = 0; a < d; a++)
		for (size_t b = a + 1; b < d; b++, t += PAIR_PARTS)
			unity_pair_add(t, k->f[a], k->f[b], w);
}

static void
lap_cov_declare(struct lap *l)
{
	size_t d = l->plan.d;

	lap_pairs(l);
	for (size_t a = 0; l->args.fit && a < d; a++)
		for (size_t b = a + 1; b < d; b++) {
			long double width = lap_length(l, b);

			pair_column(l, a, b, "corr", lap_real_digits(l, 1));
			pair_column(l, a, b, "slope", lap_real_digits(l,
			    width / lap_length(l, a)));
			pair_column(l, a, b, "intercept", lap_real_digits(l,
			    width));
		}
}

/* --- with noise ---------------------------------------------------------- */

long double
lap_unit(const struct lap *l, size_t i)
{
	return (long double)(l->plan.noise[i].sens / lap_sens(l, 1, 2)) *
	    (long double)l->opts.unit.whole;
}

/* The noisy totals of pair i, in records. */
static struct unity_moments
draw_pair(struct lap *l, const struct total *total, size_t i)
{
	long double unit = lap_unit(l, i), part[PAIR_PARTS];

	for (int j = 0; j < PAIR_PARTS; j++)
		part[j] = (long double)lap_noisy(l, total_value(&total[j]),
		    i) / unit;
	return unity_pair_moments(part);
}

/* Each pair, and the averages of columns. */
static void
draw_all(struct lap *l, size_t group)
{
	struct known *k = l->own;
	const struct total *total = l->total + group * l->m;
	size_t d = l->plan.d, i = 0;
	long double pairs = (long double)pairs_of(d), each =
	    (long double)(d - 1);

	if (l->box) {
		k->n = lap_moments_draw(l, group, 1, k->column, k->pair);
		return;
	}
	k->n = 0;
	for (size_t a = 0; a < d; a++)
		k->column[a] = (struct unity_moments){ 0 };
	for (size_t a = 0; a < d; a++)
		for (size_t b = a + 1; b < d; b++, i++) {
			struct unity_moments m = draw_pair(l, total +
			    i * PAIR_PARTS, i);

			k->pair[i] = m;
			k->n += m.n / pairs;
			for (int j = 0; j < 2; j++) {
				struct unity_moments *c =
				    &k->column[j == 0 ? a : b];

				c->n += m.n / each;
				c->first[0] += m.first[j] / each;
				c->second[0] += m.second[j] / each;
			}
		}
}

/* C_ab for cells on -1..1, 0 without records. */
static long double
lap_cov_estimate(const struct known *k, size_t d, size_t a, size_t b)
{
	if (a == b)
		return unity_variance(&k->column[a], k->n);
	if (!(k->n > 0))
		return 0;
	return sums_within(k->pair[pair_place(d, a, b)].product /
	    fmaxl(k->n, 1) - unity_mean(&k->column[a], k->n) *
	    unity_mean(&k->column[b], k->n), -1, 1);
}

/* Where there are pairs a variance is averaged over those of the column. */
struct cover_noise
lap_cover(const struct lap *l, size_t i)
{
	const struct scale *t = &l->plan.noise[i].t;
	double unit = (double)lap_unit(l, i);
	struct cover_noise noise = { (double)t->s / (double)t->r / unit,
	    1 / unit, lap_alpha(l), 1, 1, !lap_has_squares(l) };

	if (l->box)
		return lap_box_cover(l);
	if ((l->op->prints & LAP_PAIRS) && l->plan.d > 1) {
		noise.pairs = l->plan.d - 1;
		noise.times = 3 * noise.pairs;
	}
	return noise;
}

/* The noises of pairs, in records, differ in the grid alone. */
static struct cover
enclosed(const struct lap *l, const struct known *k, size_t a, size_t b)
{
	struct cover_noise noise = lap_cover(l, 0);
	size_t d = l->plan.d;

	for (size_t i = 1; !l->box && i < pairs_of(d); i++)
		noise.step = fmax(noise.step, lap_cover(l, i).step);
	if (a == b)
		return cover_variance(&k->column[a], &noise);
	return cover_covariance(&k->pair[pair_place(d, a, b)], &noise);
}

static struct answer
answer(const struct lap *l, size_t a, size_t b, int digits)
{
	const struct known *k = l->own;
	long double unit = lap_length(l, a) * lap_length(l, b) / 4;
	struct cover ends = { 0, 0 };

	if (l->opts.interval.den > 0)
		ends = enclosed(l, k, a, b);
	return lap_real(lap_cov_estimate(k, l->plan.d, a, b) * unit,
	    sums_within((long double)ends.lower - MARGIN, a == b ? 0 : -1, 1) *
	    unit, sums_within((long double)ends.upper + MARGIN, -1, 1) * unit,
	    digits);
}

/* The mean of column a in the unit of the column. */
static long double
real_mean(const struct lap *l, size_t a)
{
	const struct known *k = l->own;

	return (long double)l->plan.column[a].lo / (long double)fixed_pow10(
	    l->plan.cell[a]) + (1 + unity_mean(&k->column[a], k->n)) / 2 *
	    lap_length(l, a);
}

/*
 * The regression line of column b over column a, from released moments alone:
 * the slope is C_ab/C_aa, the correlation in -1..1.  Where a noisy variance is
 * 0, slope and correlation are 0.
 */
static void
fit(const struct lap *l, size_t a, size_t b,
    const struct release_column *column, struct answer *answer)
{
	size_t d = l->plan.d;
	long double v = lap_cov_estimate(l->own, d, a, a), slope = 0;
	long double x[3] = { 0 };
	long double w = lap_cov_estimate(l->own, d, b, b);

	if (v > 0 && w > 0) {
		x[0] = sums_within(lap_cov_estimate(l->own, d, a, b) /
		    sqrtl(v * w), -1,
		    1);
		slope = x[0] * sqrtl(w / v) * lap_length(l, b) /
		    lap_length(l, a);
	}
	x[1] = slope;
	x[2] = real_mean(l, b) - slope * real_mean(l, a);
	for (int i = 0; i < 3; i++)
		answer[i] = lap_real(x[i], x[i], x[i], column[i].digits);
}

static void
lap_cov_answers(struct lap *l, size_t g, struct answer *a)
{
	const struct release_column *column = l->out.column + l->out.labels;
	size_t d = l->plan.d;

	draw_all(l, g);
	for (size_t i = 0; i < d; i++)
		for (size_t j = i; j < d; j++)
			*a++ = answer(l, i, j, column++->digits);
	for (size_t i = 0; l->args.fit && i < d; i++)
		for (size_t j = i + 1; j < d; j++, column += 3, a += 3)
			fit(l, i, j, column, a);
}

/* [DMNS06 Proposition 1] */
const struct lap_way lap_cov = {
	.plan = lap_cov_plan, .fit = lap_cov_fit, .note = lap_cov_note,
	.open = lap_cov_opened, .take = lap_cov_take,
	.declare = lap_cov_declare,
	.answers = lap_cov_answers, .own = sizeof(struct known)
};
