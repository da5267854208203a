/* dx: options of dx-laplace, and the way from scales to noise. */
#include "dx.h"

#include <stdlib.h>
#include <string.h>

#include "dx/plan/workload.h"
#include "tool/err.h"
#include "tool/text.h"

const char *const dx_names[DX_STRATEGIES] = { "1", "2", "3", "opt",
    "joint", "tree", "cells" };

static void
take_strategies(struct dx *d, const char *arg)
{
	char *copy = err_copy(arg, strlen(arg)), *rest = copy, *one;
	int s;

	memset(d->strategy, 0, sizeof(d->strategy));
	d->given_strategy = strcmp(arg, "auto") != 0;
	if (!d->given_strategy)
		rest = NULL;
	while ((one = text_field(&rest, ",")) != NULL) {
		for (s = 0; s < DX_STRATEGIES &&
		    strcmp(one, dx_names[s]) != 0; s++)
			;
		if (s == DX_STRATEGIES)
			err_die(STATUS_USAGE, "--strategy '%s' is not auto, 1, "
			    "2, 3, opt, joint, tree or cells", arg);
		d->strategy[s] = true;
	}
	free(copy);
}

static void
dx_take(void *arg, int code)
{
	struct dx *d = arg;
	static const char *const losses[] = { "relative", "squared", "l1",
	    "max", NULL };

	switch (code) {
	case OPT_STRATEGY:
		take_strategies(d, optarg);
		break;
	case OPT_LOSS:
		d->loss = (enum plan_loss)opts_choose(OPTARG, losses);
		d->given_loss = true;
		break;
	case OPT_PLAN:
		d->plan_only = true;
		break;
	case OPT_TOTAL:
		d->total = opts_count(OPTARG, 1, (uint64_t)1 << 62);
		break;
	default:
		if (!universe_take(&d->u, code))
			opts_take(&d->opts, code);
	}
}

/*
 * Are the queries prefixes or ranges alone?  A tree answers them with far less
 * noise than a budget share for each query, and where distances add up with as
 * little as the best strategy.
 */
static bool
asks_runs(const struct dx *d)
{
	const struct universe *u = &d->u;

	return u->workload != NULL && u->order == 0 && u->query == NULL &&
	    u->queries == NULL && !d->given_loss;
}

static void
check_strategies(struct dx *d)
{
	int s, n = 0;
	bool unsaid;

	if (!d->given_strategy) {
		d->strategy[DX_TREE] = asks_runs(d);
		d->strategy[DX_OPT] = !d->strategy[DX_TREE];
	}
	for (s = 0; s < DX_STRATEGIES; s++)
		n += d->strategy[s];
	unsaid = d->strategy[DX_JOINT] && d->total == 0;
	OPTS_REFUSE(
		{ n > 1 && !d->plan_only, "several strategies are for --plan" },
		{ d->plan_only && d->opts.charge.ledger && d->u.domain == NULL,
		    "--plan tells of the lines of its input and charges "
		    "nothing: with a ledger (--ledger, DPUTILS_LEDGER) it "
		    "needs --domain" },
		{ d->strategy[DX_JOINT] && d->given_loss && d->loss ==
		    PLAN_RELATIVE, "joint adds bias and noise, which a "
		    "relative loss cannot: --loss squared (its default), l1 or "
		    "max" },
		{ d->strategy[DX_JOINT] && d->opts.within.den > 0, "joint "
		    "weighs bias against noise: it needs -e E, not --within" },
		{ unsaid && d->plan_only, "a --plan of joint needs the public "
		    "number of records: --total N" },
		{ unsaid && d->opts.charge.ledger != NULL, "joint weighs bias "
		    "against noise before a record is paid for: with a ledger "
		    "it needs the public number of records, --total N" },
		{ unsaid && d->u.hidden, "joint weighs bias against noise, and "
		    "the number of records is hidden: --total N promises about "
		    "how many, or --neighbors swap" });
}

/* The loss in words, and the further losses to choose from. */
static void
explain_loss(struct dx *d)
{
	static const char *const what[] = {
		[PLAN_RELATIVE] = "relative: the product of the scales",
		[PLAN_SQUARED] = "squared: the sum of the squared scales",
		[PLAN_L1] = "l1: the sum of the scales",
		[PLAN_MAX] = "max: the largest scale, then the others in turn",
	};
	struct report *r = &d->report;
	enum plan_loss loss = d->loss;

	if (!d->strategy[DX_OPT] && !d->strategy[DX_JOINT])
		return;
	if (!d->strategy[DX_OPT])
		loss = dx_joint_loss(d);
	report_note(r, "loss", "%s", what[loss]);
	report_note(r, "losses", "relative (default), squared (default of "
	    "joint), l1, max");
}

static void
dx_explain(void *arg)
{
	struct dx *d = arg;
	struct report *r = &d->report;
	const char *hidden = "", *formula = "sum over queries k of |q_ki - "
	    "q_kj| / c_k <= E d(i,j); --plan shows the scales c_k";

	if (d->u.hidden) {
		hidden = "; how many there are is hidden";
		formula = "sum over queries k of |q_ki - q_kj| / c_k <= E "
		    "d(i,j) and of |q_ki| / c_k <= E R; --plan shows the "
		    "scales c_k";
	}
	r->metric = d->u.metric;
	r->domain = d->u.domain;
	report_note(r, "metric", "%s", d->u.metric);
	report_note(r, "budget", "%s%s", universe_budget(&d->u), hidden);
	if (!d->strategy[DX_TREE] && !d->strategy[DX_SINGLE])
		report_note(r, "scale_formula", "%s", formula);
	else if (d->strategy[DX_SINGLE])
		report_note(r, "strategy", "cells: noise on the count of "
		    "every element; answers are sums of these");
	else
		report_note(r, "strategy", "tree: noise on counts of nested "
		    "intervals (or of prefixes), then least squares; those "
		    "with the least expected error, from public numbers");
	explain_loss(d);
}

static void
dx_check(void *arg)
{
	struct dx *d = arg;
	const struct rational one = { 1, 1 };
	struct rational unasked = { 0, 0 };
	struct opts *o = &d->opts;
	struct report *r = &d->report;

	d->u.o = o;
	d->u.hidden = universe_hidden(&d->u);
	if (d->plan_only && o->within.den == 0)
		unasked = one;	/* a plan needs no epsilon */
	universe_begin(&d->u, o, unasked);
	r->opts = o;
	r->mechanism = "Laplace mechanism under a metric";
	r->noise = "discrete Laplace, exact, on a grid for each query";
	r->digits = -1;
	opts_file(o, 0);
	opts_check(o);
	d->u.public_only = d->plan_only || o->explain;
	universe_check(&d->u);
	check_strategies(d);
	d->eps = o->eps.den > 0 ? o->eps : one;
	r->eps = o->eps;
}

/* A table of scales asks for nothing. */
static bool
dx_waits(const void *arg)
{
	const struct dx *d = arg;

	return d->plan_only && !d->opts.explain;
}

static void
dx_open(void *arg, struct intake_use *use)
{
	struct dx *d = arg;
	const struct opts *o = &d->opts;
	char words[REPORT_NOTE];

	(void)use;
	universe_open(&d->u);
	universe_read(&d->u);
	universe_queries(&d->u, WORKLOAD_MOST);
	universe_bear(&d->u);
	if (d->u.w.k > DX_ANSWERS)
		err_die(STATUS_INPUT, "%zu queries are too many (%zu at most)",
		    d->u.w.k, DX_ANSWERS);
	dx_prefer(d);
	if (o->check) {
		dx_begin(d, dx_chosen(d));
		universe_count(&d->u);
	}
	if (d->plan_only)
		dx_print_plan(d);
	if (d->strategy[DX_JOINT] && d->total == 0) {
		universe_count(&d->u);	/* public under swap */
		d->counted = true;
		for (size_t i = 0; i < d->u.n; i++)
			d->total += d->u.count[i];
	}
	dx_fit(d);
	if (dx_is_fitted(dx_chosen(d)) && !o->non_private) {
		dx_fitted_describe(d, words, sizeof(words));
		report_note(&d->report, dx_names[d->fitted], "%s", words);
	}
	dx_describe(d, 0);
	if (d->u.w.k > 1) {
		d->report.scale.den = 0;
		d->report.error95.den = 0;
		d->report.half_width.den = 0;
	}
}

const struct run_steps dx_steps = {
	.take = dx_take, .check = dx_check, .plan = dx_explain,
	.waits = dx_waits, .open = dx_open, .read = dx_count, .ask = dx_ask,
	.declare = dx_declare, .rows = dx_rows,
};
