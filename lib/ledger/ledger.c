/* ledger: a privacy budget in an SQLite file. */
#include "ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger_chain.h"
#include "ledger_old.h"
#include "ledger_sql.h"
#include "tool/err.h"

/* --- opening ----------------------------------------------------------- */

struct ledger *
ledger_open(const char *path)
{
	struct ledger *l;

	if (access(path, R_OK | W_OK) != 0)
		err_sys("ledger %s%s", path, errno != ENOENT ?
		    "" : " (dp-budget create makes one)");
	l = sql_open(path, SQLITE_OPEN_READWRITE);
	sql_check(l);
	if (!l->old)
		return l;
	sql_run(l, SQL_LOCK);
	sql_check(l);		/* another program may have come first */
	if (l->old)
		old_renew(l);
	sql_run(l, SQL_COMMIT);
	return l;
}

bool
ledger_schema(const char *path, const char *dataset, struct text *text)
{
	struct ledger *l;
	sqlite3_stmt *q;
	const char *found = NULL;

	if (access(path, R_OK) != 0)
		return false;
	l = sql_open_look(path);
	sql_check(l);
	q = sql_prepare(l, SQL_BUDGETS, "dataset", dataset, NULL);
	if (sql_row(l, q))
		found = sql_text(q, "schema");
	if (found != NULL)
		text_add(text, found);
	sqlite3_finalize(q);
	sql_run(l, SQL_ROLLBACK);
	ledger_close(l);
	return text->len > 0;
}

void
ledger_close(struct ledger *l)
{
	if (sqlite3_close(l->db) != SQLITE_OK)
		sql_die(l);
	if (l->fd >= 0)
		close(l->fd);
	free(l);
}

/* --- entries with an id ------------------------------------------------ */

/* The entry in a row: with other options, closed, released or to be made. */
static enum ledger_answer
ledger_found(struct ledger *l, const struct charge *c, sqlite3_stmt *q,
    struct text *out)
{
	int64_t state = sql_number(q, "state");
	const char *asked = sql_text(q, "command");
	char keyed[DIGEST_TEXT];
	const char *why = NULL;

	if (!bound_same(sql_text(q, "options"), c->options) || !bound_same(
	    sql_text(q, "keyed"), chain_keyed(l, c->secret, keyed)))
		why = "made with other options or other public files; a new "
		    "release needs a new id";
	else if (state == ENTRY_CLOSED)
		why = "closed (dp-budget settle) before it was made; it needs "
		    "another id";
	if (why != NULL) {
		text_printf(out, "release '%s' was %s", c->to.id, why);
		return LEDGER_REFUSED;
	}
	if (state == ENTRY_SETTLED) {
		/* by the words alone, whatever the files hold */
		if (asked != NULL && strcmp(asked, c->command) != 0)
			err_warn("release '%s' was asked as '%s': this is its "
			    "answer, and no other input was read", c->to.id,
			    asked);
		text_bytes(out, sqlite3_column_blob(q, 0),
		    (size_t)sqlite3_column_bytes(q, 0));
		return LEDGER_STORED;
	}
	l->entry = sql_number(q, "number");
	return LEDGER_OPEN;
}

static enum ledger_answer
ledger_find(struct ledger *l, const struct charge *c, struct text *out)
{
	enum ledger_answer answer = LEDGER_OK;
	sqlite3_stmt *q = sql_prepare(l, SQL_FIND, "dataset", c->to.dataset,
	    "account", c->to.account, "id", c->to.id, NULL);

	if (sql_row(l, q))
		answer = ledger_found(l, c, q, out);
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
		err_die(STATUS_INPUT, "ledger %s: no data set '%s'", l->path,
		    c->to.dataset);
	if (sql_text(q, "purse") == NULL)
		err_die(STATUS_INPUT, "ledger %s: data set '%s' has no account "
		    "'%s' (dp-budget allot makes one)", l->path, c->to.dataset,
		    c->to.account);
	*p = (struct purse){ .row = q, .most = sql_number(q, "max_slices"),
	    .account = { sql_rational(l, q, "purse"),
	    sql_rational(l, q, "whole"), sql_rational(l, q, "top") },
	    .share = sql_rational(l, q, "share"),
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

/* Pays, and makes the open entry; false where another program still holds its
   lock. */
static bool
enter(struct ledger *l, const struct charge *c, const struct purse *p)
{
	char asked[RATIONAL_TEXT], amount[RATIONAL_TEXT], keyed[DIGEST_TEXT];

	pay(l, c, p);
	sql_done(l, sql_prepare(l, SQL_ENTER, "dataset", c->to.dataset,
	    "account", c->to.account, "state", "0", "verb", "release",
	    "tool", c->tool, "asked", rational_fraction(asked, c->amount),
	    "amount", rational_fraction(amount, p->amount),
	    "neighbors", c->bounds.is[BOUND_NEIGHBORS], "slice", c->slice.value,
	    "options", c->options, "report", c->report, "label", c->to.label,
	    "id", c->to.id, "schema", c->schema, "command", c->command,
	    "keyed", chain_keyed(l, c->secret, keyed), NULL));
	l->entry = sqlite3_last_insert_rowid(l->db);
	chain_add(l, l->entry);
	/* a program whose commit failed holds the number until its end */
	return ledger_hold(l, l->entry);
}

/* What the ledger says, in a transaction; a charge is in the purse, to be
   written. */
static enum ledger_answer
decide(struct ledger *l, const struct charge *c, struct purse *p,
    struct text *out)
{
	enum ledger_answer answer;

	/* a newer program may have come between */
	sql_check(l);
	ledger_purse(l, c, p);
	answer = ledger_find(l, c, out);
	if (answer == LEDGER_OK && c->amount.den > 0 && !spend(c, p, out))
		answer = LEDGER_REFUSED;
	ledger_purse_end(p);
	return answer;
}

/*
 * A program that died may have left its last change without the folder's sync:
 * a power cut would bring its journal back.  Nobody goes on from such a change,
 * or prints what was stored, before the folder is synced.
 */
static enum ledger_answer
ledger_believe(struct ledger *l, enum ledger_answer answer)
{
	if (answer == LEDGER_OPEN || answer == LEDGER_STORED)
		place_sync(l->path);
	return answer;
}

enum ledger_answer
ledger_ask(struct ledger *l, const struct charge *c, struct text *out)
{
	enum ledger_answer answer;
	struct purse p;

	sql_run(l, SQL_LOOK);
	answer = decide(l, c, &p, out);
	sql_run(l, SQL_ROLLBACK);
	return ledger_believe(l, answer);
}

/*
 * One try, in one transaction: false where another program has to end first.
 * The lock on the entry is taken before the entry can be seen, and of programs
 * with one id a single one has the lock.
 */
static bool
try_charge(struct ledger *l, const struct charge *c, struct text *out,
    enum ledger_answer *answer)
{
	struct purse p;
	bool alone = true;

	/* with the write lock first, what is read stays true until the
	   charge */
	sql_run(l, SQL_LOCK);
	*answer = decide(l, c, &p, out);
	if (*answer == LEDGER_OPEN)
		alone = ledger_hold(l, l->entry);
	else if (*answer == LEDGER_OK)
		alone = enter(l, c, &p);
	sql_run(l, alone ? SQL_COMMIT : SQL_ROLLBACK);
	return alone;
}

enum ledger_answer
ledger_charge(struct ledger *l, const struct charge *c, struct text *out)
{
	enum ledger_answer answer;

	for (int ms = 0; !try_charge(l, c, out, &answer);)
		if (!ledger_tick(&ms, LEDGER_WAIT))
			err_die(STATUS_INPUT, "ledger %s: another program "
			    "still makes this release", l->path);
	answer = ledger_believe(l, answer);
	return answer == LEDGER_OPEN ? LEDGER_OK : answer;
}

/* --- settling ---------------------------------------------------------- */

void
ledger_settle(struct ledger *l, const struct charge_to *to,
    const struct text *release)
{
	sql_run(l, SQL_LOCK);
	sql_end_entry(l, l->entry, ENTRY_SETTLED, to->id != NULL ? release :
	    NULL);
	sql_run(l, SQL_COMMIT);
}
