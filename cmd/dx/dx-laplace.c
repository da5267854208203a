/* dx-laplace: linear queries with noise that a metric allows. */
#include "dx.h"

static const struct tool tool = {
	.name = "dx-laplace",
	.synopsis = "-e E --metric SPEC -q COL -w COL [option ...] "
	    "< CSV\n"
	    "       dx-laplace -e E --metric SPEC -q COL --domain FILE "
	    "[option ...] < CSV\n"
	    "       dx-laplace --plan --metric SPEC -q COL [option ...] "
	    "< CSV\n"
"  sums over people in public places, with noise that a metric allows\n"
"example: dx-laplace -e 1 --metric euclid:x,y -q coast -w people towns.csv",
	.ask = "--domain",
	.rows = {
		UNIVERSE_ROWS,
		{ OPT_STRATEGY, "strategy", "S",
		    "1, 2, 3, opt, joint, tree, cells", OPEN },
		{ OPT_LOSS, "loss", "L",
		    "relative (default), squared, l1, max", OPEN },
		{ OPT_TOTAL, "total", "N",
		    "joint: the public number of records" },
		{ OPT_PLAN, "plan", NULL,
		    "print the scales; needs no counts", OPEN },
	},
	/* a metric says how far a record may move: under swap only */
	.without = { 'g', OPT_GROUPS, OPT_OTHERS, OPT_SLICE, OPT_RANGE,
	    OPT_EPS_COLUMN, OPT_MAX_ROWS, OPT_MAX_GROUPS, OPT_SQL,
	    OPT_GROUPED, OPT_SHARDS },
};

int
main(int argc, char **argv)
{
	static struct dx d = { .opts = OPTS_INIT(&tool), .out = RELEASE_INIT };
	struct run r = { RUN_OF(d), .steps = &dx_steps };

	return run(&r, argc, argv);
}
