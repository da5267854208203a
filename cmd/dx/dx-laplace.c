/* dx-laplace: linear queries with noise that a metric allows. */
#include <stdlib.h>

#include "dx.h"
#include "tool/err.h"

static const int with[] = { OPT_INTERVAL, 0 };
static const int without[] = { 'g', OPT_GROUPS, 0 };

static const struct opt rows[] = {
	UNIVERSE_ROWS,
	{ OPT_STRATEGY, "strategy", "S",
	    "1, 2, 3, opt (default), joint or tree" },
	{ OPT_LOSS, "loss", "L", "relative (default), squared, l1, max" },
	{ OPT_TOTAL, "total", "N", "joint: the public number of records" },
	{ OPT_PLAN, "plan", NULL, "print the scales; needs no counts" },
	{ OPT_PLOT, "plot", "FILE", "--plan: draw the improvement factors" },
};

int
main(int argc, char **argv)
{
	struct dx d = { .opts = OPTS_INIT, .out = RELEASE_INIT };
	int c;

	d.opts.tool = "dx-laplace";
	d.opts.synopsis = "-e E --metric SPEC -q COL -w COL [option ...] "
	    "< CSV\n"
	    "       dx-laplace -e E --metric SPEC -q COL --domain FILE "
	    "[option ...] < CSV\n"
	    "       dx-laplace --plan --metric SPEC -q COL [option ...] "
	    "< CSV";
	d.opts.own = rows;
	d.opts.owns = sizeof(rows) / sizeof(rows[0]);
	d.opts.with = with;
	d.opts.without = without;
	while ((c = opts_next(&d.opts, argc, argv)) != -1)
		dx_take(&d, c);
	dx_check(&d);
	dx_read(&d);
	dx_write(&d);
	return STATUS_OK;
}
