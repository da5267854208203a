/*
 * lap_response: the operation flip of laplace, randomised response.
 *
 * [DMNS06 Section 3.3, Remark 1] Each 0/1 cell is reported truly with
 * probability e^E/(1 + e^E), or inverted; the number of records is public. With
 * -s S the cells are a function's bits, where a record may change S: each is
 * inverted with 1/(1 + e^(E/S)), and S changed bits cost S E/S. --estimate
 * prints the unbiased estimate of the number of ones instead.
 */
#include "lap.h"
#include "number/taint.h"
#include "response.h"
#include "tool/err.h"

#define DIGITS 3		/* in the estimate */

/* Without --estimate: bits in order of records. */
struct bits {
	struct rational eps;	/* for one bit: E, or E/S */
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
		intake_fail(l->in.records);
	return o->bad.den > 0 && rational_sign(o->bad) > 0;
}

/* With --estimate two totals for each group: records, and ones. */
static void
lap_flip_take(void *arg, size_t group, const int64_t *x, uint64_t w)
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
	b->bit = err_grow(b->bit, b->n, &b->room, 1);
	b->bit[b->n++] = bit;
}

static bool
invert(struct lap *l, bool bit)
{
	const struct bits *b = l->own;

	if (l->opts.non_private)
		return bit;
	return METER_BIT(bit != response_inverts(&l->rng, b->eps), bit,
	    b->eps);
}

static i128
lap_flip_estimate(struct lap *l, u128 all, u128 ones)
{
	const struct bits *b = l->own;
	u128 reported = 0;

	taint_public(&all, sizeof(all));	/* under swap */
	if (l->opts.non_private)
		return (i128)ones * fixed_pow10(l->report.digits);
	for (u128 i = 0; i < all; i++)
		reported += invert(l, i < ones);
	return response_estimate(reported, all, b->eps, l->report.digits);
}

static void
lap_flip_rows(struct lap *l, uint64_t rel)
{
	const struct bits *b = l->own;

	for (size_t i = 0; !l->args.estimate && i < b->n; i++) {
		struct answer a = { .value = invert(l, b->bit[i]) };

		release_row(&l->out, rel, intake_group_parts(&l->in, 0), &a);
	}
	for (size_t i = 0; l->args.estimate && i < l->in.groups; i++) {
		const struct total *t = &l->total[2 * i];
		struct answer a = { .value = lap_flip_estimate(l,
		    (u128)total_value(t), (u128)total_value(t + 1)) };

		release_row(&l->out, rel, intake_group_parts(&l->in, i), &a);
	}
}

static void
lap_flip_start(struct lap *l)
{
	const struct opts *o = &l->opts;
	const struct rational one = { 1, 1 }, s = l->args.sens;
	struct bits *b = l->own;
	bool bits = !l->args.estimate;

	b->eps = o->eps;
	if (s.den > 1)
		err_die(STATUS_USAGE, "flip: -s S is how many bits one record "
		    "may change, a whole number");
	if (s.den == 1 && o->eps.den > 0 &&
	    (!rational_div(&b->eps, b->eps, s) || b->eps.den > INT64_MAX))
		err_die(STATUS_USAGE, "E/S does not fit 64 bits; round E");
	OPTS_REFUSE(
		{ o->within.den > 0,
		    "flip has no additive noise: no --within" },
		{ o->bad.den > 0 && rational_sign(o->bad) != 0 &&
		    rational_cmp(o->bad, one) != 0,
		    "flip: --on-bad is 0, 1 or fail" },
		{ bits && (o->weight != NULL || o->groups != NULL), "flip "
		    "prints a line for each record: --weight and --group need "
		    "--estimate" },
		{ bits && o->digits > 0,
		    "flip prints bits: --digits needs --estimate" });
}

static void
lap_flip_note(struct lap *l)
{
	struct report *r = &l->report;
	const struct opts *o = &l->opts;
	const struct bits *b = l->own;
	const char *per = "E";

	l->m = 2;
	r->noise = "each bit is inverted with probability 1/(1 + e^E)";
	r->eps = o->eps;
	r->digits = 0;
	if (l->args.estimate)
		r->digits = o->digits >= 0 ? o->digits : DIGITS;
	if (o->eps.den > 0)
		report_note(r, "flip_probability", "%.15f", 1 / (2 +
		    (double)response_growth(b->eps)));
	if (l->args.sens.den != 0) {
		per = "(E/S)";
		r->noise = "each bit is inverted with probability "
		    "1/(1 + e^(E/S))";
		report_note(r, "bits", "one record may change %lld of them",
		    (long long)l->args.sens.num);
	}
	report_note(r, "deviation", "of the estimate of ones among n: "
	    "sqrt(n e^%s) / (e^%s - 1)", per, per);
}

static void
lap_flip_declare(struct lap *l)
{
	lap_begin(l);
	release_answer(&l->out, lap_name(l, 0), l->args.estimate ? "ones" :
	    NULL, l->report.digits);
}

const struct lap_way lap_flip = {
	.start = lap_flip_start, .note = lap_flip_note, .take = lap_flip_take,
	.declare = lap_flip_declare, .rows = lap_flip_rows,
	.own = sizeof(struct bits)
};
