/* sp-exec: any function of at most 20 records, given as a command. */
#include <stdlib.h>
#include <unistd.h>

#include "records.h"
#include "tool/err.h"

static const struct tool tool = {
	.name = "sp-exec",
	.synopsis = "-e E --range A:B --size N [option ...] -- CMD "
	    "[ARG ...] < CSV\n"
	    "       sp-exec -e E -s S -m CENTER[,CENTER] [option ...] -- CMD "
	    "[ARG ...] < CSV",
	.example = "sp-exec -e 4 -c pay --range 0:90 --size 8 "
	    "-- python3 gini.py < pay.csv",
	.rows = {
		SP_ROWS,
		SP_CENTERS,
		SP_OWN_EPSILON,
		{ OPT_SENS_COLUMN, "sensitivity-column", "COL",
		    "a record's own S, at most the public one" },
	},
	.with = { OPT_INTERVAL },
	.without = { 'w', 'g', OPT_GROUPS },
};

static void
take_options(struct sp *sp, int argc, char **argv)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int c;

	sp->opts.threads = cores < 1 ? 1 : (unsigned)cores;
	while ((c = opts_next(&sp->opts, argc, argv)) != -1)
		sp_take(sp, c);
}

static void
check(struct sp *sp)
{
	struct opts *o = &sp->opts;

	sp->report.mechanism = "sensitivity preprocessing of a command over "
	    "all subsets";
	if (o->noperands == 0 && !o->check && !o->explain)
		die(STATUS_USAGE, "no command given (-- CMD [ARG ...])");
	report_note(&sp->report, "records", "at most %d, a public promise",
	    SUBSETS_MAX);
	sp_check(sp);
}

int
main(int argc, char **argv)
{
	struct sp sp = { .opts = OPTS_INIT(&tool), .may_pair = true,
	    .command = true };
	struct records r;
	int64_t *value;

	take_options(&sp, argc, argv);
	check(&sp);
	sp.in = (struct intake){ .o = &sp.opts, .groups = 1 };
	sp_draw(&sp);
	records_read(&r, &sp, sp.sens_column, sp.opts.own_column);
	value = records_value(&r);
	sp.in.table = r.table;
	records_free(&r);
	sp_write(&sp, value);
	return STATUS_OK;
}
