/*
 * lap_response: the operation flip of laplace, randomised response.
 *
 * [DMNS06 Section 3.3, Remark 1] Each 0/1 cell is reported truly with
 * probability e^E/(1 + e^E), else inverted; the number of records is public.
 * --estimate prints the unbiased estimate of the number of ones instead.
 */
#include <stdlib.h>

#include "lap_run.h"
#include "response.h"
#include "tool/err.h"

#define DIGITS 3		/* of the estimate */

/* Without --estimate: bits in order of records. */
struct bits {
	unsigned char *bit;
	size_t n, room;
};

/* A cell that is neither 0 nor 1 is bad. */
static bool
bit_of(const struct lap *l, const struct cell *c)
{
	const struct opts *o = &l->opts;
	int64_t x;

	if (!c->missing && fixed_whole(c->text, c->len, &x) &&
	    (x == 0 || x == 1))
		return x == 1;
	if (o->on_bad == ON_BAD_FAIL)
		die(STATUS_INPUT, "record %llu: a bad cell (--on-bad fail)",
		    (unsigned long long)l->in.records);
	return o->given_bad && rational_sign(o->bad) > 0;
}

/* With --estimate two totals of each group: records, and ones. */
static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct lap *l = arg;
	struct bits *b = l->own;
	bool bit = bit_of(l, &l->in.cells[0]);

	(void)x;
	if (l->args.estimate) {
		total_add(&l->total[2 * group], 1, w);
		total_add(&l->total[2 * group + 1], bit, w);
		return;
	}
	if (b->n == b->room) {
		b->room = b->room < 4096 ? 4096 : b->room * 2;
		b->bit = err_alloc(b->bit, b->room, 1);
	}
	b->bit[b->n++] = bit;
}

static bool
invert(struct lap *l, bool bit)
{
	return bit != (!l->opts.non_private && response_inverts(&l->rng,
	    l->opts.eps));
}

static i128
estimate(struct lap *l, u128 all, u128 ones)
{
	u128 reported = 0;

	if (l->opts.non_private)
		return (i128)ones * fixed_pow10(l->report.digits);
	for (u128 i = 0; i < all; i++)
		reported += invert(l, i < ones);
	return response_estimate(reported, all, l->opts.eps,
	    l->report.digits);
}

static void
rows(struct lap *l, uint64_t rel)
{
	const struct bits *b = l->own;
	size_t n = l->args.estimate ? l->in.groups : b->n;

	for (size_t i = 0; i < n; i++) {
		const struct total *t = &l->total[2 * i];
		struct answer a = { .value = l->args.estimate ? estimate(l,
		    (u128)total_value(t), (u128)total_value(t + 1)) :
		    invert(l, b->bit[i]) };

		lap_row(l, rel, l->args.estimate ? i : 0, &a);
	}
}

static void
start(struct lap *l)
{
	const struct opts *o = &l->opts;
	static const struct rational one = { 1, 1 };

	if (o->has_within)
		die(STATUS_USAGE, "flip has no additive noise: no --within");
	if (o->given_bad && rational_sign(o->bad) != 0 &&
	    rational_cmp(o->bad, one) != 0)
		die(STATUS_USAGE, "flip: --on-bad is 0, 1 or fail");
	if (!l->args.estimate && (o->weight != NULL || o->groups != NULL))
		die(STATUS_USAGE, "flip prints a line for each record: "
		    "--weight and --group need --estimate");
	if (!l->args.estimate && o->digits > 0)
		die(STATUS_USAGE, "flip prints bits: --digits needs "
		    "--estimate");
}

static void
note(struct lap *l)
{
	struct report *r = &l->report;
	const struct opts *o = &l->opts;

	l->m = 2;
	r->noise = "each bit is inverted with probability 1/(1 + e^E)";
	r->has_eps = o->has_eps;
	r->eps = o->eps;
	r->digits = !l->args.estimate ? 0 : o->digits >= 0 ? o->digits : DIGITS;
	if (o->has_eps)
		report_note(r, "flip_probability", "%.15f", 1 / (2 +
		    response_growth(o->eps)));
	report_note(r, "deviation", "of the estimate of ones among n: "
	    "sqrt(n e^E) / (e^E - 1)");
}

static void
declare(struct lap *l)
{
	lap_begin(l);
	release_answer(&l->out, lap_name(l, 0), l->args.estimate ? "ones" :
	    NULL, l->report.digits);
}

static void
finish(struct lap *l)
{
	struct bits *b = l->own;

	free(b->bit);
}

const struct lap_way lap_flip = {
	.start = start, .note = note, .take = take, .declare = declare,
	.rows = rows, .close = finish, .own = sizeof(struct bits)
};
