/* sp-median: private median or quantile by sensitivity preprocessing. */
#include "sp.h"
#include "tool/err.h"

enum { OPT_QUANTILE = 'q' };

static const struct tool tool = {
	.name = "sp-median",
	.synopsis = "-e E --range A:B --size N [option ...] < CSV\n"
	    "       sp-median -e E -s S -m CENTER [option ...] < CSV\n"
"  the median of a column; its noise is known beforehand\n"
"example: sp-median -e 0.5 -c age --range 0:120 --size 10000 people.csv",
	.ask = "",
	.rows = {
		SP_ROWS,
		SP_CENTER,
		{ OPT_QUANTILE, "quantile", "Q",
		    "the Q-quantile, 0 (minimum) to 1", OPEN },
	},
};

int
main(int argc, char **argv)
{
	static struct sp sp = { .opts = OPTS_INIT(&tool), .what = "median" };
	struct ordered f = { .kind = ORDERED_MEDIAN, .alpha = { 1, 2 } };
	char alpha[FIXED_TEXT], percentile[FIXED_TEXT];
	int c;

	while ((c = opts_next(&sp.opts, argc, argv)) != -1)
		if (c == OPT_QUANTILE)
			f = (struct ordered){ .kind = ORDERED_QUANTILE,
			    .alpha = opts_part("--quantile", optarg, true) };
		else
			sp_take(&sp, c);

	sp.report.mechanism = "sensitivity preprocessing of the median";
	if (f.kind == ORDERED_QUANTILE) {
		sp.report.mechanism =
		    "sensitivity preprocessing of a quantile";
		report_note(&sp.report, "quantile", "%s",
		    rational_text(alpha, f.alpha));
		sp.what = answer_percentile(percentile, f.alpha);
	}
	sp_check(&sp);
	sp_read(&sp);
	sp_write(&sp, sp_values(&sp, f));
	return STATUS_OK;
}
