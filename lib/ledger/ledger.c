/* ledger: a privacy budget in an SQLite file. */
#include "ledger.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "ledger_sql.h"
#include "tool/err.h"

/* --- opening ----------------------------------------------------------- */

struct ledger *
ledger_open(const char *path)
{
	struct ledger *l;

	if (access(path, R_OK | W_OK) != 0)
		diesys(STATUS_INPUT, "ledger %s%s", path, errno != ENOENT ?
		    "" : " (dp-budget create makes one)");
	l = sql_open(path, SQLITE_OPEN_READWRITE);
	sql_check(l, false);
	return l;
}

void
ledger_close(struct ledger *l)
{
	if (sqlite3_close(l->db) != SQLITE_OK)
		sql_die(l);
}

/* --- stored releases --------------------------------------------------- */

enum ledger_answer
ledger_find(struct ledger *l, const struct charge *c, struct text *out)
{
	enum ledger_answer answer = LEDGER_OK;
	sqlite3_stmt *q = sql_prepare(l, SQL_FIND, "dataset", c->to.dataset,
	    "id", c->to.id, NULL);
	bool found = sql_row(l, q);

	if (found && strcmp(sql_word(q, "options"), c->options) == 0) {
		answer = LEDGER_STORED;
		text_bytes(out, sqlite3_column_blob(q, 1),
		    (size_t)sqlite3_column_bytes(q, 1));
	} else if (found) {
		answer = LEDGER_REFUSED;
		text_printf(out, "release '%s' was made with other options "
		    "or other public files", c->to.id);
	}
	sqlite3_finalize(q);
	return answer;
}

/* --- deciding ---------------------------------------------------------- */

/* A slice without a charge has no row. */
void
ledger_purse(struct ledger *l, const struct charge *c, struct purse *p)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_PURSE, "account", c->to.account,
	    "value", c->slice.value, "dataset", c->to.dataset, NULL);

	if (!sql_row(l, q))
		die(STATUS_INPUT, "ledger %s: no data set '%s'", l->path,
		    c->to.dataset);
	if (sql_text(q, "purse") == NULL)
		die(STATUS_INPUT, "ledger %s: data set '%s' has no account "
		    "'%s' (dp-budget allot makes one)", l->path, c->to.dataset,
		    c->to.account);
	*p = (struct purse){ .row = q, .most = sql_number(q, "max_slices"),
	    .account = { sql_rational(l, q, "purse"),
	    sql_rational(l, q, "whole"), sql_rational(l, q, "top") },
	    .spent = sql_rational(l, q, "spent"),
	    .slice = c->slice.value != NULL ? &p->spent : NULL };
	for (enum bound i = 0; i < BOUNDS; i++)
		p->bounds.is[i] = sql_text(q, bound_name(i));
}

void
ledger_purse_end(struct purse *p)
{
	sqlite3_finalize(p->row);
}

static void
say_spent(const struct charge *c, const struct purse *p, struct text *why)
{
	char asks[ACCOUNT_TEXT], one[ACCOUNT_TEXT], left[ACCOUNT_TEXT];

	text_printf(why, "the release asks %s",
	    account_text(asks, p->amount, FIXED_CEIL));
	if (p->times > 1)
		text_printf(why, " (%u times %s)", p->times,
		    account_text(one, c->amount, FIXED_CEIL));
	text_printf(why, " and %s is left", account_text(left,
	    account_left(&p->account, p->slice), FIXED_FLOOR));
	if (p->slice != NULL)
		text_printf(why, " for slice %s=%s", c->slice.column,
		    c->slice.value);
	if (*c->to.account != '\0')
		text_printf(why, " in account '%s'", c->to.account);
	text_printf(why, " in the budget of data set '%s'", c->to.dataset);
}

/* Charges the purse in memory; false with the reason for a refusal. */
static bool
spend(const struct charge *c, struct purse *p, struct text *why)
{
	p->times = bounds_factor(&p->bounds, &c->bounds, why);
	if (p->times == 0)
		return false;
	if (p->slice != NULL && p->most > 0)
		p->times *= (unsigned)p->most;
	p->amount = account_times(c->amount, p->times);
	if (account_charge(&p->account, p->slice, p->amount))
		return true;
	say_spent(c, p, why);
	return false;
}

/* --- charging ---------------------------------------------------------- */

static void
pay(struct ledger *l, const struct charge *c, const struct purse *p)
{
	char whole[RATIONAL_TEXT], top[RATIONAL_TEXT], spent[RATIONAL_TEXT];

	sql_done(l, sql_prepare(l, SQL_PAY,
	    "whole", rational_fraction(whole, p->account.whole),
	    "top", rational_fraction(top, p->account.top),
	    "dataset", c->to.dataset, "account", c->to.account, NULL));
	if (p->slice != NULL)
		sql_done(l, sql_prepare(l, SQL_PAY_SLICE, "dataset",
		    c->to.dataset, "account", c->to.account,
		    "value", c->slice.value,
		    "spent", rational_fraction(spent, p->spent), NULL));
}

static void
enter(struct ledger *l, const struct charge *c, const struct purse *p,
    const struct text *release)
{
	char asked[RATIONAL_TEXT], amount[RATIONAL_TEXT];
	sqlite3_stmt *q = sql_prepare(l, SQL_ENTER, "dataset", c->to.dataset,
	    "account", c->to.account, "verb", "release", "tool", c->tool,
	    "asked", rational_fraction(asked, c->amount),
	    "amount", rational_fraction(amount, p->amount),
	    "neighbors", c->bounds.is[BOUND_NEIGHBORS], "slice", c->slice.value,
	    "options", c->options, "report", c->report, "label", c->to.label,
	    "id", c->to.id, NULL);
	int output = sqlite3_bind_parameter_index(q, ":output");

	if (c->to.id != NULL && sqlite3_bind_blob64(q, output, release->buf,
	    release->len, SQLITE_STATIC) != SQLITE_OK)
		sql_die(l);
	sql_done(l, q);
}

enum ledger_answer
ledger_charge(struct ledger *l, const struct charge *c,
    const struct text *release, struct text *out)
{
	enum ledger_answer answer;
	struct purse p;

	/* one state of the file for every read; with the write lock first,
	   the reads stay true until the charge */
	sql_run(l, release == NULL ? SQL_LOOK : SQL_LOCK);
	/* a newer program may have come between */
	sql_check(l, false);
	ledger_purse(l, c, &p);
	answer = ledger_find(l, c, out);
	if (answer == LEDGER_OK && !spend(c, &p, out))
		answer = LEDGER_REFUSED;
	ledger_purse_end(&p);
	if (answer == LEDGER_OK && release != NULL) {
		pay(l, c, &p);
		enter(l, c, &p, release);
	}
	sql_run(l, answer == LEDGER_OK ? SQL_COMMIT : SQL_ROLLBACK);
	return answer;
}
