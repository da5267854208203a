/*
 * estimate_term: a record of asm-estimate becomes one term.
 *
 * Row by row: what a record becomes depends on no other record, so neighbours
 * stay neighbours.  A record with a bad cell, a label that is no class among
 * them, has the loss 0 under swap (accuracy: it is wrong) unless --on-bad says
 * what the cell is; under add-remove it is dropped.
 */
#include <stdlib.h>

#include "estimate.h"
#include "loss.h"
#include "tool/err.h"

u128
estimate_unit(const struct estimate *e, bool squared)
{
	int k = e->report.digits, from = e->cell_digits * (squared ? 2 : 1);
	u128 unit = 1;

	for (; k < from; k++)
		unit *= 10;
	return unit;
}

/* Labels of classes are whole numbers, whatever the range of the logits. */
static void
free_label(struct estimate *e)
{
	struct bounds *b = &e->in.bounds[0];

	b->lo = -FIXED_MAX;
	b->hi = FIXED_MAX;
	if (!e->opts.given_bad || !rational_grid(e->opts.bad, b->digits,
	    FIXED_NEAREST, &b->bad))
		b->bad = 0;
}

static int64_t
most_apart(const struct bounds *a, const struct bounds *b, u128 unit,
    int64_t (*loss)(int64_t y, int64_t p, u128 unit))
{
	int64_t up = loss(a->hi, b->lo, unit), down = loss(a->lo, b->hi, unit);

	return up > down ? up : down;
}

void
estimate_limits(struct estimate *e)
{
	const struct bounds *b = e->in.bounds;
	bool has = e->opts.nranges > 0;
	int dc = e->cell_digits, k = e->report.digits;
	struct limits *l = &e->term;

	e->cell = (struct limits){ has, has, b->lo, b->hi };
	*l = (struct limits){ true, has, 0, 0 };
	switch (e->metric->term) {
	case TERM_VALUE:
		*l = e->cell;
		return;
	case TERM_POSITIVE:
		l->least = has ? b->lo : 0;
		l->most = b->hi;
		break;
	case TERM_SQUARE:
	case TERM_FIT:
		l->most = most_apart(&b[0], &b[1], estimate_unit(e, true),
		    loss_squared);
		break;
	case TERM_ABSOLUTE:
		l->most = most_apart(&b[0], &b[1], estimate_unit(e, false),
		    loss_absolute);
		break;
	case TERM_BINARY:
		l->most = loss_binary_most(b[1].lo, b[1].hi, dc, k);
		free_label(e);
		break;
	case TERM_CLASSES:
		l->most = loss_classes_most(b[1].lo, b[1].hi, e->in.k - 1, dc,
		    k);
		free_label(e);
		break;
	case TERM_WRONG:
		l->has_most = true;
		l->most = fixed_pow10(k);
		free_label(e);
		break;
	}
	l->most = l->has_most ? l->most : 0;
}

enum fate { FATE_TERM, FATE_ZERO, FATE_DROP };

/* A cell that is no number, or no label. */
static enum fate
bad_fate(const struct estimate *e)
{
	if (e->opts.on_bad == ON_BAD_FAIL)
		intake_fail(e->in.records);
	return e->opts.on_bad == ON_BAD_DROP ? FATE_DROP : FATE_ZERO;
}

/* The loss of a row; false where its label is no class. */
static bool
row_loss(const struct estimate *e, const int64_t *x, int64_t *term)
{
	int dc = e->cell_digits, k = e->report.digits;
	bool ok = true;

	switch (e->metric->term) {
	case TERM_SQUARE:
	case TERM_FIT:
		*term = loss_squared(x[0], x[1], estimate_unit(e, true));
		break;
	case TERM_ABSOLUTE:
		*term = loss_absolute(x[0], x[1], estimate_unit(e, false));
		break;
	case TERM_BINARY:
		ok = loss_binary(x[0], x[1], dc, k, term);
		break;
	case TERM_CLASSES:
		ok = loss_classes(x[0], x + 1, e->in.k - 1, dc, k, term);
		break;
	case TERM_WRONG:
		ok = loss_wrong(x[0], x + 1, e->in.k - 1, dc, term);
		*term *= fixed_pow10(k);
		break;
	case TERM_POSITIVE:
		*term = x[0] < 0 ? 0 : x[0];
		break;
	case TERM_VALUE:
		*term = x[0];
		break;
	}
	return ok;
}

/* Reads the cells of a loss itself: a bad one makes the loss 0. */
static enum fate
read_cells(struct estimate *e)
{
	const struct intake *in = &e->in;
	size_t c;

	for (c = 0; c < in->k; c++) {
		const struct bounds *b = &in->bounds[c];
		enum fate fate;

		if (intake_number(&in->cells[c], b, &in->x[c]))
			continue;
		fate = bad_fate(e);
		if (fate == FATE_DROP || !e->opts.given_bad)
			return fate;
		in->x[c] = b->bad;
	}
	return FATE_TERM;
}

/*
 * With --unit: the loss of one row of a person, as one number in x[0].  No
 * number stands in for a bad cell: a row without a loss is left out, and a
 * person without a row is people's to treat.
 */
bool
estimate_row(void *arg, const struct cell *cells, int64_t *x)
{
	struct estimate *e = arg;
	int64_t loss = 0;
	size_t c;

	for (c = 0; c < e->in.k; c++)
		if (!intake_number(&cells[c], &e->in.bounds[c], &x[c]))
			return false;
	if (!row_loss(e, x, &loss))
		return false;
	for (c = 1; c < e->in.k; c++)
		x[c] = 0;
	x[0] = loss;
	return true;
}

/* The loss of a person, -1 for one who has no row with a loss. */
static enum fate
person_fate(const int64_t *x, int64_t *term)
{
	*term = x[0];
	return x[0] < 0 ? FATE_ZERO : FATE_TERM;
}

bool
estimate_term(struct estimate *e, const int64_t *x, int64_t *term)
{
	enum fate fate = FATE_TERM;

	if (e->in.texts > 0 && e->opts.unit == NULL)
		fate = read_cells(e);
	if (e->in.texts > 0 && e->opts.unit != NULL)
		fate = person_fate(x, term);
	else if (fate == FATE_TERM && !row_loss(e, x, term))
		fate = bad_fate(e);
	if (fate == FATE_ZERO)
		*term = e->metric->term == TERM_WRONG ? e->term.most : 0;
	if (e->term.has_most && *term > e->term.most)
		*term = e->term.most;
	return fate != FATE_DROP;
}
