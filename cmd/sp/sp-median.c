/* sp-median: private median or quantile by sensitivity preprocessing. */
#include "sp.h"

static const struct tool tool = {
	.name = "sp-median",
	.synopsis = "-e E --range A:B --size N [option ...] < CSV\n"
	    "       sp-median -e E -s S -m CENTER [option ...] < CSV\n"
"  the median of a column; its noise is known beforehand\n"
"example: sp-median -e 0.5 -c age --range 0:120 --size 10000 people.csv",
	.ask = "",
	.rows = {
		SP_ROWS,
		SP_CENTER,
		{ 'q', "quantile", "Q",
		    "the Q-quantile, 0 (minimum) to 1", OPEN },
	},
};

static void
median_check(void *arg)
{
	struct sp *sp = arg;
	char alpha[FIXED_TEXT];

	if (sp->f.kind == ORDERED_QUANTILE) {
		sp->report.mechanism =
		    "sensitivity preprocessing of a quantile";
		report_note(&sp->report, "quantile", "%s",
		    rational_text(alpha, sp->f.alpha));
		sp->what = answer_percentile(sp->named, sp->f.alpha);
	}
	sp_check(sp);
}

static const struct run_steps steps = { .take = sp_take,
	.check = median_check, SP_STEPS };

int
main(int argc, char **argv)
{
	static struct sp sp = { .opts = OPTS_INIT(&tool), .what = "median",
	    .f = { .kind = ORDERED_MEDIAN, .alpha = { 1, 2 } },
	    .report.mechanism = "sensitivity preprocessing of the median" };
	struct run r = { RUN_OF(sp), .in = &sp.in, .steps = &steps };

	return run(&r, argc, argv);
}
