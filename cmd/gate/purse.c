/* purse: the policy's budget, what is open in it, and what is kept of it. */
#include <syslog.h>

#include "gate.h"
#include "ledger/ledger_chain.h"
#include "ledger/ledger_sql.h"

#define SHARES 1000		/* least releases by an account */

/*
 * While a row is looked at the file has a reader, so that no program can settle
 * an entry; and a program lets its lock go after that.  So an open entry that
 * nobody holds has no program.
 */
int64_t
gate_left_open(struct ledger *l, const struct charge_to *to)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_OPEN_ENTRIES, "dataset",
	    to->dataset, "account", to->account, NULL);
	int64_t number = 0;

	while (number == 0 && sql_row(l, q))
		if (!ledger_held(l, sql_number(q, "number")))
			number = sql_number(q, "number");
	sqlite3_finalize(q);
	return number;
}

void
gate_refuse_open(const struct policy *p)
{
	struct ledger *l = ledger_open(p->line[POLICY_LEDGER]);

	if (gate_left_open(l, &p->to) > 0)
		err_die(STATUS_REFUSED, "refused: an earlier release was "
		    "charged and did not finish; the curator must look at it "
		    "and settle it (dp-budget settle) before there are further "
		    "answers");
	ledger_close(l);
}

void
gate_remember(const struct policy *p, struct ledger *l)
{
	char last[DIGEST_TEXT];

	syslog(LOG_AUTH | LOG_INFO, "ledger %s: %s", p->line[POLICY_LEDGER],
	    chain_last(l, last));
	if (p->line[POLICY_WITNESS] != NULL &&
	    !witness_add(l, p->line[POLICY_WITNESS]))
		syslog(LOG_AUTH | LOG_WARNING, "witness %s: no room",
		    p->line[POLICY_WITNESS]);
}

struct ledger *
gate_purse(const struct policy *p, struct purse *purse)
{
	struct charge c = { .to = p->to };
	struct ledger *l = ledger_open(p->line[POLICY_LEDGER]);

	ledger_purse(l, &c, purse);
	return l;
}

struct rational
gate_least(const struct policy *p, const struct purse *purse)
{
	struct rational least;

	if (p->least.num > 0 || !rational_mul(&least, purse->share,
	    (struct rational){ 1, SHARES }))
		return p->least;
	return least;
}

const struct schema *
gate_schema(const struct policy *p)
{
	const char *ledger = p->line[POLICY_LEDGER];
	struct text text = TEXT_INIT;

	if (!ledger_schema(ledger, p->to.dataset, &text))
		return NULL;
	return schema_keep(schema_text(ledger, text));
}
