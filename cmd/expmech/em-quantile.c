/* em-quantile: private quantiles by a choice among the values of a range. */
#include <stdlib.h>

#include "quantile.h"
#include "tool/err.h"

static const int without[] = { OPT_WITHIN, 0 };
static const int with[] = { OPT_INTERVAL, OPT_OTHERS, OPT_PEOPLE, OPT_PER,
	OPT_MAX_ROWS, OPT_UNIT_SORTED, OPT_STRICT_CSV, 0 };

static const struct opt rows[] = {
	{ 'q', "quantile", "Q[,Q...]", "above 0 and below 1; default 0.5" },
	{ OPT_MECHANISM, "mechanism", "M", "permute-and-flip, exponential" },
};

int
main(int argc, char **argv)
{
	struct quantile q = { .opts = OPTS_INIT, .out = RELEASE_INIT,
	    .kind = SELECT_FLIP };
	int c;

	q.opts.tool = "em-quantile";
	q.opts.synopsis = "-e E --range A:B [-c COL] [-q Q[,Q...]] "
	    "[option ...] < CSV";
	q.opts.own = rows;
	q.opts.owns = sizeof(rows) / sizeof(rows[0]);
	q.opts.without = without;
	q.opts.with = with;
	while ((c = opts_next(&q.opts, argc, argv)) != -1)
		quantile_take(&q, c);
	quantile_check(&q);
	quantile_read(&q);
	quantile_write(&q);
	return STATUS_OK;
}
