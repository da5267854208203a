/* laplace: calibrated noise for everyday statistics. */
#include "lap.h"

static const struct tool tool = {
	.name = "laplace",
	.synopsis = "OP -e E [option ...] < CSV\n"
"  everyday statistics with noise that hides any single record\n"
"example: laplace mean -e 0.5 -c age --range 0:120 people.csv\n"
"  count     records, or those with a number in each column of -c\n"
"  stats     count, mean, variance, standard deviation, over a --range\n"
"  sum, mean, cov  of each column (and pair) over a --range\n"
"  ratio     of the sums of two columns over a --range\n"
"  hist      records of each key (--keys), bin (--bins) or of keys\n"
"            that nobody listed (--universe)\n"
"  value     noise on numbers already computed: value -s S -e E NUMBER ...\n"
"  flip, mst, mincut  randomized response; tree and cut of a,b,weight",
	.ask = "count stats sum mean cov ratio hist flip",
	.rows = {
		{ OPT_KEYS, "keys", "FILE",
		    "hist, flip: the public keys, one per line", OPEN },
		{ OPT_BINS, "bins", "A:B:W",
		    "hist: width W; marks 1 to 6 are 1:7:1", OPEN },
		{ OPT_UNIVERSE, "universe", "PATTERN",
		    "keys as a pattern, such as '[0-9]{5}'", OPEN },
		{ 's', "sensitivity", "S", "value: what one record may move" },
		{ OPT_FALSE_KEYS, "false-keys", "F",
		    "keys without a record, expected (0.05)", OPEN },
		{ OPT_SIZE, "size", "N", "mean, cov under swap: the public n" },
		{ OPT_FIT, "fit", NULL,
		    "cov: correlation, slope, intercept", OPEN },
		{ OPT_POPULATION, "population", NULL,
		    "--interval: sampling error included", OPEN },
		{ OPT_VERSUS, "versus", "KEY",
		    "mean: differences from this group", OPEN },
		{ OPT_NORM, "norm", "G",
		    "sum, mean, cov: bound of all columns together", OPEN },
		{ OPT_ESTIMATE, "estimate", NULL,
		    "flip: the unbiased totals", OPEN },
		OPTS_SURVEY,
	},
};

int
main(int argc, char **argv)
{
	static struct lap l = { .opts = OPTS_INIT(&tool), .out = RELEASE_INIT };
	struct run r = { RUN_OF(l), .in = &l.in, .steps = &lap_steps };

	return run(&r, argc, argv);
}
