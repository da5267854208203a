/* sp-exec: any function, given as a command. */
#include "exec.h"
#include "records.h"
#include "tool/err.h"

#define SECONDS 60	/* for a run, by default */

static const struct tool tool = {
	.name = "sp-exec",
	.synopsis = "-e E --blocks K --range A:B [option ...] -- CMD "
	    "[ARG ...] < CSV\n"
	    "       sp-exec -e E --range A:B --size N [option ...] -- CMD "
	    "[ARG ...] < CSV\n"
	    "       sp-exec -e E -s S -m CENTER[,CENTER] [option ...] -- CMD "
	    "[ARG ...] < CSV\n"
"  any command as a statistic, run on blocks of the records\n"
"example: sp-exec -e 1 -c pay --blocks 99 --range 0:1 -- sh gini.sh < pay.csv",
	.rows = {
		{ OPT_BLOCKS, "blocks", "K",
		    "run CMD once on each of K secret parts" },
		{ OPT_TIMEOUT, "timeout", "T",
		    "seconds that a run may take; default 60" },
		SP_ROWS,
		SP_CENTER,
		{ OPT_SENS_COLUMN, "sensitivity-column", "COL",
		    "a record's own S, at most the public one" },
	},
	.without = { 'w', OPT_EXPECT_WEIGHT, 'g', OPT_GROUPS, OPT_OTHERS,
	    OPT_PER, OPT_MAX_ROWS, OPT_MAX_GROUPS, OPT_UNIT_SORTED, OPT_SQL,
	    OPT_GROUPED, OPT_SHARDS },
};

/* The tool: common members, and the records. */
static struct records all;

static void
exec_check(void *arg)
{
	struct sp *sp = arg;
	struct opts *o = &sp->opts;

	sp->report.mechanism = "sensitivity preprocessing of a command over "
	    "all subsets";
	OPTS_REFUSE(
		{ o->noperands == 0 && !o->explain && (sp->blocks > 0 ||
		    !o->check), "no command given (-- CMD [ARG ...])" });
	if (o->noperands > 0)
		exec_find(o->operands[0]);
	if (sp->timeout == 0)
		sp->timeout = SECONDS * 1000;
	if (sp->blocks > 0) {
		blocks_check(sp);
		return;
	}
	sp_check(sp);
	OPTS_REFUSE(
		{ o->unit.column != NULL, "--unit needs --blocks K: a person "
		    "draws a block" });
	if (o->charge.ledger != NULL && o->own_column != NULL)
		err_die(STATUS_USAGE, "with a ledger the first %d records are "
		    "taken, and where one goes another may come: no "
		    "--epsilon-column", SUBSETS_MAX);
	report_note(&sp->report, "records", o->charge.ledger == NULL ?
	    "at most %d, a public promise" : "the first %d; where one goes "
	    "another may come, so the noise is for two", SUBSETS_MAX);
}

static void
exec_plan(void *arg)
{
	struct sp *sp = arg;

	if (sp->blocks > 0)
		blocks_plan(sp);
	else
		sp_plan(sp);
}

static void
exec_open(void *arg, struct intake_use *use)
{
	struct sp *sp = arg;

	(void)use;
	sp->value = err_alloc(NULL, SP_PARTS, sizeof(*sp->value));
	records_open(&all, sp);
	sp->in = (struct intake){ .o = &sp->opts, .groups = 1,
	    .table = all.table };
}

static void
exec_read(void *arg)
{
	(void)arg;
	records_read(&all);
}

static void
exec_ask(void *arg)
{
	struct sp *sp = arg;

	if (sp->blocks > 0)
		blocks_run(&all);
	else
		records_value(&all, sp->value);
}

static void
exec_answers(void *arg, uint64_t rel, size_t g, struct answer *answer)
{
	struct sp *sp = arg;

	if (sp->blocks > 0)
		blocks_answers(&all, answer);
	else
		sp_answers(sp, rel, g, answer);
}

static const struct run_steps steps = { .take = sp_take,
	.check = exec_check, .plan = exec_plan, .open = exec_open,
	.read = exec_read, .ask = exec_ask, .declare = sp_declare,
	.answers = exec_answers };

int
main(int argc, char **argv)
{
	static struct sp sp = { .opts = OPTS_INIT(&tool), .may_pair = true,
	    .command = true };
	struct run r = { RUN_OF(sp), .in = &sp.in, .steps = &steps };

	return run(&r, argc, argv);
}
