/*
 * run: the steps of a release, in the order of all tools.
 *
 * Randomness has three streams: coins of records and coins of people are drawn
 * while records are read (intake.c), and noise afterwards, in public order, one
 * release after another.  A block of random bytes is there before the charge,
 * so that a machine without entropy is no death that was paid for.
 */
#include "run.h"

#include <stdlib.h>
#include <unistd.h>

#include "engine.h"
#include "input/table.h"
#include "tool/burden.h"
#include "tool/digest.h"
#include "tool/err.h"

/* --sql ends here; --grouped goes on where the rows are its own. */
static void
run_engine(const struct run *r, const struct intake_use *use)
{
	if (r->opts->sql != NULL)
		engine_print(r->in, use);
	if (r->opts->grouped)
		engine_agree(r->in, use);
}

/* The table's columns: --group's, then the answers'. */
static void
run_declare(struct run *r)
{
	if (r->steps->declare == NULL)
		return;
	release_table(r->out, r->report);
	for (size_t i = 0; r->in != NULL && i < r->in->keys.width; i++)
		release_group(r->out, intake_group_column(r->in, i));
	r->steps->declare(r->tool);
	release_header(r->out);
}

/* A row for each group of a release. */
static void
run_groups(struct run *r, uint64_t rel)
{
	size_t width = r->out->answers, groups = r->in->groups;
	struct answer *a = err_alloc(NULL, groups, width * sizeof(*a));
	double n = r->out->n;

	release_begin(r->out);
	for (size_t g = 0; g < groups; g++)
		r->steps->answers(r->tool, rel, g, a + g * width);
	if (r->out->follows)
		release_follow(r->out, a, groups);
	for (size_t g = 0; g < groups; g++)
		release_row(r->out, rel, intake_group_parts(r->in, g),
		    a + g * width);
	r->out->n = n;		/* the next release has draws of its own */
	free(a);
}

static void
run_answer(struct run *r)
{
	if (r->steps->ask != NULL)
		r->steps->ask(r->tool);
	run_declare(r);
	for (uint64_t rel = 1; rel <= r->opts->repeat; rel++)
		if (r->steps->rows == NULL || !r->steps->rows(r->tool, rel))
			run_groups(r, rel);
}

/* --- the charge, before the first record, and the release ---------------- */

/* Without epsilon nobody knows the cost yet: no amount. */
static void
run_request(struct charge *q, const struct report *r,
    char digest[DIGEST_TEXT])
{
	const struct opts *o = r->opts;
	const struct bound_terms terms = { .metric = r->metric,
	    .domain = r->domain, .public = r->fixed,
	    .slices = o->slice.column, .stated = r->stated };
	struct text options = TEXT_INIT, report = TEXT_INIT;

	*q = (struct charge){ .tool = o->tool->name, .to = o->charge,
	    .slice = o->slice };
	bounds_take(&q->bounds, o, &terms);
	opts_record(o, &options);
	q->options = text_string(&options);
	q->command = opts_command(o);
	q->secret = opts_secret(o);
	if (o->schema != NULL && o->schema->text.len > 0)
		q->schema = digest_bytes(o->schema->text.buf,
		    o->schema->text.len, digest);
	report_print(r, &report, FORMAT_JSON);
	report.buf[report.len - 1] = '\0';
	q->report = report.buf;
	if (r->eps.den > 0)
		q->amount = account_times(r->eps, o->repeat);
}

/* Ends the program where the answer is not "charge". */
static void
run_heed(const struct opts *o, enum ledger_answer answer, struct text *said)
{
	if (answer == LEDGER_REFUSED)
		err_die(STATUS_REFUSED, "refused: %s", text_string(said));
	if (answer == LEDGER_STORED) {
		text_output(said->buf, said->len);
		if (isatty(STDERR_FILENO))
			err_warn("this is the answer that the ledger keeps for "
			    "--release-id %s; no input was read", o->charge.id);
		exit(STATUS_OK);
	}
	text_free(said);
}

static void
run_ask(struct run *r, enum ledger_answer (*ask)(struct ledger *l,
    const struct charge *c, struct text *said))
{
	char digest[DIGEST_TEXT];
	struct text said = TEXT_INIT;
	struct charge q;

	run_request(&q, r->report, digest);
	run_heed(r->opts, ask(r->ledger, &q, &said), &said);
	free(q.options);
	free(q.command);
	free(q.secret);
	free(q.report);
	bounds_free(&q.bounds);
}

/* Before the first record, which may not say what it costs to ask. */
static void
run_charge(void *arg)
{
	struct run *r = arg;

	if (r->report->eps.den == 0)
		err_die(STATUS_USAGE, "the records say here which epsilon "
		    "--within takes, and a ledger is charged before they are "
		    "read: -e E, or a universe of its own (--domain FILE)");
	run_ask(r, ledger_charge);
	r->charged = true;
}

/*
 * Prints --explain and exits; or opens the ledger and asks it, before the
 * header is read, as a budget may say that there is none.  A retry of a stored
 * release prints the stored bytes and exits; a refusal by the ledger is status
 * 3.  From here on the ledger is charged before the first record is read
 * (table_first), when the header and all that is public have been looked at.
 * Where epsilon is found in a public universe the ledger is asked again;
 * without epsilon it answers a retry only.
 */
static void
run_ledger(struct run *r)
{
	if (r->opts->check || r->opts->sql != NULL)
		return;
	if (r->opts->explain) {
		/* a number for each repeat: what is known without a header */
		burden_bear(r->opts, &(struct burden){
		    .numbers = r->opts->repeat });
		report_explain(r->report);
	}
	if (r->opts->charge.ledger == NULL || r->asked)
		return;
	text_room();
	if (r->ledger == NULL)
		r->ledger = ledger_open(r->opts->charge.ledger);
	run_ask(r, ledger_ask);
	r->asked = r->report->eps.den > 0;
	table_first(run_charge, r);
}

void
run_pay(struct run *r)
{
	if (r->ledger != NULL && !r->charged)
		run_charge(r);
}

/* Status 1 on failure. */
static void
run_settle(struct run *r)
{
	struct text *out = &r->out->text;

	run_pay(r);
	if (r->ledger != NULL) {
		ledger_settle(r->ledger, &r->opts->charge, out);
		ledger_close(r->ledger);
	}
	text_output(out->buf, out->len);
}

/* --- the whole ----------------------------------------------------------- */

int
run(struct run *r, int argc, char **argv)
{
	const struct run_steps *s = r->steps;
	struct intake_use use = { .arg = r->tool };
	int c;

	while ((c = opts_next(r->opts, argc, argv)) != -1)
		s->take(r->tool, c);
	/* the place of a schema, which completes the options */
	s->check(r->tool);
	s->plan(r->tool);
	if (s->waits == NULL || !s->waits(r->tool))
		run_ledger(r);
	s->open(r->tool, &use);
	run_engine(r, &use);
	run_ledger(r);
	/* a source without bytes ends the program here, nothing charged */
	opts_rng(r->opts, r->opts->tool->name, r->rng);
	rng_ready(r->rng);
	if (s->read != NULL)
		s->read(r->tool);
	else
		intake_read(r->in, &use);
	run_answer(r);
	rng_wipe(r->rng);
	run_settle(r);
	if (isatty(STDERR_FILENO) && !r->opts->non_private)
		release_tell(r->out);
	if (s->end != NULL)
		s->end(r->tool);
	if (r->in != NULL)
		intake_close(r->in);
	return STATUS_OK;
}
