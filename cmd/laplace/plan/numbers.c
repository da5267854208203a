/*
 * numbers: sums, and means over a public number of records.
 *
 * [DMNS06 Section 3.2] A record that comes or goes moves a column's sum by the
 * larger end of the range, a replaced record by B - A.  One sum has Laplace
 * noise; several have one draw of K-norm noise [DMNS06 Theorem 2].  Under swap
 * n is public: a mean is the noisy sum divided by n.
 */
#include "plan.h"

#include "tool/err.h"

#define STEPS ((u128)1 << 44)	/* in a side; a finer grid is of no use */

/* The change for the noise to hide if every column were like column c. */
static bool
numbers_sens(const struct lap_plan *p, size_t c, struct rational *s)
{
	const struct opts *o = p->opts;
	const struct rational d = { (i128)p->d, 1 };
	const struct range *r = opts_range(o, c);
	struct rational lo, hi;

	if (r == NULL)
		return false;
	lo = r->lo;
	hi = r->hi;
	if (o->neighbors == NEIGHBORS_SWAP && ((p->op->prints & LAP_MEANS) ||
	    opts_public(o, opts_group(o))))
		return rational_sub(s, hi, lo) && rational_mul(s, *s, d);
	lo.num = rational_sign(lo) < 0 ? -lo.num : lo.num;
	hi.num = rational_sign(hi) < 0 ? -hi.num : hi.num;
	*s = rational_cmp(lo, hi) > 0 ? lo : hi;
	return (o->neighbors != NEIGHBORS_SWAP || rational_add(s, *s, *s)) &&
	    rational_mul(s, *s, d);
}

bool
lap_mean_digits(struct lap_plan *p, size_t c)
{
	struct lap_noise *n = &p->noise[c];
	struct rational s;

	if (!numbers_sens(p, c, &s) || !rational_div(&s, s,
	    (struct rational){ (i128)p->divisor, 1 }))
		return false;
	n->digits = lap_scale_digits(p, s, c);
	if (p->opts->digits < 0 && (n->digits < 0 || n->digits > n->cell))
		n->digits = n->cell;
	return n->digits <= n->cell;
}

/* Column c on the finest grid of `most' steps, or the grid of the decimals. */
static bool
numbers_column(struct lap_plan *p, size_t c, u128 most)
{
	struct lap_noise *n = &p->noise[c];
	const struct sums_column *col = &p->column[c];
	struct rational s;
	int least, k;

	if (!numbers_sens(p, c, &s))
		return false;
	least = n->digits = lap_scale_digits(p, s, c);
	k = lap_cell_digits(p, least);
	while ((k = lap_finest(p, c, k, least, LAP_ZERO, ~(u128)0)) > least &&
	    FIXED_MOST(sums_steps(col), sums_sens_sum(col,
	    NEIGHBORS_ADD_REMOVE)) > most)
		k--;
	n->cell = n->grid = k;
	return least >= 0 && k >= least;
}

static void
numbers_room(struct lap_plan *p)
{
	p->m = p->d + 1;
	lap_room(p, p->d);
	p->counted = true;
	p->divisor = p->args->size > 0 ? p->args->size : 1;
}

/* On the finest grid with room.  The noise of a mean is drawn there. */
bool
lap_number_plan(struct lap_plan *p)
{
	bool mean = (p->op->prints & LAP_MEANS) != 0, fits = false;

	numbers_room(p);
	for (u128 most = ~(u128)0; p->d == 1 && !fits && most > 1; most >>= 3) {
		u128 sens;

		if (!numbers_column(p, 0, most))
			return false;
		sens = lap_sens(p, sums_sens_sum(p->column,
		    NEIGHBORS_ADD_REMOVE), sums_sens_sum(p->column,
		    NEIGHBORS_SWAP));
		fits = mean ? lap_noise_fine(p, 0, sens, 1) :
		    lap_noise(p, 0, sens);
	}
	return fits && (!mean || lap_mean_digits(p, 0));
}

/*
 * The sides of the box, for records that come and go; replaced records of
 * public groups move a sum by B - A either way.  Says whether the records are
 * counted.
 */
static bool
numbers_sides(struct lap_plan *p)
{
	bool replaced = lap_sens(p, 0, 1) == 1;

	for (size_t c = 0; c < p->d; c++) {
		const struct sums_column *col = &p->column[c];
		int64_t down = FIXED_MOST(-col->lo, 0);
		int64_t up = FIXED_MOST(col->hi, 0);
		int64_t most = FIXED_MOST(up, down);

		if (replaced)
			up = down = most = col->hi - col->lo;
		p->side[c] = (struct knorm_side){ (uint64_t)down,
		    (uint64_t)up };
		p->noise[c].sens = (u128)FIXED_MOST(most, 1);
	}
	return !replaced && lap_box_counted(p);
}

/* [DMNS06 Theorem 2] A swap of private groups is two moves. */
bool
lap_numbers_plan(struct lap_plan *p)
{
	bool fits = false;

	numbers_room(p);
	p->side = err_alloc(p->side, p->d, sizeof(*p->side));
	for (u128 most = STEPS; !fits && most > 1; most >>= 4) {
		for (size_t c = 0; c < p->d; c++)
			if (!numbers_column(p, c, most) ||
			    ((p->op->prints & LAP_MEANS) &&
			    !lap_mean_digits(p, c)))
				return false;
		fits = lap_box_plan(p, (struct knorm){ .d = p->d,
		    .counted = numbers_sides(p) }, lap_sens(p, 1, 1), 0);
	}
	return fits;
}
