/*
 * release_flush: the ledger is charged before the first record is read, and
 * the release is printed when it is settled.
 */
#include "release/answer/release.h"

#include <stdlib.h>

#include "input/table.h"
#include "ledger/ledger.h"
#include "tool/err.h"

/* Without epsilon nobody knows the cost yet: no amount. */
static void
release_request(struct charge *q, const struct report *r)
{
	const struct opts *o = r->opts;
	const struct bound_terms terms = { .metric = r->metric,
	    .domain = r->domain, .public = r->fixed,
	    .slices = o->slice.column, .stated = r->stated };
	struct text options = TEXT_INIT, report = TEXT_INIT;
	struct text command = TEXT_INIT;

	*q = (struct charge){ .tool = o->tool->name, .to = o->charge,
	    .slice = o->slice };
	bounds_take(&q->bounds, o, &terms);
	opts_record(o, &options);
	q->options = text_string(&options);
	opts_command(o, &command);
	q->command = text_string(&command);
	q->secret = opts_secret(o);
	report_print(r, &report, FORMAT_JSON);
	report.buf[report.len - 1] = '\0';
	q->report = report.buf;
	if (r->eps.den > 0)
		q->amount = account_times(r->eps, o->repeat);
}

/* Ends the program where the answer is not "charge". */
static void
release_heed(enum ledger_answer answer, struct text *said)
{
	if (answer == LEDGER_REFUSED)
		err_die(STATUS_REFUSED, "refused: %s", text_string(said));
	if (answer == LEDGER_STORED) {
		text_output(said->buf, said->len);
		exit(STATUS_OK);
	}
	text_free(said);
}

static void
release_ask(struct release *out, enum ledger_answer (*ask)(struct ledger *l,
    const struct charge *c, struct text *said))
{
	struct text said = TEXT_INIT;
	struct charge q;

	release_request(&q, out->report);
	release_heed(ask(out->ledger, &q, &said), &said);
	free(q.options);
	free(q.command);
	free(q.secret);
	free(q.report);
	bounds_free(&q.bounds);
}

/* Before the first record, which may not say what it costs to ask. */
static void
release_charge(void *arg)
{
	struct release *out = arg;

	if (out->report->eps.den == 0)
		err_die(STATUS_USAGE, "the records say here which epsilon "
		    "--within takes, and a ledger is charged before they are "
		    "read: -e E, or a universe of its own (--domain FILE)");
	release_ask(out, ledger_charge);
	out->charged = true;
}

void
release_prepare(struct release *out, const struct report *r)
{
	if (r->opts->explain)
		report_explain(r);
	if (r->opts->charge.ledger == NULL)
		return;
	text_room();
	out->report = r;
	if (out->ledger == NULL)
		out->ledger = ledger_open(r->opts->charge.ledger);
	release_ask(out, ledger_ask);
	table_first(release_charge, out);
}

void
release_flush(struct release *out)
{
	if (out->ledger != NULL) {
		if (!out->charged)
			release_charge(out);
		ledger_settle(out->ledger, &out->report->opts->charge,
		    &out->text);
		ledger_close(out->ledger);
	}
	text_output(out->text.buf, out->text.len);
}
