/* sp-mean: private mean or trimmed mean by sensitivity preprocessing. */
#include "sp.h"
#include "tool/err.h"

enum { OPT_TRIM = SP_OWN };

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
		{ OPT_TRIM, "trim", "ALPHA",
		    "drop this part at each end, below 1/2", OPEN },
	},
};

static const struct rational zero = { 0, 1 }, half = { 1, 2 };

static void
mean_take(void *arg, int code)
{
	struct sp *sp = arg;

	if (code != OPT_TRIM) {
		sp_take(sp, code);
		return;
	}
	sp->f.alpha = opts_rational(OPTARG);
	if (rational_cmp(sp->f.alpha, zero) < 0 ||
	    rational_cmp(sp->f.alpha, half) >= 0)
		err_die(STATUS_USAGE, "--trim '%s' is not from 0 to below 1/2",
		    optarg);
}

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

static const struct run_steps steps = { .take = mean_take,
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
