/* mwem: private synthetic data by multiplicative weights. */
#include <stdlib.h>

#include "dx/synth/synth.h"
#include "tool/err.h"

static const int without[] = { 'g', OPT_GROUPS, OPT_WITHIN, 0 };

static const struct opt rows[] = {
	UNIVERSE_ROWS,
	SYNTH_TOTAL,
	{ 'T', "rounds", "T", "rounds; by default a rule of n, N and |Q|" },
	{ OPT_AVERAGE, "average", NULL, "the mean of all rounds (default)" },
	{ OPT_LAST, "last", NULL, "the histogram after the last round" },
	{ OPT_REPLAY, "replay", NULL, "learn again from all past rounds" },
	{ OPT_MECHANISM, "mechanism", "M",
	    "permute-and-flip (default), exponential" },
	{ OPT_SAMPLE, "sample", "M", "M synthetic records instead of counts" },
};

int
main(int argc, char **argv)
{
	struct synth s = { .opts = OPTS_INIT, .out = RELEASE_INIT,
	    .kind = SELECT_FLIP };
	int c;

	s.opts.tool = "mwem";
	s.opts.synopsis = "-e E -q COL -w COL [option ...] < CSV\n"
	    "       mwem -e E --workload W --domain FILE [option ...] < CSV";
	s.opts.own = rows;
	s.opts.owns = sizeof(rows) / sizeof(rows[0]);
	s.opts.without = without;
	s.report.mechanism = "MWEM under a metric";
	s.report.noise = "T rounds: a query by permute-and-flip with weight "
	    "exp(score / 4cT), its answer with exact discrete Laplace noise "
	    "of scale 2cT";
	while ((c = opts_next(&s.opts, argc, argv)) != -1)
		synth_take(&s, c);
	if (s.kind == SELECT_EXPONENTIAL)
		s.report.noise = "T rounds: a query by the exponential "
		    "mechanism with weight exp(score / 4cT), its answer with "
		    "exact discrete Laplace noise of scale 2cT";
	synth_check(&s);
	synth_mwem(&s);
	return STATUS_OK;
}
