/* sp-exec: any function of at most 20 records, given as a command. */
#include <stdlib.h>
#include <unistd.h>

#include "err.h"
#include "records.h"

enum { OPT_SENS_COLUMN = SP_OWN, OPT_EPS_COLUMN };

static const struct opt rows[] = {
	SP_ROWS,
	SP_CENTERS,
	{ OPT_SENS_COLUMN, "sensitivity-column", "COL",
	    "a record's own S, at most the public one" },
	{ OPT_EPS_COLUMN, "epsilon-column", "COL",
	    "a record's own epsilon, at most E" },
};

static const int without[] = { 'w', 'g', OPT_GROUPS, 0 };

struct own {
	const char *sens_column;
	const char *eps_column;
};

static void
take_options(struct sp *sp, struct own *own, int argc, char **argv)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int c;

	sp->opts.tool = "sp-exec";
	sp->opts.synopsis = "-e E -s S -m CENTER [option ...] -- CMD [ARG ...] "
	    "< CSV";
	sp->opts.own = rows;
	sp->opts.owns = sizeof(rows) / sizeof(rows[0]);
	sp->opts.without = without;
	sp->opts.threads = cores < 1 ? 1 : (unsigned)cores;
	while ((c = opts_next(&sp->opts, argc, argv)) != -1)
		if (c == OPT_SENS_COLUMN)
			own->sens_column = optarg;
		else if (c == OPT_EPS_COLUMN)
			own->eps_column = optarg;
		else
			sp_take(sp, c);
}

static void
check(struct sp *sp, const struct own *own)
{
	struct opts *o = &sp->opts;

	sp->report.mechanism = "sensitivity preprocessing of a command over "
	    "all subsets";
	if (o->noperands == 0 && !o->check && !o->explain)
		die(STATUS_USAGE, "no command given (-- CMD [ARG ...])");
	if (own->eps_column != NULL && !o->has_eps && !o->has_within &&
	    !o->check)
		die(STATUS_USAGE, "--epsilon-column needs -e E");
	if (own->eps_column != NULL && o->neighbors == NEIGHBORS_SWAP)
		die(STATUS_USAGE, "--epsilon-column is for --neighbors "
		    "add-remove: a swap may bring in a record of another "
		    "epsilon");
	report_note(&sp->report, "records", "at most %d, a public promise",
	    SUBSETS_MAX);
	if (own->sens_column != NULL)
		report_note(&sp->report, "sensitivity_column", "each record "
		    "moves the result by at most its own S");
	if (own->eps_column != NULL)
		report_note(&sp->report, "epsilon_column", "each record has "
		    "its own epsilon, at most the one above");
	sp_check(sp);
}

int
main(int argc, char **argv)
{
	struct sp sp = { .opts = OPTS_INIT, .may_pair = true,
	    .command = true };
	struct own own = { NULL, NULL };
	struct records r;
	int64_t *value;

	take_options(&sp, &own, argc, argv);
	check(&sp, &own);
	records_read(&r, &sp, own.sens_column, own.eps_column);
	value = records_value(&r);
	sp.in.o = &sp.opts;
	sp.in.table = r.table;
	records_free(&r);
	sp_draw(&sp);
	sp_write(&sp, value);
	return STATUS_OK;
}
