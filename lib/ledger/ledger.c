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
	sql_version(l, LEDGER_VERSION);
	return l;
}

void
ledger_close(struct ledger *l)
{
	if (l->sqlite->close(l->db) != SQLITE_OK)
		sql_die(l);
}

/* --- releases that were made ------------------------------------------- */

enum ledger_answer
ledger_find(struct ledger *l, const struct charge *c, struct text *out)
{
	enum ledger_answer answer = LEDGER_OK;
	/* without an id it equals none */
	sqlite3_stmt *q = sql_prepare(l, "SELECT options, output FROM entry "
	    "WHERE data_set = ? AND id = ?", 2, c->dataset, c->id);
	bool found = sql_row(l, q);

	if (found && strcmp(sql_column(l, q, 0), c->options) == 0) {
		answer = LEDGER_STORED;
		text_bytes(out, l->sqlite->column_blob(q, 1),
		    (size_t)l->sqlite->column_bytes(q, 1));
	} else if (found) {
		answer = LEDGER_REFUSED;
		text_printf(out, "release '%s' was made with other options "
		    "or other public files", c->id);
	}
	l->sqlite->finalize(q);
	return answer;
}

/* --- deciding ---------------------------------------------------------- */

/* The account's name in the ledger. */
static const char *
paid_by(const struct charge *c)
{
	return c->account != NULL ? c->account : "";
}

/* A slice without a charge has no row. */
void
ledger_purse(struct ledger *l, const struct charge *c, struct purse *p)
{
	sqlite3_stmt *q = sql_prepare(l, "SELECT neighbors, metric, unit, "
	    "fixed, slices, max_slices, a.total, whole, top, "
	    "coalesce(spent, '0/1') FROM data_set d "
	    "LEFT JOIN account a ON a.data_set = d.name AND a.name = ? "
	    "LEFT JOIN slice s ON s.data_set = d.name AND "
	    "s.account = a.name AND s.value = ? WHERE d.name = ?", 3,
	    paid_by(c), c->value, c->dataset);

	if (!sql_row(l, q))
		die(STATUS_INPUT, "ledger %s: no data set '%s'", l->path,
		    c->dataset);
	if (*sql_column(l, q, 6) == '\0')
		die(STATUS_INPUT, "ledger %s: data set '%s' has no account "
		    "'%s' (dp-budget allot makes one)", l->path, c->dataset,
		    paid_by(c));
	*p = (struct purse){ .row = q, .guarantee = {
	    guarantee_kind(sql_column(l, q, 0)), sql_text(l, q, 1),
	    sql_text(l, q, 2), sql_text(l, q, 3) },
	    .column = sql_text(l, q, 4),
	    .most = l->sqlite->column_int64(q, 5),
	    .account = { sql_rational(l, q, 6), sql_rational(l, q, 7),
	    sql_rational(l, q, 8) }, .slice = sql_rational(l, q, 9) };
}

void
ledger_purse_end(struct ledger *l, struct purse *p)
{
	l->sqlite->finalize(p->row);
}

/* May this charge name a slice of this budget? */
static bool
sliced(const struct charge *c, const struct purse *p, struct text *why)
{
	if (c->value == NULL ||
	    (p->column != NULL && strcmp(p->column, c->column) == 0))
		return true;
	if (p->column == NULL)
		text_printf(why, "the budget of data set '%s' has no slices; "
		    "one made with dp-budget create --by %s has", c->dataset,
		    c->column);
	else
		text_printf(why, "the slices of data set '%s' are by column "
		    "%s, not by %s", c->dataset, p->column, c->column);
	return false;
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
	    account_left(&p->account, c->value != NULL ? &p->slice : NULL),
	    FIXED_FLOOR));
	if (c->value != NULL)
		text_printf(why, " for slice %s=%s", c->column, c->value);
	if (c->account != NULL)
		text_printf(why, " in account '%s'", c->account);
	text_printf(why, " in the budget of data set '%s'", c->dataset);
}

/* Charges the purse in memory; false with the reason where it refuses. */
static bool
spend(const struct charge *c, struct purse *p, struct text *why)
{
	p->times = guarantee_factor(&p->guarantee, &c->guarantee, why);
	if (p->times == 0 || !sliced(c, p, why))
		return false;
	if (c->value != NULL && p->guarantee.unit != NULL)
		p->times *= (unsigned)p->most;
	if (!account_times(&p->amount, c->amount, p->times))
		die(STATUS_USAGE, "the charge has too many digits");
	if (c->value != NULL ?
	    account_charge_slice(&p->account, &p->slice, p->amount) :
	    account_charge(&p->account, p->amount))
		return true;
	say_spent(c, p, why);
	return false;
}

/* Charges the purse in memory, unless the id was released before. */
static enum ledger_answer
decide(struct ledger *l, const struct charge *c, struct purse *p,
    struct text *out)
{
	enum ledger_answer answer;

	ledger_purse(l, c, p);
	answer = ledger_find(l, c, out);
	if (answer == LEDGER_OK && !spend(c, p, out))
		answer = LEDGER_REFUSED;
	ledger_purse_end(l, p);
	return answer;
}

enum ledger_answer
ledger_ask(struct ledger *l, const struct charge *c, struct text *out)
{
	enum ledger_answer answer;
	struct purse p;

	/* one state of the file for all that is read */
	sql_run(l, "BEGIN");
	answer = decide(l, c, &p, out);
	sql_run(l, "COMMIT");
	return answer;
}

/* --- charging ---------------------------------------------------------- */

static void
store_account(struct ledger *l, const struct charge *c, const struct purse *p)
{
	char whole[RATIONAL_TEXT], top[RATIONAL_TEXT];

	sql_done(l, sql_prepare(l,
	    "UPDATE account SET whole = ?, top = ?, "
	    "releases = releases + 1 WHERE data_set = ? AND name = ?", 4,
	    rational_fraction(whole, p->account.whole),
	    rational_fraction(top, p->account.top), c->dataset, paid_by(c)));
}

static void
store_slice(struct ledger *l, const struct charge *c, const struct purse *p)
{
	char spent[RATIONAL_TEXT];

	sql_done(l, sql_prepare(l,
	    "INSERT OR REPLACE INTO slice VALUES (?, ?, ?, ?)", 4,
	    c->dataset, paid_by(c), c->value,
	    rational_fraction(spent, p->slice)));
}

static void
store_entry(struct ledger *l, const struct charge *c, const struct purse *p,
    const struct text *release)
{
	char asked[RATIONAL_TEXT], amount[RATIONAL_TEXT];
	sqlite3_stmt *q = sql_prepare(l, "INSERT INTO entry (time, data_set, "
	    "account, verb, tool, asked, amount, neighbors, slice, options, "
	    "report, label, id, output) VALUES "
	    "(strftime('%Y-%m-%dT%H:%M:%SZ'), ?, ?, 'release', ?, ?, ?, ?, ?, "
	    "?, ?, ?, ?, ?)", 11, c->dataset, paid_by(c), c->tool,
	    rational_fraction(asked, c->amount),
	    rational_fraction(amount, p->amount),
	    guarantee_words[c->guarantee.kind], c->value, c->options,
	    c->report, c->label, c->id);

	if (c->id != NULL && l->sqlite->bind_blob64(q, 12, release->buf,
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

	/* the write lock first: what is read below stays true */
	sql_run(l, "BEGIN IMMEDIATE");
	/* a newer program may have come between */
	sql_version(l, LEDGER_VERSION);
	answer = decide(l, c, &p, out);
	if (answer == LEDGER_OK) {
		store_account(l, c, &p);
		if (c->value != NULL)
			store_slice(l, c, &p);
		store_entry(l, c, &p, release);
	}
	sql_run(l, answer == LEDGER_OK ? "COMMIT" : "ROLLBACK");
	return answer;
}
