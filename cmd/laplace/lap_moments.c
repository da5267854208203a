/*
 * lap_moments: K-norm noise for means, stats and covariances of several
 * columns.
 *
 * [DMNS06 Theorem 2] One draw for the sums of all columns, from the norm of the
 * box that a record moves these in (knorm.c).
 *
 * Means.  A record with the cell x, 0 to M steps, moves the column's sum by x
 * and the number of records by 1: a box with the count.
 *
 * Variances and covariances.  With z = 2 x - M a record moves the sum of z by
 * -M to M, that of 2 z^2 - M^2 by -M^2 to M^2, and that of a product by -M M'
 * to M M'; a replaced record is one less and one more.  The number of records
 * is public under swap.  Under add-remove it has Laplace noise of its own, with
 * a part of E, and the box has the rest.  For stats, which print the count, the
 * part is 2/part^2 <= 6 d: the count has no more noise than from the totals of
 * d partitions of unity.  For covariances it is about the best for means half
 * the way from the middle of their ranges to the ends.
 *
 * All behind the noise is post-processing, in the moments of unity.h.
 */
#include "lap_moments.h"

#include <math.h>
#include <stdlib.h>

#include "tool/err.h"

#define LINE_STEPS ((u128)1 << 44)	/* in a range at most */
#define SQUARE_STEPS ((u128)1 << 24)
#define ROUNDS 4			/* to an interval */

/* The sums of each column: of cells; of squares, too; of products, too. */
enum moments { LINE, SQUARE, PRODUCT };

static enum moments
moments_kind(const struct lap *l)
{
	if (l->op->prints & LAP_PAIRS)
		return PRODUCT;
	return l->op->prints & LAP_VARIANCES ? SQUARE : LINE;
}

static size_t
moments_many(const struct lap *l)
{
	size_t d = l->plan.d;
	enum moments kind = moments_kind(l);

	return kind == LINE ? d : 2 * d + (kind == PRODUCT) * d * (d - 1) / 2;
}

/* The count's part of E, of LAP_COUNT. */
static unsigned
moments_count(const struct lap *l)
{
	enum moments kind = moments_kind(l);
	double k = (double)moments_many(l), part = kind == PRODUCT ?
	    cbrt(0.6 / ((k + 1) * (k + 2))) : 1 / sqrt(1.5 * k);

	if (kind == LINE || l->opts.neighbors == NEIGHBORS_SWAP)
		return 0;
	return (unsigned)ceil(LAP_COUNT * part);
}

/* --- the plan ------------------------------------------------------------ */

/*
 * Column c on the finest grid with this many steps.  Means may take the grid of
 * --digits instead, or whole numbers.  False if no grid fits.
 */
static bool
moments_column(struct lap *l, size_t c, u128 most)
{
	struct lap_noise *n = &l->plan.noise[c];
	bool line = moments_kind(l) == LINE;
	int least = line ? 0 : -FIXED_DIGITS, first = FIXED_DIGITS, k;
	int wanted = l->opts.digits > 0 ? l->opts.digits : 0;

	n->digits = lap_range_digits(l, c, 1);
	if (l->opts.unit.per == PER_SUM)
		first = lap_cell_digits(l, n->digits);
	k = lap_finest(l, c, first, least, LAP_LOWER, most);
	if (line && k < wanted)
		k = lap_column(l, c, wanted, LAP_LOWER) ? wanted : -1;
	if (n->digits < 0 || k < least || sums_steps(&l->plan.column[c]) == 0)
		return false;
	n->cell = l->plan.cell[c];
	if (n->digits > n->cell && l->opts.digits < 0)
		n->digits = n->cell;
	return n->digits <= n->cell || !line;
}

static void
moments_sides(const struct lap *l, struct knorm_side *side)
{
	const struct sums_column *col = l->plan.column;
	enum moments kind = moments_kind(l);

	for (size_t a = 0; a < l->plan.d; a++) {
		uint64_t m = (uint64_t)sums_steps(&col[a]);

		*side++ = (struct knorm_side){ kind == LINE ? 0 : m, m };
		for (size_t b = a; kind != LINE && b < l->plan.d && (b == a ||
		    kind == PRODUCT); b++, side++)
			side->down = side->up = m *
			    (uint64_t)sums_steps(&col[b]);
	}
}

bool
lap_moments_plan(struct lap *l)
{
	size_t n = moments_many(l);
	struct knorm_side *side = lap_box_room(l, n);
	bool line = moments_kind(l) == LINE, fits = false;

	l->m = n + 1;
	lap_room(l, l->plan.d);
	l->plan.k = 0;		/* the grid is not a printed number's */
	for (u128 most = line ? LINE_STEPS : SQUARE_STEPS; !fits && most > 1;
	    most >>= 4) {
		for (size_t c = 0; c < l->plan.d; c++)
			if (!moments_column(l, c, most))
				return false;
		moments_sides(l, side);
		fits = lap_box_plan(l, n, line, lap_sens(l, 1, 2),
		    moments_count(l));
	}
	return fits;
}

/* The error of a mean at the middle and at the end of the range. */
static void
moments_note_mean(struct lap *l)
{
	double whole = (double)l->opts.unit.whole, part = moments_count(l);
	double middle = lap_box_error95(l, 0) / whole;
	double end = lap_box_error95(l, 1) / whole;

	if (part > 0)
		end = hypot(middle, 1.5 * LAP_COUNT / part *
		    (double)l->opts.unit.records / whole);
	report_note(&l->report, "error95_of_mean", "about %.1f to %.1f "
	    "(B-A)/(n E), n records", middle, end);
}

void
lap_moments_note(struct lap *l)
{
	static const char *const sums[] = { "sums of each column",
	    "sums of each column and of its squares",
	    "sums of each column, of squares and of products" };
	enum moments kind = moments_kind(l);
	unsigned part = moments_count(l);
	char text[REPORT_NOTE];

	if (part > 0)
		report_note(&l->report, "totals", "%s; the number of records, "
		    "with noise of scale %.3g/E%s", sums[kind],
		    (double)LAP_COUNT / part, lap_times(l, text));
	else
		report_note(&l->report, "totals", "%s%s", sums[kind], kind ==
		    LINE ? " and the number of records, by one draw" : "");
	if (kind != PRODUCT)
		moments_note_mean(l);
}

/* --- records ------------------------------------------------------------- */

/* The cell on -M..M. */
static i128
moments_cell(const struct sums_column *c, int64_t x)
{
	return 2 * sums_offset(c, x) - (i128)sums_steps(c);
}

void
lap_moments_take(const struct lap *l, const int64_t *x, uint64_t w,
    struct total *t)
{
	const struct sums_column *col = l->plan.column;
	enum moments kind = moments_kind(l);

	for (size_t a = 0; a < l->plan.d; a++) {
		i128 m = (i128)sums_steps(&col[a]);
		i128 z = moments_cell(&col[a], x[a]);

		total_add(t++, kind == LINE ? sums_offset(&col[a], x[a]) : z,
		    w);
		if (kind != LINE)
			total_add(t++, 2 * z * z - m * m, w);
		for (size_t b = a + 1; kind == PRODUCT && b < l->plan.d; b++)
			total_add(t++, z * moments_cell(&col[b], x[b]), w);
	}
	total_add(t, 1, w);
}

/* --- with noise ---------------------------------------------------------- */

long double
lap_moments_draw(struct lap *l, size_t group, long double record,
    struct unity_moments *column, struct unity_moments *pair)
{
	const struct sums_column *col = l->plan.column;
	enum moments kind = moments_kind(l);
	long double unit = (long double)l->plan.box.m * record *
	    (long double)l->opts.unit.whole, n;
	i128 *x = err_alloc(NULL, l->m, sizeof(*x)), *at = x;

	lap_box_draw(l, group, x);
	n = (long double)x[l->m - 1] / unit;
	for (size_t a = 0; a < l->plan.d; a++) {
		long double m = (long double)sums_steps(&col[a]);
		long double first = (long double)*at++ / unit / m, second = 0;

		if (kind == LINE)
			first = 2 * first - n;
		else
			second = (3 * (long double)*at++ / unit / (m * m) +
			    n) / 4;
		column[a] = (struct unity_moments){ .n = n,
		    .first = { first }, .second = { second } };
		for (size_t b = a + 1; kind == PRODUCT && b < l->plan.d; b++)
			pair++->product = (long double)*at++ / unit / m /
			    (long double)sums_steps(&col[b]);
	}
	free(x);
	return n;
}

/*
 * All z with |sum - z n| below what this noise, 2 (s/M - (1 + z)/2 t) in the
 * words of knorm_reach, exceeds with probability alpha, as in cover.c.
 */
struct cover
lap_moments_mean(const struct lap *l, const struct unity_moments *m)
{
	double n = (double)m->n, sum = (double)m->first[0];
	struct cover z = { -1, 1 };

	for (int k = 0; k < ROUNDS && n > 0; k++) {
		double x = 2 * knorm_reach(&l->plan.box, cover_larger(z.lower,
		    z.upper), lap_alpha(l)) / (double)l->opts.unit.whole;

		cover_narrow(&z, (sum - x) / n, (sum + x) / n);
	}
	return (struct cover){ (1 + z.lower) / 2, (1 + z.upper) / 2 };
}
