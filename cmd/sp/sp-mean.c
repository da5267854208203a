/* sp-mean: private mean or trimmed mean by sensitivity preprocessing. */
#include "sp.h"

static const struct tool tool = {
	.name = "sp-mean",
	.synopsis = "-e E --range A:B --size N [option ...] < CSV\n"
	    "       sp-mean -e E -s S -m CENTER[,CENTER] [option ...] < CSV\n"
"  the mean of a column; its noise is known beforehand\n"
"example: sp-mean -e 0.5 -c hours --range 0:100 --size 10000 people.csv",
	.ask = "",
	.rows = {
		SP_ROWS,
		SP_CENTER,
		{ SP_TRIM, "trim", "ALPHA",
		    "drop this part at each end, below 1/2", OPEN },
	},
};

static void
mean_check(void *arg)
{
	struct sp *sp = arg;
	char alpha[FIXED_TEXT];

	if (rational_sign(sp->f.alpha) > 0) {
		sp->report.mechanism =
		    "sensitivity preprocessing of the trimmed mean";
		report_note(&sp->report, "trim", "%s",
		    rational_text(alpha, sp->f.alpha));
		sp->what = "trimmed_mean";
		sp->may_pair = false;
	}
	sp_check(sp);
}

static const struct run_steps steps = { .take = sp_take,
	.check = mean_check, SP_STEPS };

int
main(int argc, char **argv)
{
	static struct sp sp = { .opts = OPTS_INIT(&tool), .what = "mean",
	    .may_pair = true,
	    .f = { .kind = ORDERED_MEAN, .alpha = { 0, 1 } },
	    .report.mechanism = "sensitivity preprocessing of the mean" };
	struct run r = { RUN_OF(sp), .in = &sp.in, .steps = &steps };

	return run(&r, argc, argv);
}
