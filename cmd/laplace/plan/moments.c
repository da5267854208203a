/*
 * moments: count, means, variances and covariances, from the totals of a box or
 * of partitions of unity.
 *
 * Box [DMNS06 Theorem 2]: one draw for the sums of all columns, from the norm
 * of the body that a record moves these in (knorm.c).
 *
 * Means.  A record with the cell x, 0 to M steps, moves the column's sum by x
 * and the number of records by 1: a box with the count.  For one column that is
 * the law of Laplace noise on the sums of x and of M - x.
 *
 * Variances and covariances.  With z = 2 x - M a record moves the sum of z by
 * -M to M, that of 2 z^2 - M^2 by -M^2 to M^2, and that of a product by -M M'
 * to M M'; a replaced record is one less and one more.  The number of records
 * is public under swap.  Under add-remove it is a number of the box (joint), or
 * has Laplace noise of its own with a part of E, and the box has the rest: for
 * stats, which print it, and for many columns, where a small part is enough.
 *
 * Partitions of unity (unity.c), one for each column, or for each pair of
 * columns where products are added up: each of k has noise of scale k C/E on
 * its totals, and of 2 k C/E where a record is replaced, one less and one more.
 * The number of records and the moments of columns are averages over them.
 *
 * [DMNS06 Section 3.2] The paper adds noise to the covariances themselves, for
 * a public n: an entry moves by (n-1)/n^2 R_a R_b, and d (d+1)/2 entries share
 * E.  Totals have less noise for d >= 2.
 */
#include <math.h>

#include "plan.h"
#include "tool/err.h"

#define LINE_STEPS ((u128)1 << 44)	/* in a range at most */
#define SQUARE_STEPS ((u128)1 << 24)
/* No grid is coarser, unless E is so small that its noise is wider. */
#define LEAST_STEPS ((u128)2048)
#define LEAST_PAIRS ((u128)128)
#define SMALL 1000

enum moments
lap_moments(const struct lap_plan *p)
{
	if (p->op->prints & LAP_PAIRS)
		return MOMENTS_PRODUCT;
	return (p->op->prints & LAP_VARIANCES) || p->args->population ?
	    MOMENTS_SQUARE : MOMENTS_LINE;
}

size_t
lap_moments_pairs(const struct lap_plan *p)
{
	return lap_moments(p) == MOMENTS_PRODUCT ? p->d * (p->d - 1) / 2 : 0;
}

/* Partitions of unity. */
static size_t
moments_parts(const struct lap_plan *p)
{
	size_t pairs = lap_moments_pairs(p);

	return pairs > 0 ? pairs : p->d;
}

/*
 * Column c on the finest grid with this many steps.  Means may take the grid of
 * --digits instead, or whole numbers.  False if no grid fits.
 */
static bool
moments_column(struct lap_plan *p, size_t c, u128 most)
{
	struct lap_noise *n = &p->noise[c];
	bool line = lap_moments(p) == MOMENTS_LINE;
	int least = line ? 0 : -FIXED_DIGITS, k;
	int wanted = p->opts->digits > 0 ? p->opts->digits : 0;

	n->digits = lap_range_digits(p, c, 1);
	k = lap_finest(p, c, lap_first_digits(p, c), least, LAP_LOWER, most);
	if (line && k < wanted)
		k = lap_finest(p, c, wanted, wanted, LAP_LOWER, ~(u128)0);
	if (n->digits < 0 || k < least || sums_steps(&p->column[c]) == 0)
		return false;
	if (n->digits > p->cell[c] && p->opts->digits < 0)
		n->digits = p->cell[c];
	return n->digits <= p->cell[c] || !line;
}

/* Columns on grids with fewer and fewer steps, until the noise has room. */
static bool
moments_grids(struct lap_plan *p, u128 most, u128 least,
    bool (*noise)(struct lap_plan *p))
{
	bool fits = false;

	for (; !fits && most >= least; most >>= 4) {
		for (size_t c = 0; c < p->d; c++)
			if (!moments_column(p, c, most))
				return false;
		fits = noise(p);
	}
	return fits;
}

/*
 * An epsilon of few digits that is at most E, and less by a thousandth at
 * most: noise for it is E-private.
 */
static struct rational
moments_coarse(struct rational eps)
{
	i128 by = 1;

	while (eps.num * by / eps.den < 1024)
		by *= 2;
	(void)rational_make(&eps, eps.num * by / eps.den, by);
	return eps;
}

/*
 * Where E has many digits and records count in many parts, a grid that is fine
 * enough has room for the noise of a rounded E alone.
 */
static bool
moments_fit(struct lap_plan *p, u128 most, bool (*noise)(struct lap_plan *p))
{
	const struct rational eps = p->eps, own = lap_epsilon(p);
	u128 least = lap_moments_pairs(p) > 0 ? LEAST_PAIRS : LEAST_STEPS;
	bool fits;

	lap_room(p, FIXED_MOST(p->d, moments_parts(p)));
	p->k = 0;		/* the grid is not a printed number's */
	if (moments_grids(p, most, least, noise))
		return true;
	p->eps = moments_coarse(own);
	fits = moments_grids(p, most, least, noise);
	p->eps = eps;
	return fits || (own.num <= own.den / SMALL &&
	    moments_grids(p, most, 2, noise));
}

/* --- a box ---------------------------------------------------------------- */

/* Each column's numbers, then products. */
static void
moments_sides(struct lap_plan *p, bool line)
{
	struct knorm_side *side = p->side;

	for (size_t a = 0; a < p->d; a++) {
		uint64_t m = (uint64_t)sums_steps(&p->column[a]);

		*side++ = (struct knorm_side){ line ? 0 : m, m };
		if (!line)
			*side++ = (struct knorm_side){ m * m, m * m };
	}
	for (size_t a = 0; lap_moments_pairs(p) > 0 && a < p->d; a++)
		for (size_t b = a + 1; b < p->d; b++, side++)
			side->down = side->up = (uint64_t)(sums_steps(
			    &p->column[a]) * sums_steps(&p->column[b]));
}

/*
 * The part of E, of LAP_COUNT, for a number of records with its own noise: for
 * one that is printed 2/part^2 <= 6 d, no more noise than from the totals of d
 * partitions; for one that divides about the best for means half the way from
 * the middle of their ranges to the ends.
 */
static unsigned
moments_count(const struct lap_plan *p)
{
	double k = (double)p->m - 1, part = cbrt(0.6 / ((k + 1) * (k + 2)));

	if (p->opts->neighbors == NEIGHBORS_SWAP)
		return 0;
	if (p->op->prints & LAP_COUNTS)
		part = 1 / sqrt(3 * (double)p->d);
	return (unsigned)ceil(LAP_COUNT * part);
}

static bool
moments_own(struct lap_plan *p)
{
	moments_sides(p, false);
	return lap_box_plan(p, (struct knorm){ .d = p->m - 1 }, lap_sens(p, 1,
	    2), moments_count(p));
}

static bool
moments_joint(struct lap_plan *p)
{
	moments_sides(p, lap_moments(p) == MOMENTS_LINE);
	return lap_box_plan(p, (struct knorm){ .d = p->m - 1, .counted = true
	    }, 1, 0);
}

/* So many numbers in it. */
static bool
moments_boxed(struct lap_plan *p, size_t n, u128 most,
    bool (*noise)(struct lap_plan *p))
{
	p->m = n + 1;
	p->side = err_alloc(p->side, n, sizeof(*p->side));
	return moments_fit(p, most, noise);
}

/* Squares, and products. */
static bool
moments_squares(struct lap_plan *p, bool (*noise)(struct lap_plan *p))
{
	return lap_moments(p) != MOMENTS_LINE && moments_boxed(p, 2 * p->d +
	    lap_moments_pairs(p), SQUARE_STEPS, noise);
}

bool
lap_moments_own(struct lap_plan *p)
{
	return moments_squares(p, moments_own);
}

bool
lap_moments_joint(struct lap_plan *p)
{
	return p->opts->neighbors != NEIGHBORS_SWAP &&
	    (p->op->prints & LAP_COUNTS) == 0 &&
	    moments_squares(p, moments_joint);
}

bool
lap_moments_line(struct lap_plan *p)
{
	return lap_moments(p) == MOMENTS_LINE && moments_boxed(p, p->d,
	    LINE_STEPS, moments_joint);
}

/* --- partitions of unity -------------------------------------------------- */

static bool
moments_noise(struct lap_plan *p, size_t i, u128 sens)
{
	return lap_noise_fine(p, i, lap_sens(p, sens, 2 * sens),
	    moments_parts(p));
}

static bool
moments_unity(struct lap_plan *p)
{
	const struct sums_column *c = p->column;
	size_t i = 0, d = p->d;
	bool pairs = lap_moments_pairs(p) > 0;

	for (size_t a = 0; !pairs && a < d; a++)
		if (!moments_noise(p, a, unity_sens(&c[a])))
			return false;
	for (size_t a = 0; pairs && a < d; a++)
		for (size_t b = a + 1; b < d; b++)
			if (!moments_noise(p, i++, unity_pair_sens(&c[a],
			    &c[b])))
				return false;
	return true;
}

bool
lap_moments_parts(struct lap_plan *p)
{
	bool pairs = lap_moments_pairs(p) > 0;
	size_t alike = pairs ? PAIR_PARTS : UNITY_PARTS;

	if (lap_moments(p) == MOMENTS_LINE)
		return false;
	p->m = moments_parts(p) * alike;
	if (!moments_fit(p, pairs ? PAIR_STEPS : UNITY_STEPS, moments_unity))
		return false;
	p->alike = alike;
	return true;
}

/* --- what the noise is, for intervals and the report ---------------------- */

long double
lap_unit(const struct lap_plan *p, size_t i)
{
	if (p->box.d == 0)
		return (long double)(p->noise[i / p->alike].sens /
		    lap_sens(p, 1, 2));
	return i < p->box.d ? (long double)p->side[i].up : 1;
}

/* Where there are pairs a variance is averaged over those of the column. */
static struct cover_noise
moments_cover(const struct lap_plan *p)
{
	struct cover_noise noise = { .alpha = lap_alpha(p), .times = 1,
	    .pairs = 1 };

	for (size_t i = 0; i < moments_parts(p); i++) {
		const struct scale *t = &p->noise[i].t;
		double unit = (double)lap_unit(p, i * p->alike) *
		    (double)p->opts->unit.whole;

		noise.scale = fmax(noise.scale, (double)t->s / (double)t->r /
		    unit);
		noise.step = fmax(noise.step, 1 / unit);
	}
	if (lap_moments_pairs(p) > 0) {
		noise.pairs = p->d - 1;
		noise.times = 3 * noise.pairs;
	}
	return noise;
}

struct cover_noise
lap_cover(const struct lap_plan *p)
{
	const struct scale *t = &p->count;
	const struct knorm *k = &p->box;
	double record = (double)k->m * (double)p->opts->unit.whole;
	struct spread_part part;

	if (k->d == 0)
		return moments_cover(p);
	part = knorm_part(k, 0, 2 / (double)p->opts->unit.whole);
	return (struct cover_noise){ .scale = (double)t->s / (double)t->r /
	    record, .step = 2 * KNORM_BLUR / record, .alpha = lap_alpha(p),
	    .times = 1, .pairs = 1, .shape = part.shape, .radius = part.a[0],
	    .counted = k->counted };
}

bool
lap_says(const struct lap_plan *p, enum cover_part part)
{
	if (part == COVER_MEAN)
		return lap_quotient(p);
	if (part == COVER_COVARIANCE)
		return lap_moments_pairs(p) > 0;
	return (p->op->prints & LAP_VARIANCES) != 0;
}

/* What has noise. */
static void
moments_totals(struct lap_plan *p)
{
	static const char *const sums[] = { "sums of each column",
	    "sums of each column and of its squares",
	    "sums of each column, of squares and of products" };
	static const char *const parts[][2] = { { "column", "columns" },
	    { "pair of columns", "pairs" } };
	const char *const *part = parts[lap_moments_pairs(p) > 0];
	const char *of = sums[lap_moments(p)];
	bool many = moments_parts(p) > 1;
	char text[REPORT_NOTE];

	if (p->box.d == 0)
		report_note(p->report, "totals", "%zu of each %s, in records: "
		    "a record adds 1 to them together; the noise of each has "
		    "scale %d/E%s%s%s", p->alike, part[0], (int)lap_sens(p, 1,
		    2), lap_times(p, text), many ? " times the number of " :
		    "", many ? part[1] : "");
	else if (p->count.s != 0)
		report_note(p->report, "totals", "%s; the number of records, "
		    "with noise of scale %.3g/E%s", of, (double)LAP_COUNT /
		    moments_count(p), lap_times(p, text));
	else
		report_note(p->report, "totals", "%s%s", of, p->box.counted ?
		    " and the number of records, by one draw" : "");
}

void
lap_moments_note(struct lap_plan *p)
{
	static const char *const words[][2] = {
		{ "error95_of_mean", "(B-A)" },
		{ "error95_of_covariance", "(B-A)(B'-A')" },
		{ "error95_of_variance", "(B-A)^2" }
	};
	const struct cover_noise noise = lap_cover(p);
	double eps = rational_real(lap_epsilon(p));

	lap_hide(p);
	p->report->digits = p->opts->digits;
	moments_totals(p);
	for (enum cover_part i = COVER_MEAN; i <= COVER_VARIANCE; i++)
		if (lap_says(p, i))
			report_note(p->report, words[i][0], "about %.1f to "
			    "%.1f %s/(n E), n records", cover_error95(&noise,
			    i, 0) * eps, cover_error95(&noise, i, 1) * eps,
			    words[i][1]);
}

void
lap_pairs_fit(const struct lap_plan *p)
{
	for (size_t a = 0; a < p->d; a++)
		for (size_t b = a; b < p->d; b++)
			(void)lap_real_digits(p, lap_length(p, a) *
			    lap_length(p, b));
}
