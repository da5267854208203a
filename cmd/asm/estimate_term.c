/*
 * estimate_term: a record of asm-estimate becomes one term.
 *
 * Row by row: a term depends on no further record, so neighbours stay
 * neighbours.  A record with a bad cell, or with a label that is no class, has
 * the loss 0 under swap (accuracy: a wrong record) unless --on-bad gives the
 * cell a number; under add-remove such records are dropped.
 */

#include "asm/size/code.h"
#include "estimate.h"
#include "input/intake.h"
#include "loss.h"

#define NO_LOSS (-1)	/* for a record with a bad cell, or a person */

u128
estimate_unit(const struct estimate *e, int k)
{
	int digits = k * e->cell_digits - e->step_digits;
	int some = FIXED_LEAST(digits, FIXED_DIGITS);

	if (digits < 0)
		return 1;
	return (u128)((i128)fixed_pow10(some) * fixed_pow10(digits - some));
}

int64_t
estimate_step(const struct estimate *e, int64_t x)
{
	int finer = e->step_digits - e->report.digits;

	return e->coded ? code_of((u128)x * (u128)fixed_pow10(finer), false) :
	    x;
}

int64_t
estimate_most(const struct estimate *e)
{
	return e->coded ? code_of(CODE_MOST, false) : FIXED_MAX;
}

/*
 * The squared or absolute error.  A number that the grid has no room for may be
 * anything, so it errs by the most.
 */
static int64_t
error_of_pair(const struct estimate *e, int64_t y, int64_t p)
{
	if (FIXED_MOST(y, p) >= FIXED_MAX || FIXED_LEAST(y, p) <= -FIXED_MAX)
		return estimate_most(e);
	if (e->coded)
		return loss_code(y, p);
	if (e->metric->term == TERM_ABSOLUTE)
		return loss_absolute(y, p, estimate_unit(e, 1));
	return loss_square(y, p, estimate_unit(e, 2));
}

void
estimate_limits(struct estimate *e)
{
	struct bounds *b = e->in.bounds;
	bool has = e->opts.ranges.n > 0;
	int dc = e->cell_digits, k = e->report.digits;
	struct limits *l = &e->term;
	int64_t up, down;

	e->cell = (struct limits){ has, has, b->lo, b->hi };
	*l = (struct limits){ true, has, 0, 0 };
	switch (e->metric->term) {
	case TERM_VALUE:
		*l = e->cell;
		return;
	case TERM_SUM:
		if (e->enough == 0)
			l->least = -FIXED_MAX;
		if (has)
			l->least = b->lo;
		l->most = b->hi;
		break;
	case TERM_SQUARE:
	case TERM_FIT:
	case TERM_ABSOLUTE:
		up = error_of_pair(e, b[0].hi, b[1].lo);
		down = error_of_pair(e, b[0].lo, b[1].hi);
		l->most = FIXED_MOST(up, down);
		break;
	case TERM_CLASSES:
		l->most = loss_classes_most(b[1].lo, b[1].hi, e->in.k - 1, dc,
		    k);
		break;
	case TERM_WRONG:
		l->has_most = true;
		l->most = fixed_pow10(k);
		break;
	}
	if (!l->has_most)
		l->most = 0;
	if (!e->metric->classes)
		return;
	/* classes are whole numbers, whatever the range of the logits */
	b->lo = -FIXED_MAX;
	b->hi = FIXED_MAX;
	if (e->opts.bad.den == 0 || !rational_grid(e->opts.bad, b->digits,
	    FIXED_NEAREST, &b->bad))
		b->bad = 0;
}

/* A row's loss; false where the label is no class. */
static bool
row_loss(const struct estimate *e, const int64_t *x, int64_t *term)
{
	int dc = e->cell_digits, k = e->report.digits;

	switch (e->metric->term) {
	case TERM_SQUARE:
	case TERM_FIT:
	case TERM_ABSOLUTE:
		*term = error_of_pair(e, x[0], x[1]);
		break;
	case TERM_CLASSES:
		return loss_classes(x[0], x + 1, e->in.k - 1, dc, k, term);
	case TERM_WRONG:
		if (!loss_wrong(x[0], x + 1, e->in.k - 1, dc, term))
			return false;
		*term *= fixed_pow10(k);
		break;
	case TERM_SUM:
		*term = FIXED_MOST(x[0], e->term.least);
		break;
	case TERM_VALUE:
		*term = x[0];
		break;
	}
	return true;
}

/*
 * Reads a loss's cells, maybe in several threads.  With --unit no number stands
 * in for a bad cell: a row without a loss is left out, and people treats a
 * person without a row.
 */
bool
estimate_loss(void *arg, const struct cell *cells, int64_t *x)
{
	const struct estimate *e = arg;
	bool good = true;
	bool stands = e->opts.bad.den > 0 && e->opts.unit.column == NULL;
	int64_t loss;

	for (size_t c = 0; good && c < e->in.k; c++) {
		const struct bounds *b = &e->in.bounds[c];

		if (!intake_number(&cells[c], b, &x[c])) {
			x[c] = b->bad;
			good = stands;
		}
	}
	good = good && row_loss(e, x, &loss);
	for (size_t c = 1; c < e->in.k; c++)
		x[c] = 0;
	x[0] = good ? loss : NO_LOSS;
	return good;
}

int64_t
estimate_term(const struct estimate *e, const int64_t *x)
{
	int64_t term = x[0];

	if (e->in.use.texts == 0)
		row_loss(e, x, &term);
	else if (term == NO_LOSS && e->metric->term == TERM_WRONG)
		term = e->term.most;
	else if (term == NO_LOSS)
		term = 0;
	if (e->term.has_most)
		return FIXED_LEAST(term, e->term.most);
	return term;
}
