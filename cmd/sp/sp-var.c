/* sp-var: private variance by sensitivity preprocessing. */
#include "sp.h"
#include "tool/err.h"

static const int with[] = { OPT_INTERVAL, OPT_OTHERS, OPT_STRICT_CSV,
	OPT_PEOPLE, OPT_PER, OPT_MAX_ROWS, OPT_UNIT_SORTED, 0 };

static const struct opt rows[] = { SP_ROWS, SP_OWN_EPSILON };

int
main(int argc, char **argv)
{
	struct sp sp = { .opts = OPTS_INIT, .what = "var", .squared = true };
	int c;

	sp.opts.tool = "sp-var";
	sp.opts.synopsis = "-e E --range A:B --size N [option ...] < CSV\n"
	    "       sp-var -e E -s S [option ...] < CSV";
	sp.opts.example = "sp-var -e 0.5 -c age --range 0:100 --size 10000 "
	    "< people.csv";
	sp.opts.own = rows;
	sp.opts.owns = sizeof(rows) / sizeof(rows[0]);
	sp.opts.with = with;
	while ((c = opts_next(&sp.opts, argc, argv)) != -1)
		sp_take(&sp, c);

	sp.report.mechanism = "sensitivity preprocessing of the variance";
	sp_check(&sp);
	sp_read(&sp);
	sp_write(&sp, sp_variance(&sp));
	return STATUS_OK;
}
