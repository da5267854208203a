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

struct bits {
	struct lap *l;
	unsigned char *bit;	/* without --estimate: in order of records */
	size_t n;
	size_t room;
	uint64_t *ones;		/* with it: of each group */
	uint64_t *all;
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

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct bits *b = arg;
	bool bit = bit_of(b->l, &b->l->in.cells[0]);

	(void)x;
	if (b->l->args.estimate) {
		b->all[group] += w;
		b->ones[group] += bit ? w : 0;
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

static void
write_bits(struct bits *b)
{
	for (uint64_t rel = 1; rel <= b->l->opts.repeat; rel++)
		for (size_t i = 0; i < b->n; i++) {
			struct answer a = { .value = invert(b->l,
			    b->bit[i]) };

			lap_row(b->l, rel, 0, &a);
		}
}

static i128
estimate(const struct bits *b, size_t g)
{
	struct lap *l = b->l;
	uint64_t reported = 0;

	if (l->opts.non_private)
		return (i128)b->ones[g] * fixed_pow10(l->report.digits);
	for (uint64_t i = 0; i < b->all[g]; i++)
		reported += invert(l, i < b->ones[g]);
	return response_estimate(reported, b->all[g], l->opts.eps,
	    l->report.digits);
}

static void
write_estimates(const struct bits *b)
{
	struct lap *l = b->l;

	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < l->in.groups; g++) {
			struct answer a = { .value = estimate(b, g) };

			lap_row(l, rel, g, &a);
		}
}

static void
check(struct lap *l)
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
describe(struct lap *l)
{
	struct report *r = &l->report;
	const struct opts *o = &l->opts;

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

void
lap_response(struct lap *l)
{
	struct bits b = { .l = l };
	size_t groups;

	check(l);
	describe(l);
	lap_prepare(l);
	lap_open(l, NULL);
	groups = l->in.groups;
	b.ones = err_alloc(NULL, groups, sizeof(*b.ones));
	b.all = err_alloc(NULL, groups, sizeof(*b.all));
	for (size_t g = 0; g < groups; g++)
		b.ones[g] = b.all[g] = 0;
	intake_read(&l->in, take, &b);
	lap_begin(l);
	release_answer(&l->out, lap_name(l, 0), l->args.estimate ? "ones" :
	    NULL, l->report.digits);
	lap_header(l);
	if (l->args.estimate)
		write_estimates(&b);
	else
		write_bits(&b);
	lap_end(l);
	free(b.bit);
	free(b.ones);
	free(b.all);
}
