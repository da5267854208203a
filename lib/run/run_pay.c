/*
 * run_pay: the ledger is charged before the first record is read, and the
 * release is printed when it is settled.
 */
#include "run.h"

#include <stdlib.h>
#include <unistd.h>

#include "input/table.h"
#include "ledger/ledger.h"
#include "tool/burden.h"
#include "tool/digest.h"
#include "tool/err.h"

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

void
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

void
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
