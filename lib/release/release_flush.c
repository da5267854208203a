/* release_flush: the ledger is charged, then the release is printed. */
#include "release.h"

#include <stdlib.h>

#include "ledger/ledger.h"
#include "tool/err.h"

/* The request to the ledger, with the texts that the charge points to. */
struct request {
	struct charge charge;
	struct text options, report;
	struct bound_set bounds;
};

/* Without epsilon nobody knows the cost. */
static void
make_request(struct request *q, const struct report *r)
{
	const struct opts *o = r->opts;
	const struct bound_terms terms = { .metric = r->metric,
	    .domain = r->domain, .public = r->fixed,
	    .slices = o->slice_column, .stated = r->stated };

	*q = (struct request){ .options = TEXT_INIT, .report = TEXT_INIT };
	bounds_take(&q->bounds, o, &terms);
	opts_record(o, &q->options);
	text_bytes(&q->options, "", 1);
	report_print(r, &q->report, true);
	q->report.buf[q->report.len - 1] = '\0';
	q->charge = (struct charge){ .tool = o->tool->name, .label = o->label,
	    .dataset = o->dataset != NULL ? o->dataset : LEDGER_DATASET,
	    .account = o->account, .column = o->slice_column,
	    .value = o->slice_value, .bounds = &q->bounds,
	    .options = q->options.buf, .report = q->report.buf,
	    .id = o->release_id };
	if (r->has_eps)
		q->charge.amount = account_times(r->eps, o->repeat);
}

/* Ends the program where the answer is not "charge"; frees. */
static void
heed(enum ledger_answer answer, struct request *q, struct text *said)
{
	if (answer == LEDGER_REFUSED)
		die(STATUS_REFUSED, "refused: %s", text_string(said));
	if (answer == LEDGER_STORED) {
		text_output(said->buf, said->len);
		exit(STATUS_OK);
	}
	text_free(said);
	text_free(&q->options);
	text_free(&q->report);
	bounds_free(&q->bounds);
}

void
release_prepare(struct release *out, const struct report *r)
{
	struct text said = TEXT_INIT;
	struct request q;

	if (r->opts->explain)
		report_explain(r);
	if (r->opts->ledger == NULL)
		return;
	text_room();
	if (out->ledger == NULL)
		out->ledger = ledger_open(r->opts->ledger);
	make_request(&q, r);
	heed((r->has_eps ? ledger_ask : ledger_find)(out->ledger, &q.charge,
	    &said), &q, &said);
}

/*
 * Another job may have spent the budget or used the id since release_prepare;
 * the ledger's word now counts.
 */
static void
charge(struct release *out)
{
	struct text said = TEXT_INIT;
	struct request q;
	enum ledger_answer answer;

	make_request(&q, out->report);
	answer = ledger_charge(out->ledger, &q.charge, &out->text, &said);
	heed(answer, &q, &said);
	ledger_close(out->ledger);
}

void
release_flush(struct release *out)
{
	if (out->ledger != NULL)
		charge(out);
	text_output(out->text.buf, out->text.len);
}
