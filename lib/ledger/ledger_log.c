/* ledger_log: what a ledger holds. */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

#include "ledger_sql.h"
#include "tool/err.h"

struct ledger_budget *
ledger_budgets(struct ledger *l)
{
	sqlite3_stmt *q = sql_prepare(l, "SELECT dataset, total, spent, "
	    "(SELECT count(*) FROM charge c WHERE c.dataset = b.dataset) "
	    "FROM budget b ORDER BY dataset");
	struct ledger_budget *first = NULL, **end = &first, *b;

	while (sql_row(l, q)) {
		b = err_alloc(NULL, 1, sizeof(*b));
		b->dataset = strdup(sql_column(l, q, 0));
		if (b->dataset == NULL)
			die(STATUS_INPUT, "out of memory");
		b->account.total = sql_rational(l, q, 1);
		b->account.spent = sql_rational(l, q, 2);
		b->releases = (uint64_t)l->sqlite->column_int64(q, 3);
		b->next = NULL;
		*end = b;
		end = &b->next;
	}
	l->sqlite->finalize(q);
	return first;
}

void
ledger_free_budgets(struct ledger_budget *b)
{
	struct ledger_budget *next;

	for (; b != NULL; b = next) {
		next = b->next;
		free(b->dataset);
		free(b);
	}
}

void
ledger_log(struct ledger *l,
    void (*entry)(void *arg, const struct ledger_entry *e), void *arg)
{
	sqlite3_stmt *q = sql_prepare(l, "SELECT number, time, dataset, "
	    "tool, amount, label, id, report FROM charge ORDER BY number");
	struct ledger_entry e;

	while (sql_row(l, q)) {
		e.number = l->sqlite->column_int64(q, 0);
		e.time = sql_column(l, q, 1);
		e.dataset = sql_column(l, q, 2);
		e.tool = sql_column(l, q, 3);
		e.amount = sql_rational(l, q, 4);
		e.label = (const char *)l->sqlite->column_text(q, 5);
		e.id = (const char *)l->sqlite->column_text(q, 6);
		e.report = sql_column(l, q, 7);
		entry(arg, &e);
	}
	l->sqlite->finalize(q);
}
