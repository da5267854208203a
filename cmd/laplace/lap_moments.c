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
#include "lap.h"

#include <math.h>
#include <stdlib.h>

#include "tool/err.h"

#define LINE_STEPS ((u128)1 << 44)	/* in a range at most */
#define SQUARE_STEPS ((u128)1 << 24)

/* The sums of each column: of cells; of squares, too; of products, too. */
enum moments { LINE, SQUARE, PRODUCT };

static enum moments
moments_kind(const struct lap *l)
{
	if (l->op->prints & LAP_PAIRS)
		return PRODUCT;
	return lap_has_squares(l) ? SQUARE : LINE;
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
	double k = (double)moments_many(l), part = 1 / sqrt(1.5 * k);

	if (kind == LINE || l->opts.neighbors == NEIGHBORS_SWAP)
		return 0;
	if ((l->op->prints & LAP_COUNTS) == 0)
		part = cbrt(0.6 / ((k + 1) * (k + 2)));
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

/* Each column's numbers, then products. */
static void
moments_sides(const struct lap *l, struct knorm_side *side)
{
	const struct sums_column *col = l->plan.column;
	enum moments kind = moments_kind(l);
	size_t d = l->plan.d;

	for (size_t a = 0; a < d; a++) {
		uint64_t m = (uint64_t)sums_steps(&col[a]);

		*side++ = (struct knorm_side){ kind == LINE ? 0 : m, m };
		if (kind != LINE)
			*side++ = (struct knorm_side){ m * m, m * m };
	}
	for (size_t a = 0; kind == PRODUCT && a < d; a++)
		for (size_t b = a + 1; b < d; b++, side++)
			side->down = side->up = (uint64_t)(sums_steps(&col[a]) *
			    sums_steps(&col[b]));
}

bool
lap_moments_plan(struct lap *l)
{
	size_t n = moments_many(l);
	bool line = moments_kind(l) == LINE, fits = false;

	l->m = n + 1;
	lap_room(l, l->plan.d);
	l->plan.k = 0;		/* the grid is not a printed number's */
	l->plan.side = err_alloc(l->plan.side, n, sizeof(*l->plan.side));
	for (u128 most = line ? LINE_STEPS : SQUARE_STEPS; !fits && most > 1;
	    most >>= 4) {
		for (size_t c = 0; c < l->plan.d; c++)
			if (!moments_column(l, c, most))
				return false;
		moments_sides(l, l->plan.side);
		fits = lap_box_plan(l, (struct knorm){ .d = n, .counted =
		    line }, lap_sens(l, 1, 2), moments_count(l));
	}
	return fits;
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
	size_t d = l->plan.d;

	for (size_t a = 0; a < d; a++) {
		i128 m = (i128)sums_steps(&col[a]);
		i128 z = moments_cell(&col[a], x[a]);

		total_add(t++, kind == LINE ? sums_offset(&col[a], x[a]) : z,
		    w);
		if (kind != LINE)
			total_add(t++, 2 * z * z - m * m, w);
	}
	for (size_t a = 0; kind == PRODUCT && a < d; a++)
		for (size_t b = a + 1; b < d; b++)
			total_add(t++, moments_cell(&col[a], x[a]) *
			    moments_cell(&col[b], x[b]), w);
	total_add(t, 1, w);
}

/* --- with noise ---------------------------------------------------------- */

/* One column's moments, from its sum or two sums in records. */
static struct unity_moments
moments_of(const struct lap *l, const i128 *at, long double n,
    long double unit, long double m)
{
	long double first = (long double)at[0] / unit / m;

	if (moments_kind(l) == LINE)
		return (struct unity_moments){ .n = n, .first = { 2 * first -
		    n } };
	return (struct unity_moments){ .n = n, .first = { first }, .second = {
	    (3 * (long double)at[1] / unit / (m * m) + n) / 4 } };
}

long double
lap_moments_draw(struct lap *l, size_t group, long double record,
    struct unity_moments *column, struct unity_moments *pair)
{
	const struct sums_column *col = l->plan.column;
	size_t d = l->plan.d, each = moments_kind(l) == LINE ? 1 : 2;
	long double unit = (long double)l->plan.box.m * record *
	    (long double)l->opts.unit.whole, n;
	i128 *x = err_alloc(NULL, l->m, sizeof(*x)), *at = x;

	lap_box_draw(l, group, x);
	n = (long double)x[l->m - 1] / unit;
	for (size_t a = 0; a < d; a++, at += each)
		column[a] = moments_of(l, at, n, unit,
		    (long double)sums_steps(&col[a]));
	for (size_t a = 0; moments_kind(l) == PRODUCT && a < d; a++)
		for (size_t b = a + 1; b < d; b++)
			*pair++ = (struct unity_moments){ .n = n, .first = {
			    column[a].first[0], column[b].first[0] },
			    .product = (long double)*at++ / unit /
			    (long double)sums_steps(&col[a]) /
			    (long double)sums_steps(&col[b]) };
	free(x);
	return n;
}
