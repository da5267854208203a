/* ledger: a privacy budget in an SQLite file. */
#include "ledger.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
	sql_check(l, false);
	return l;
}

void
ledger_close(struct ledger *l)
{
	if (sqlite3_close(l->db) != SQLITE_OK)
		sql_die(l);
	if (l->fd >= 0)
		close(l->fd);
}

/* --- entries with an id ------------------------------------------------ */

enum ledger_answer
ledger_find(struct ledger *l, const struct charge *c, struct text *out)
{
	enum ledger_answer answer = LEDGER_OK;
	sqlite3_stmt *q = sql_prepare(l, SQL_FIND, "dataset", c->to.dataset,
	    "id", c->to.id, NULL);

	if (!sql_row(l, q))
		;
	else if (strcmp(sql_word(q, "options"), c->options) != 0) {
		answer = LEDGER_REFUSED;
		text_printf(out, "release '%s' was made with other options "
		    "or other public files", c->to.id);
	} else if (sql_number(q, "state") == ENTRY_SETTLED) {
		answer = LEDGER_STORED;
		text_bytes(out, sqlite3_column_blob(q, 1),
		    (size_t)sqlite3_column_bytes(q, 1));
	} else if (sql_number(q, "state") == ENTRY_OPEN) {
		answer = LEDGER_OPEN;
		l->entry = sql_number(q, "number");
	} else {
		answer = LEDGER_REFUSED;
		text_printf(out, "release '%s' was closed (dp-budget settle) "
		    "before it was made; it needs another id", c->to.id);
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
		err_die(STATUS_INPUT, "ledger %s: no data set '%s'", l->path,
		    c->to.dataset);
	if (sql_text(q, "purse") == NULL)
		err_die(STATUS_INPUT, "ledger %s: data set '%s' has no account "
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

/* Makes the open entry; false where another program still holds its lock. */
static bool
enter(struct ledger *l, const struct charge *c, const struct purse *p)
{
	char asked[RATIONAL_TEXT], amount[RATIONAL_TEXT];

	sql_done(l, sql_prepare(l, SQL_ENTER, "dataset", c->to.dataset,
	    "account", c->to.account, "state", "0", "verb", "release",
	    "tool", c->tool, "asked", rational_fraction(asked, c->amount),
	    "amount", rational_fraction(amount, p->amount),
	    "neighbors", c->bounds.is[BOUND_NEIGHBORS], "slice", c->slice.value,
	    "options", c->options, "report", c->report, "label", c->to.label,
	    "id", c->to.id, NULL));
	l->entry = sqlite3_last_insert_rowid(l->db);
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
	sql_check(l, false);
	ledger_purse(l, c, p);
	answer = ledger_find(l, c, out);
	if (answer == LEDGER_OK && !spend(c, p, out))
		answer = LEDGER_REFUSED;
	ledger_purse_end(p);
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
	return answer;
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
	if (*answer == LEDGER_OK) {
		pay(l, c, &p);
		alone = enter(l, c, &p);
	}
	sql_run(l, *answer == LEDGER_OK && alone ? SQL_COMMIT : SQL_ROLLBACK);
	return alone;
}

enum ledger_answer
ledger_charge(struct ledger *l, const struct charge *c, struct text *out)
{
	const struct timespec tick = { 0, LEDGER_TICK * 1000000 };
	enum ledger_answer answer;

	for (int ms = 0; !try_charge(l, c, out, &answer); ms += LEDGER_TICK) {
		if (ms >= LEDGER_WAIT)
			err_die(STATUS_INPUT, "ledger %s: another program "
			    "still makes this release", l->path);
		nanosleep(&tick, NULL);
	}
	return answer == LEDGER_OPEN ? LEDGER_OK : answer;
}

/* --- settling ---------------------------------------------------------- */

#define IN_PLACE 3024000

/*
 * Without an id nothing is stored, and a settled entry differs from an open one
 * in one byte, in its place: SQLite from 3.24 on writes a row of the same
 * length over the old one, and 0 and 1 have no bytes but their types.  A power
 * cut, or a death between two pages, leaves the old byte or the new one; the
 * old one says that the charge was perhaps for nothing, which wastes no budget
 * that the new one would not.  So this waits for no disk.  (The other changed
 * page is the first, with a counter of changes, which comes before.)  A later
 * charge syncs the byte with its own.
 *
 * With an id a retry must never print a second answer for one charge, so that
 * the bytes are on the disk before they are printed.
 */
void
ledger_settle(struct ledger *l, const struct charge_to *to,
    const struct text *release)
{
	if (to->id == NULL && sqlite3_libversion_number() >= IN_PLACE)
		sql_hurry(l);
	sql_run(l, SQL_LOCK);
	sql_end_entry(l, l->entry, ENTRY_SETTLED, to->id != NULL ? release :
	    NULL);
	sql_run(l, SQL_COMMIT);
}
