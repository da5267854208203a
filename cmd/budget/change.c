/* change: a curator's changes to a budget. */
#include "change.h"

#include <string.h>

#include "ledger/ledger_chain.h"
#include "ledger/ledger_old.h"
#include "ledger/ledger_sql.h"
#include "sampled.h"
#include "show.h"
#include "tool/err.h"

/* Logs the change, and makes it last. */
static void
change_finish(struct ledger *l, const struct terms *t, const char *verb)
{
	char amount[RATIONAL_TEXT];

	rational_fraction(amount, t->total);
	sql_done(l, sql_prepare(l, SQL_ENTER, "dataset", t->dataset,
	    "account", t->account, "state", "1", "verb", verb,
	    "tool", "dp-budget", "asked", amount, "amount", amount,
	    "label", t->label, "command", t->command, NULL));
	chain_add(l, sqlite3_last_insert_rowid(l->db));
	sql_run(l, SQL_COMMIT);
	ledger_close(l);
}

/* --- create ------------------------------------------------------------ */

/* The chargeable total behind a promised total. */
static struct rational
chargeable(struct rational promised, struct rational sampled)
{
	struct rational total = promised;

	if (sampled.num > 0 && !sampled_total(promised, sampled, &total))
		err_die(STATUS_USAGE, "--epsilon is too small or too large for "
		    "--sampled");
	return total;
}

static void
insert_dataset(struct ledger *l, const struct terms *t, struct rational total)
{
	char text[RATIONAL_TEXT], most[FIXED_TEXT], q[RATIONAL_TEXT];
	char promised[RATIONAL_TEXT];
	bool sampled = t->sampled.num > 0;
	sqlite3_stmt *row = sql_prepare(l, SQL_NEW_BUDGET, "name", t->dataset,
	    "max_slices", t->most > 0 ? fixed_text(most, t->most, 0) : NULL,
	    "sampled", sampled ? rational_fraction(q, t->sampled) : NULL,
	    "population", sampled ? rational_fraction(promised, t->total) :
	    NULL, "total", rational_fraction(text, total), "schema",
	    t->read != NULL ? t->read->text.buf : NULL, NULL);

	for (enum bound i = 0; i < BOUNDS; i++)
		sql_bind(l, row, bound_name(i), t->bounds.is[i]);
	sql_done(l, row);
}

/* Makes an account with this total, or gives an account the total. */
static void
set_account(struct ledger *l, enum sql how, const char *dataset,
    const char *name, struct rational total)
{
	char text[RATIONAL_TEXT];

	sql_done(l, sql_prepare(l, how, "dataset", dataset, "account", name,
	    "total", rational_fraction(text, total), NULL));
}

/* The row of a data set, or NULL. */
static sqlite3_stmt *
find_dataset(struct ledger *l, const char *dataset)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_BUDGETS, "dataset", dataset, NULL);

	if (sql_row(l, q))
		return q;
	sqlite3_finalize(q);
	return NULL;
}

/* SQLite would keep these in memory, or in a file of another name. */
static void
plain_name(const char *path)
{
	if (*path == '\0' || *path == ':' || strncmp(path, "file:", 5) == 0)
		err_die(STATUS_USAGE, "ledger '%s': SQLite takes this for no "
		    "file of that name; write ./ before it", path);
}

void
change_create(struct terms *t)
{
	const struct rational total = chargeable(t->total, t->sampled);
	struct ledger *l;

	plain_name(t->path);
	l = sql_open(t->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	sql_run(l, SQL_LOCK);
	sql_check(l);
	if (l->old)
		old_renew(l);
	if (find_dataset(l, t->dataset) != NULL)
		err_die(STATUS_INPUT, "ledger %s: data set '%s' has a budget "
		    "already: dp-budget add raises it, and a new one needs "
		    "another FILE or --dataset NAME", t->path, t->dataset);
	insert_dataset(l, t, total);
	set_account(l, SQL_NEW_ACCOUNT, t->dataset, "", total);
	change_finish(l, t, "create");
}

/* --- add and allot ----------------------------------------------------- */

static struct account
read_account(struct ledger *l, const char *dataset, const char *name)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_ACCOUNTS, "dataset", dataset,
	    "account", name, NULL);
	struct account a = { { 0, 1 }, { 0, 1 }, { 0, 1 } };

	if (sql_row(l, q))
		a = (struct account){ sql_rational(l, q, "total"),
		    sql_rational(l, q, "whole"), sql_rational(l, q, "top") };
	else if (name[0] != '\0')
		set_account(l, SQL_NEW_ACCOUNT, dataset, name, a.total);
	sqlite3_finalize(q);
	return a;
}

bool
change_move(struct account *from, struct account *to, struct rational x)
{
	const struct account rest = { from->total, x, { 0, 1 } };
	struct rational sum;

	if (rational_sign(x) <= 0 || rational_cmp(x, account_left(from, NULL)) >
	    0 || !rational_add(&sum, to->total, x))
		return false;
	to->total = sum;
	from->total = account_left(&rest, NULL);
	return true;
}

/* Opens and locks the ledger, and finds the data set. */
static struct ledger *
begin(const struct terms *t)
{
	struct ledger *l = ledger_open(t->path);
	sqlite3_stmt *row;

	sql_run(l, SQL_LOCK);
	sql_check(l);
	row = find_dataset(l, t->dataset);
	if (row == NULL)
		err_die(STATUS_INPUT, "ledger %s: no data set '%s'", l->path,
		    t->dataset);
	sqlite3_finalize(row);
	return l;
}

void
change_add(struct terms *t)
{
	struct ledger *l = begin(t);
	sqlite3_stmt *q = find_dataset(l, t->dataset);
	bool sampled = sql_text(q, "sampled") != NULL;
	struct rational old = sql_rational(l, q, "total"), more, total;
	struct rational promised = sampled ? sql_rational(l, q, "population") :
	    old;
	struct account a = read_account(l, t->dataset, "");
	char text[RATIONAL_TEXT], population[RATIONAL_TEXT];
	bool fits = rational_add(&promised, promised, t->total);

	total = chargeable(promised, sampled ? sql_rational(l, q, "sampled") :
	    (struct rational){ 0, 1 });
	if (!fits || !rational_sub(&more, total, old) ||
	    !rational_add(&a.total, a.total, more))
		err_die(STATUS_USAGE, "the total has too many digits");
	sqlite3_finalize(q);
	sql_done(l, sql_prepare(l, SQL_SET_BUDGET, "total",
	    rational_fraction(text, total), "population", sampled ?
	    rational_fraction(population, promised) : NULL,
	    "dataset", t->dataset, NULL));
	set_account(l, SQL_SET_ACCOUNT, t->dataset, "", a.total);
	change_finish(l, t, "add");
}

void
change_allot(struct terms *t)
{
	struct ledger *l = begin(t);
	struct account from, to;
	char asks[ACCOUNT_TEXT], left[ACCOUNT_TEXT];

	from = read_account(l, t->dataset, "");
	to = read_account(l, t->dataset, t->account);
	if (!change_move(&from, &to, t->total))
		err_die(STATUS_REFUSED, "refused: %s is asked for account '%s' "
		    "and %s is left of data set '%s'",
		    account_text(asks, t->total, FIXED_CEIL), t->account,
		    account_text(left, account_left(&from, NULL),
		    FIXED_FLOOR), t->dataset);
	set_account(l, SQL_SET_ACCOUNT, t->dataset, "", from.total);
	set_account(l, SQL_SET_ACCOUNT, t->dataset, t->account, to.total);
	change_finish(l, t, "allot");
}

/* --- schema ------------------------------------------------------------ */

/* A new schema reads what is bound as it was read. */
static void
check_bound(struct ledger *l, const struct terms *t)
{
	sqlite3_stmt *q = find_dataset(l, t->dataset);
	const struct schema *s = t->read;
	const struct opts o = { .schema = s, .unquoted = s->no_quotes,
	    .header = s->no_header ? HEADER_NONE : HEADER_NAMES,
	    .delimiter = s->delimiter != NULL ? *s->delimiter : ',',
	    .neighbors = NEIGHBORS_SWAP, .public = sql_text(q, "public"),
	    .weight = sql_text(q, "weight"), .unit.column =
	    s->privacy.unit != NULL ? s->privacy.unit : sql_text(q, "unit") };
	/* under whatever metric all columns are bound */
	const struct bound_terms terms = { .slices = sql_text(q, "slices"),
	    .metric = sql_text(q, "metric") != NULL ? "any" : NULL };
	static const enum bound facts[] = { BOUND_UNIT, BOUND_QUOTE,
	    BOUND_READING, BOUND_DELIMITER };
	/* the last of them only where the schema speaks of it */
	const size_t n = s->delimiter != NULL ? 4 : 3;
	struct bound_set b;

	bounds_take(&b, &o, &terms);
	for (size_t i = 0; i < n; i++)
		if (!bound_same(sql_text(q, bound_name(facts[i])),
		    b.is[facts[i]]))
			err_die(STATUS_REFUSED, "refused: the new schema has "
			    "another %s than the budget binds",
			    bound_name(facts[i]));
	bounds_free(&b);
	sqlite3_finalize(q);
}

void
change_schema(struct terms *t)
{
	struct ledger *l = begin(t);
	sqlite3_stmt *q = sql_prepare(l, SQL_OPEN_ENTRIES, "dataset",
	    t->dataset, NULL);

	if (sql_row(l, q))
		err_die(STATUS_REFUSED, "refused: an entry is open, which was "
		    "made under the schema of today (dp-budget show)");
	sqlite3_finalize(q);
	check_bound(l, t);
	t->total = (struct rational){ 0, 1 };	/* it charges nothing */
	sql_done(l, sql_prepare(l, SQL_SET_SCHEMA, "schema",
	    t->read->text.buf, "dataset", t->dataset, NULL));
	change_finish(l, t, "schema");
}

/* --- settle ------------------------------------------------------------ */

/*
 * The open entry with this number, or with this id.  An asker chooses ids, so
 * none takes the place of a number: each entry can be closed.
 */
static int64_t
find_open(struct ledger *l, const struct terms *t)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_OPEN_ENTRIES, "dataset",
	    t->dataset, NULL);
	int64_t number = 0;
	size_t named = 0;
	bool counted = false;

	while (!counted && sql_row(l, q)) {
		counted = strcmp(sql_word(q, "number"), t->entry) == 0;
		if (!counted && strcmp(sql_word(q, "id"), t->entry) != 0)
			continue;
		number = sql_number(q, "number");
		named++;
	}
	sqlite3_finalize(q);
	if (!counted && named > 1)
		err_die(STATUS_USAGE, "'%s' is the id of several open entries: "
		    "call one by its number", t->entry);
	return number;
}

void
change_settle(struct terms *t)
{
	struct ledger *l = begin(t);
	int64_t number = find_open(l, t);

	if (number == 0)
		err_die(STATUS_INPUT, "ledger %s: data set '%s' has no open "
		    "entry '%s' (dp-budget show lists them)", l->path,
		    t->dataset, t->entry);
	if (ledger_held(l, number))
		err_die(STATUS_REFUSED, "refused: the program of entry '%s' "
		    "still runs", t->entry);
	sql_end_entry(l, number, ENTRY_CLOSED, NULL);
	show_entry(l, number, "closed", &t->said);
	sql_run(l, SQL_COMMIT);
	ledger_close(l);
}
