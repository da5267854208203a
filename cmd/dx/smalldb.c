/* smalldb: a small private database that stands for a large one. */
#include "dx/synth/synth.h"

static const struct tool tool = {
	.name = "smalldb",
	.synopsis = "-e E --records M -q COL -w COL [option ...] < CSV\n"
	    "       smalldb -e E --alpha A --workload W --domain FILE "
	    "[option ...] < CSV\n"
"  a few records that stand for all\n"
"example: smalldb -e 1 --records 5 -q coast -w people -c town towns.csv",
	.ask = "--domain",
	.rows = {
		{ OPT_RECORDS, "records", "M",
		    "the size of the small database", OPEN },
		{ OPT_PAPER, "paper", NULL, "one c for all queries", OPEN },
		{ OPT_ALPHA, "alpha", "A",
		    "accuracy sought, relative to n", OPEN },
		UNIVERSE_ROWS,
		SYNTH_TOTAL,
		{ OPT_BETA, "beta", "B",
		    "accuracy fails with this chance (0.05)", OPEN },
		{ OPT_LIMIT, "limit", "C",
		    "refuse more candidates (10^9 / |Q|)", OPEN },
	},
	.without = { 'g', OPT_GROUPS, OPT_WITHIN, OPT_SLICE, OPT_RANGE,
	    OPT_INTERVAL, OPT_MAX_ROWS, OPT_MAX_GROUPS, OPT_SQL,
	    OPT_GROUPED, OPT_SHARDS },
};

int
main(int argc, char **argv)
{
	static struct synth s = { .opts = OPTS_INIT(&tool), .out = RELEASE_INIT,
	    .beta = { 1, 20 }, .zeros = true };
	struct run r = { RUN_OF(s), .steps = &synth_smalldb };

	s.report.mechanism = "small database mechanism under a metric";
	s.report.noise = "a multiset y of m elements with weight "
	    "exp(-max |q(x) - (n/m) q(y)| / 2c), drawn exactly";
	return run(&r, argc, argv);
}
