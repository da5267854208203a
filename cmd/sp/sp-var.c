/* sp-var: private variance by sensitivity preprocessing. */
#include "sp.h"

static const struct tool tool = {
	.name = "sp-var",
	.synopsis = "-e E --range A:B --size N [option ...] < CSV\n"
	    "       sp-var -e E -s S [option ...] < CSV\n"
"  the variance of a column; its noise is known beforehand\n"
"example: sp-var -e 0.5 -c age --range 0:100 --size 10000 people.csv",
	.ask = "",
	.rows = { SP_ROWS },
};

static const struct run_steps steps = { .take = sp_take,
	.check = sp_check, SP_STEPS };

int
main(int argc, char **argv)
{
	static struct sp sp = { .opts = OPTS_INIT(&tool), .what = "var",
	    .squared = true,
	    .report.mechanism = "sensitivity preprocessing of the variance" };
	struct run r = { RUN_OF(sp), .in = &sp.in, .steps = &steps };

	return run(&r, argc, argv);
}
