/* mwem: private synthetic data by multiplicative weights. */
#include "dx/synth/synth.h"

static const struct tool tool = {
	.name = "mwem",
	.synopsis = "-e E -q COL -w COL [option ...] < CSV\n"
	    "       mwem -e E --workload W --domain FILE [option ...] < CSV\n"
"  a synthetic table for many questions\n"
"example: mwem -e 1 --domain 'sex=F,M;age=0..99/10' "
"--workload marginal:2 p.csv",
	.ask = "--domain",
	.rows = {
		UNIVERSE_ROWS,
		SYNTH_TOTAL,
		{ 'T', "rounds", "T",
		    "rounds; by default a rule of n, N and |Q|", OPEN },
		{ OPT_START, "start", "S",
		    "best, hist, map, marginals, tree, uniform", OPEN },
		{ OPT_LAST, "last", NULL,
		    "the table after the last round (default)", OPEN },
		{ OPT_REPLAY, "replay", NULL,
		    "learn from all rounds again (default)", OPEN },
		{ OPT_PAPER, "paper", NULL,
		    "Algorithm 2 as it is written", OPEN },
		{ OPT_MECHANISM, "mechanism", "M",
		    "permute-and-flip (default), exponential", OPEN },
		{ OPT_WIDE, "wide", NULL, "attributes and pairs alone", OPEN },
		{ OPT_ZEROS, "zeros", NULL, "rows of count 0, too", OPEN },
		{ OPT_SAMPLE, "sample", "M",
		    "M synthetic records instead of counts", OPEN },
	},
	.without = { 'g', OPT_GROUPS, OPT_WITHIN, OPT_SLICE, OPT_RANGE,
	    OPT_INTERVAL, OPT_MAX_ROWS, OPT_MAX_GROUPS, OPT_SQL,
	    OPT_GROUPED, OPT_SHARDS },
};

int
main(int argc, char **argv)
{
	static struct synth s = { .opts = OPTS_INIT(&tool), .out = RELEASE_INIT,
	    .kind = SELECT_FLIP, .u.wide = true };
	struct run r = { RUN_OF(s), .steps = &synth_mwem };

	s.report.mechanism = "MWEM under a metric";
	return run(&r, argc, argv);
}
