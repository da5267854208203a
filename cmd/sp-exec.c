/* sp-exec: any function of at most 20 records, given as a command. */
#include <stdlib.h>
#include <unistd.h>

#include "err.h"
#include "exec.h"
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

/* A number of the command clamped to its --range, if there is one. */
static int64_t
clamp(const struct sp *sp, size_t part, int64_t x)
{
	const struct range *r = opts_range(&sp->opts, part);
	int64_t lo = -FIXED_MAX, hi = FIXED_MAX;

	if (r != NULL && rational_grid(r->lo, sp->report.digits,
	    FIXED_NEAREST, &lo) && rational_grid(r->hi, sp->report.digits,
	    FIXED_NEAREST, &hi))
		return fixed_clamp(x, lo, hi);
	return x;
}

/* The command on every subset, preprocessed: the value of all records. */
static int64_t *
compute(const struct sp *sp, struct records *r)
{
	size_t all = ((size_t)1 << r->n) - 1, p, s;
	int64_t *value = err_alloc(NULL, sp->parts, sizeof(*value));
	int64_t *f[2] = { NULL, NULL };
	char **argv = err_alloc(NULL, sp->opts.noperands + 1, sizeof(*argv));
	struct exec e = { argv, { r->head.buf, r->head.len }, r->line,
	    r->number, r->n, sp->opts.threads, sp->parts, sp->report.digits };

	for (s = 0; s < sp->opts.noperands; s++)
		argv[s] = sp->opts.operands[s];
	argv[s] = NULL;
	for (p = 0; p < sp->parts; p++) {
		f[p] = err_alloc(NULL, all + 1, sizeof(**f));
		f[p][0] = sp->center[p];
	}
	exec_subsets(&e, f);
	for (p = 0; p < sp->parts; p++)
		for (s = 1; s <= all; s++)
			f[p][s] = clamp(sp, p, f[p][s]);
	if (sp->parts == 1)
		subsets_value(f[0], r->sens, r->n);
	else
		subsets_joint(f[0], f[1], r->sens, r->n);
	for (p = 0; p < sp->parts; p++) {
		value[p] = f[p][all];
		free(f[p]);
	}
	free(argv);
	return value;
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
	value = compute(&sp, &r);
	sp.in.o = &sp.opts;
	sp.in.table = r.table;
	records_free(&r);
	sp_draw(&sp);
	sp_write(&sp, value);
	return STATUS_OK;
}
