/* sp-var: private variance by sensitivity preprocessing. */
#include "sp.h"
#include "tool/err.h"

static const struct tool tool = {
	.name = "sp-var",
	.synopsis = "-e E --range A:B --size N [option ...] < CSV\n"
	    "       sp-var -e E -s S [option ...] < CSV\n"
"  the variance of a column; its noise is known beforehand\n"
"example: sp-var -e 0.5 -c age --range 0:100 --size 10000 people.csv",
	.ask = "",
	.rows = { SP_ROWS },
};

int
main(int argc, char **argv)
{
	static struct sp sp = { .opts = OPTS_INIT(&tool), .what = "var",
	    .squared = true };
	int c;

	while ((c = opts_next(&sp.opts, argc, argv)) != -1)
		sp_take(&sp, c);

	sp.report.mechanism = "sensitivity preprocessing of the variance";
	sp_check(&sp);
	sp_read(&sp);
	sp_write(&sp, sp_values(&sp, (struct ordered){ 0 }));
	return STATUS_OK;
}
