/* mwem: private synthetic data by multiplicative weights. */
#include <stdlib.h>

#include "dx/synth/synth.h"
#include "tool/err.h"

static const struct tool tool = {
	.name = "mwem",
	.synopsis = "-e E -q COL -w COL [option ...] < CSV\n"
	    "       mwem -e E --workload W --domain FILE [option ...] < CSV",
	.rows = {
		UNIVERSE_ROWS,
		SYNTH_TOTAL,
		{ 'T', "rounds", "T",
		    "rounds; by default a rule of n, N and |Q|" },
		{ OPT_START, "start", "S",
		    "best, hist, marginals, tree, uniform" },
		{ OPT_LAST, "last", NULL,
		    "the table after the last round (default)" },
		{ OPT_REPLAY, "replay", NULL,
		    "learn from all rounds again (default)" },
		{ OPT_AVERAGE, "average", NULL,
		    "the mean of the rounds' tables" },
		{ OPT_PAPER, "paper", NULL, "Algorithm 2 as it is written" },
		{ OPT_MECHANISM, "mechanism", "M",
		    "permute-and-flip (default), exponential" },
		{ OPT_SAMPLE, "sample", "M",
		    "M synthetic records instead of counts" },
	},
	.with = { OPT_PEOPLE, OPT_PER, OPT_MAX_ROWS, OPT_UNIT_SORTED },
	.without = { 'g', OPT_GROUPS, OPT_WITHIN, OPT_SLICE },
};

int
main(int argc, char **argv)
{
	struct synth s = { .opts = OPTS_INIT(&tool), .out = RELEASE_INIT,
	    .kind = SELECT_FLIP, .start = SYNTH_BEST };
	int c;

	s.report.mechanism = "MWEM under a metric";
	s.report.noise = "counts of all cells with exact discrete Laplace "
	    "noise of scale 2/(E min d); or of marginals or intervals; or T "
	    "rounds: a query by weight exp(score / 4cT), its answer with such "
	    "noise of scale 2cT; whichever has the smallest expected error";
	while ((c = opts_next(&s.opts, argc, argv)) != -1)
		synth_take(&s, c);
	synth_check(&s);
	synth_mwem(&s);
	return STATUS_OK;
}
