/* release_flush: the ledger is charged, then the release is printed. */
#include "release.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/ledger.h"
#include "tool/err.h"

/* What is asked of the ledger, with the texts it points to. */
struct request {
	struct charge charge;
	struct text options, report;
};

static void
make_request(struct request *q, const struct report *r)
{
	const struct opts *o = r->opts;

	*q = (struct request){ .options = TEXT_INIT,
	    .report = TEXT_INIT };
	opts_record(o, &q->options);
	text_bytes(&q->options, "", 1);
	report_print(r, &q->report, true);
	q->report.buf[q->report.len - 1] = '\0';
	q->charge = (struct charge){ .tool = o->tool, .label = o->label,
	    .dataset = o->dataset != NULL ? o->dataset : LEDGER_DATASET,
	    .options = q->options.buf, .report = q->report.buf,
	    .id = o->release_id };
}

/* What it will cost, for which epsilon must be known. */
static void
set_amount(struct request *q, const struct report *r)
{
	if (!account_times(&q->charge.amount, r->eps, r->opts->repeat))
		die(STATUS_USAGE, "the charge has too many digits");
}

static void
free_request(struct request *q)
{
	free(q->options.buf);
	free(q->report.buf);
}

/* Ends the program where the answer is not "charge". */
static void
obey(enum ledger_answer answer, const struct charge *c, const char *stored,
    size_t len)
{
	switch (answer) {
	case LEDGER_OK:
		return;
	case LEDGER_STORED:
		text_output(stored, len);
		exit(STATUS_OK);
	case LEDGER_SPENT:
		die(STATUS_REFUSED, "refused: the budget of data set '%s' "
		    "does not cover this charge", c->dataset);
	default:
		die(STATUS_REFUSED, "refused: release '%s' was made with "
		    "other options", c->id);
	}
}

void
release_retry(struct release *out, const struct report *r)
{
	struct request q;
	enum ledger_answer answer;
	char *stored = NULL;
	size_t len = 0;

	if (r->opts->ledger == NULL || r->opts->release_id == NULL)
		return;
	out->ledger = ledger_open(r->opts->ledger);
	make_request(&q, r);
	answer = ledger_find(out->ledger, &q.charge, &stored, &len);
	obey(answer, &q.charge, stored, len);
	free_request(&q);
}

void
release_prepare(struct release *out, const struct report *r)
{
	struct request q;
	enum ledger_answer answer;
	char *stored = NULL;
	size_t len = 0;

	if (r->opts->explain)
		report_explain(r);
	if (r->opts->ledger == NULL)
		return;
	if (out->ledger == NULL)
		out->ledger = ledger_open(r->opts->ledger);
	make_request(&q, r);
	set_amount(&q, r);
	answer = ledger_ask(out->ledger, &q.charge, &stored, &len);
	obey(answer, &q.charge, stored, len);
	free_request(&q);
}

/*
 * Another job may have spent the budget or used the id since release_prepare;
 * the ledger's word now is the one that counts.
 */
static void
charge(struct release *out)
{
	struct request q;
	enum ledger_answer answer;
	char *bytes = out->text.buf;
	size_t len = out->text.len;

	make_request(&q, out->report);
	set_amount(&q, out->report);
	answer = ledger_charge(out->ledger, &q.charge, &bytes, &len);
	obey(answer, &q.charge, bytes, len);
	ledger_close(out->ledger);
	free_request(&q);
}

void
release_flush(struct release *out)
{
	if (out->ledger != NULL)
		charge(out);
	text_output(out->text.buf, out->text.len);
	text_free(&out->text);
	free(out->head);
	free(out->tail);
	for (size_t i = 0; i < out->labels + out->answers; i++) {
		free(out->column[i].name);
		free(out->column[i].tail);
	}
	free(out->column);
	*out = (struct release)RELEASE_INIT;
}
