/*
 * lap_response: the operation flip of laplace, randomised response.
 *
 * [DMNS06 Section 3.3, Remark 1] Each cell is told truly with the odds e^E : 1
 * against each other value; the number of records is public.  The values are 0
 * and 1, or --keys.  With -s S the cells are a function's, where a record may
 * change S: each has the odds e^(E/S) : 1, and S changed cells cost S E/S.
 * --estimate prints the unbiased estimates of the number of ones, or of records
 * of each key, instead.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lap.h"
#include "number/taint.h"
#include "response.h"
#include "tool/err.h"

#define DIGITS 3		/* in an estimate */

/* Values 0..k - 1; k for a cell that names no key. */
struct flip {
	struct rational eps;	/* for one cell: E, or E/S */
	size_t k;
	/* without --estimate: in order of records */
	uint32_t *value;
	size_t n, room;
};

/* A cell that is no key, or neither 0 nor 1, is bad. */
static size_t
lap_flip_value(const struct lap *l, const struct cell *c)
{
	const struct flip *f = l->own;
	const struct opts *o = &l->opts;
	bool keys = l->list.n > 0;
	size_t i = f->k;
	int64_t x;

	if (keys)
		i = c->missing ? l->list.n : keys_find(&l->list, c->text,
		    c->len);
	else if (!c->missing && fixed_whole(c->text, c->len, &x) &&
	    (x == 0 || x == 1))
		i = (size_t)x;
	if (i < f->k)
		return i;
	if (o->on_bad == ON_BAD_FAIL)
		intake_fail(l->in.records);
	return keys ? f->k : o->bad.den > 0 && rational_sign(o->bad) > 0;
}

/* With --estimate totals of each value for each group. */
static void
lap_flip_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct lap *l = arg;
	struct flip *f = l->own;
	size_t value = lap_flip_value(l, &l->in.cells[0]);

	(void)x;
	if (l->args.estimate) {
		total_add(&l->total[l->plan.m * group + value], 1, w);
		return;
	}
	f->value = err_grow(f->value, f->n, &f->room, sizeof(*f->value));
	f->value[f->n++] = (uint32_t)value;
}

static size_t
lap_flip_tell(struct lap *l, size_t value)
{
	const struct flip *f = l->own;

	if (l->opts.non_private)
		return value;
	return METER_TOLD(response_draw(&l->rng, f->eps, value, f->k), value,
	    f->eps);
}

/* What all records of a group tell, and the estimates from it. */
static void
lap_flip_estimates(struct lap *l, uint64_t rel, size_t group, u128 *told)
{
	const struct flip *f = l->own;
	const struct label none = { 0 };
	struct answer a;
	u128 n = 0;

	memset(told, 0, l->plan.m * sizeof(*told));
	for (size_t i = 0; i < l->plan.m; i++)
		for (i128 left = total_value(&l->total[l->plan.m * group + i]);
		    left > 0; left--, n++)
			told[lap_flip_tell(l, i)]++;
	taint_public(&n, sizeof(n));	/* under swap */
	for (size_t i = l->list.n == 0; i < f->k; i++) {
		a.value = (i128)told[i] * fixed_pow10(l->report.digits);
		if (!l->opts.non_private)
			a.value = response_estimate(told[i], n, f->k, f->eps,
			    l->report.digits);
		lap_key_row(l, rel, group, l->list.n > 0 ? l->list.key[i] :
		    none, a);
	}
}

static void
lap_flip_rows(struct lap *l, uint64_t rel)
{
	const struct flip *f = l->own;
	u128 *told = err_alloc(NULL, l->plan.m, sizeof(*told));

	for (size_t i = 0; i < f->n; i++) {
		struct answer a = { .value = (i128)lap_flip_tell(l,
		    f->value[i]) };

		if (l->list.n > 0)
			l->out.word = &l->list.key[a.value];
		release_row(&l->out, rel, NULL, &a);
	}
	for (size_t i = 0; l->args.estimate && i < l->in.groups; i++)
		lap_flip_estimates(l, rel, i, told);
	free(told);
}

static void
lap_flip_start(struct lap *l)
{
	const struct opts *o = &l->opts;
	const struct rational one = { 1, 1 }, s = l->args.sens;
	struct flip *f = l->own;
	bool cells = !l->args.estimate, keys = l->list.n > 0;

	f->eps = o->eps;
	f->k = keys ? l->list.n + o->others : 2;
	l->plan.m = f->k + 1;
	if (s.den > 1)
		err_die(STATUS_USAGE, "flip: -s S is how many cells one record "
		    "may change, a whole number");
	if (s.den == 1 && o->eps.den > 0 &&
	    (!rational_div(&f->eps, f->eps, s) || f->eps.den > INT64_MAX))
		err_die(STATUS_USAGE, "E/S does not fit 64 bits; round E");
	/* a cell with a value has up to so many rounds, one without has one */
	l->plan.each = (uint64_t)(35 * fmin((double)f->k, 1 +
	    (double)response_growth(f->eps)));
	OPTS_REFUSE(
		{ o->within.den > 0,
		    "flip has no additive noise: no --within" },
		{ keys && o->on_bad == ON_BAD_NUMBER && opts_given(o,
		    OPT_ON_BAD) != NULL, "flip --keys: a cell that is no key "
		    "becomes one at random, or (others) with --others: "
		    "--on-bad is fail" },
		{ o->bad.den > 0 && rational_sign(o->bad) != 0 &&
		    rational_cmp(o->bad, one) != 0,
		    "flip: --on-bad is 0, 1 or fail" },
		{ cells && (o->weight != NULL || o->groups != NULL), "flip "
		    "prints a line for each record: --weight and --group need "
		    "--estimate" },
		{ cells && o->digits > 0,
		    "flip prints bits: --digits needs --estimate" });
}

static void
lap_flip_note(struct lap *l)
{
	struct report *r = &l->report;
	const struct opts *o = &l->opts;
	const struct flip *f = l->own;
	const char *per = "E";
	double k = (double)f->k;

	r->noise = "each cell is told truly with the odds e^E : 1 against "
	    "each other value";
	if (l->args.sens.den != 0) {
		per = "(E/S)";
		r->noise = "each cell is told truly with the odds e^(E/S) : 1 "
		    "against each other value";
		report_note(r, "bits", "one record may change %lld of them",
		    (long long)l->args.sens.num);
	}
	r->eps = o->eps;
	r->digits = 0;
	if (l->args.estimate)
		r->digits = o->digits >= 0 ? o->digits : DIGITS;
	if (o->eps.den > 0)
		report_note(r, "flip_probability", "%.15f", (k - 1) / (k +
		    (double)response_growth(f->eps)));
	report_note(r, "deviation", "of an estimate from n records: sqrt(n "
	    "(e^%s + %zu)) / (e^%s - 1)%s", per, f->k - 2, per, f->k > 2 ?
	    ", more where a key is frequent" : "");
}

static void
lap_flip_declare(struct lap *l)
{
	if (l->args.estimate && l->list.n > 0)
		lap_counts(l);
	else
		release_answer(&l->out, lap_name(l, 0), l->args.estimate ?
		    "ones" : NULL, l->report.digits);
}

const struct lap_way lap_flip = {
	.start = lap_flip_start, .note = lap_flip_note,
	.declare = lap_flip_declare, .rows = lap_flip_rows,
	.own = sizeof(struct flip), .body = { &(const struct lap_body){
	    .take = lap_flip_take } }
};
