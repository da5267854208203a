/* asm-estimate: private estimates by asymmetric sensitivity. */
#include "estimate.h"

static const struct tool tool = {
	.name = "asm-estimate",
	.synopsis = "METRIC -e E [option ...] < CSV\n"
"  means, sums, variances and losses, where nobody knows a range\n"
"example: asm-estimate sum -e 1 -c income people.csv\n"
"  mean, sum, var  of a column\n"
"  quantile  median or another order statistic (--quantile)\n"
"  mse, mae, rmse  errors of label,prediction\n"
"  bce       binary cross-entropy of label,logit: a sum, not a mean\n"
"  ce        cross-entropy of label,z0,z1,...: a sum, not a mean\n"
"  accuracy  share of right labels, of label,logit or label,z0,z1,...\n"
"  r2        1 - MSE / variance of label,prediction",
	.ask = "mean var quantile sum mse mae rmse bce ce accuracy r2",
	.rows = {
		{ OPT_QUANTILE, "quantile", "Q",
		    "0 (minimum) to 1, default 1/2", OPEN },
		{ OPT_START, "start", "X", "first output, or ceiling", OPEN },
		{ OPT_MECHANISM, "mechanism", "M",
		    "asm, ism, pf or clamp", OPEN },
		{ OPT_PAPER, "paper", NULL, "the setting of the paper", OPEN },
		{ OPT_BETA, "beta", "B", "ratio of outputs, above 1", OPEN },
		{ OPT_SPLIT, "split", "P",
		    "part of E for the threshold", OPEN },
		{ OPT_STEPS, "steps", "C", "distances that are listed", OPEN },
		{ OPT_QUERIES, "queries", "N", "outputs at most", OPEN },
		{ OPT_ASYMMETRY, "asymmetry", NULL,
		    "how asymmetric the data are; NOT private" },
	},
	.without = { OPT_WITHIN },
};

int
main(int argc, char **argv)
{
	static struct estimate e = { .opts = OPTS_INIT(&tool),
	    .out = RELEASE_INIT };
	struct run r = { RUN_OF(e), .in = &e.in, .steps = &estimate_steps };

	return run(&r, argc, argv);
}
