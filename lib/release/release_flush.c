/* release_flush: the ledger is charged, then the release is printed. */
#include "release.h"

#include <stdlib.h>

#include "ledger/ledger.h"
#include "tool/err.h"

/* Without epsilon nobody knows the cost. */
static void
make_request(struct charge *q, const struct report *r)
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
	report_print(r, &report, true);
	report.buf[report.len - 1] = '\0';
	q->report = report.buf;
	if (r->eps.den > 0)
		q->amount = account_times(r->eps, o->repeat);
}

/*
 * Charges the release, or without a release (NULL) asks.  Ends the program
 * where the answer is not "charge".
 */
static void
request(struct release *out, const struct report *r,
    const struct text *release)
{
	struct text said = TEXT_INIT;
	enum ledger_answer answer;
	struct charge q;

	make_request(&q, r);
	answer = release != NULL || r->eps.den > 0 ?
	    ledger_charge(out->ledger, &q, release, &said) :
	    ledger_find(out->ledger, &q, &said);
	if (answer == LEDGER_REFUSED)
		die(STATUS_REFUSED, "refused: %s", text_string(&said));
	if (answer == LEDGER_STORED) {
		text_output(said.buf, said.len);
		exit(STATUS_OK);
	}
	text_free(&said);
	free(q.options);
	free(q.report);
	bounds_free(&q.bounds);
}

void
release_prepare(struct release *out, const struct report *r)
{
	if (r->opts->explain)
		report_explain(r);
	if (r->opts->charge.ledger == NULL)
		return;
	text_room();
	if (out->ledger == NULL)
		out->ledger = ledger_open(r->opts->charge.ledger);
	request(out, r, NULL);
}

void
release_flush(struct release *out)
{
	/* another job may have spent the budget or used the id since
	   release_prepare; the ledger's word now counts */
	if (out->ledger != NULL) {
		request(out, out->report, &out->text);
		ledger_close(out->ledger);
	}
	text_output(out->text.buf, out->text.len);
}
