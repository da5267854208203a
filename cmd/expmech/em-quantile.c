/* em-quantile: private quantiles by a choice among a range's values. */
#include "quantile.h"

static const struct tool tool = {
	.name = "em-quantile",
	.synopsis = "-e E [-c COL] [--range A:B] [-q Q[,Q...]] "
	    "[option ...] < CSV\n"
"  the median and other quantiles of a column; needs no range\n"
"example: em-quantile -e 0.5 -c income --digits 0 people.csv",
	.ask = "",
	.rows = {
		{ 'q', "quantile", "Q[,Q...]",
		    "above 0 and below 1; default 0.5", OPEN },
		{ OPT_MECHANISM, "mechanism", "M",
		    "permute-and-flip, exponential", OPEN },
		{ OPT_PRIOR, "prior", "P",
		    "uniform with --range, or log: any size alike", OPEN },
		OPTS_SURVEY,
	},
	.without = { OPT_WITHIN },
};

int
main(int argc, char **argv)
{
	static struct quantile q = { .opts = OPTS_INIT(&tool),
	    .out = RELEASE_INIT, .kind = SELECT_FLIP };
	struct run r = { RUN_OF(q), .in = &q.in, .steps = &quantile_steps };

	return run(&r, argc, argv);
}
