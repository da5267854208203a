/*
 * opts under random command lines: the first byte chooses a tool, the words
 * are what stands between NULs.  A call is refused with status 2 or explained:
 * then its report is complete and its noise has a scale.
 */
#include <stdlib.h>

#include "command.h"
#include "expmech/choice.h"
#include "sp/sp.h"

static const struct tool sp_var = { .name = "fuzz", .synopsis = "",
	.rows = { SP_ROWS } };
static const struct tool sp_mean = { .name = "fuzz", .synopsis = "",
	.rows = { SP_ROWS, SP_CENTER } };
static const struct tool choice = { .name = "fuzz", .synopsis = "", .rows = {
	{ 's', "sensitivity", "S", "" },
	{ 'k', "draws", "K", "" },
	{ OPT_MONOTONIC, "monotonic", NULL, "" },
	{ OPT_MECHANISM, "mechanism", "M", "" },
	{ OPT_SCALE, "scale", "C", "" },
} };

static void
look(const struct report *r)
{
	struct text text = TEXT_INIT;

	report_print(r, &text, FORMAT_JSON);
	free(report_before(r));
	free(report_behind(r));
	opts_record(r->opts, &text);
	if (text.len < 10 || r->digits < -1 || r->digits > FIXED_DIGITS ||
	    (r->eps.den > 0 && rational_sign(r->eps) <= 0) ||
	    (r->scale.den != 0 && rational_sign(r->scale) <= 0))
		abort();
	free(text.buf);
}

static void
try_sp(int which)
{
	static struct sp sp;
	int c;

	sp = (struct sp){ .opts = OPTS_INIT(&sp_mean), .squared = which == 1,
	    .may_pair = which == 2 };
	parsed = &sp.opts;
	sp.opts.tool = which == 1 ? &sp_var : &sp_mean;
	sp.report.mechanism = "none";
	while ((c = opts_next(&sp.opts, argc, argv)) != -1)
		if (!shown(c))
			sp_take(&sp, c);
	sp.opts.explain = false;
	if (sp.opts.check)
		return;
	sp_check(&sp);
	sp_plan(&sp);
	look(&sp.report);
	for (size_t i = 0; i < sp.shares; i++)
		if (sp.sens[i] <= 0)
			abort();
	if (sp.report.scale.den != 0 && sp.t.s == 0)
		abort();
}

static void
try_choice(void)
{
	static struct choice e;
	int c;

	e = (struct choice){ .opts = OPTS_INIT(&choice), .out = RELEASE_INIT,
	    .k = 1 };
	parsed = &e.opts;
	while ((c = opts_next(&e.opts, argc, argv)) != -1)
		if (!shown(c))
			choice_steps.take(&e, c);
	e.opts.explain = false;
	if (e.opts.check)
		return;
	choice_steps.check(&e);
	choice_steps.plan(&e);
	look(&e.report);
}

static void
attempt(int which)
{
	if (which % 4 < 3)
		try_sp(which % 4);
	else
		try_choice();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	command(data, size, attempt);
	return 0;
}
