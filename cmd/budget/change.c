/* change: what a curator does to a budget. */
#include "change.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/ledger_sql.h"
#include "tables.h"
#include "tool/err.h"

#define NOW "strftime('%Y-%m-%dT%H:%M:%SZ')"
#define SHARED (S_ISGID | S_IWGRP)	/* a folder of a group */

static void
log_change(struct ledger *l, const struct terms *t, const char *verb,
    const char *account)
{
	char amount[RATIONAL_TEXT];

	rational_fraction(amount, t->total);
	sql_done(l, sql_prepare(l,
	    "INSERT INTO entry (time, data_set, account, verb, tool, "
	    "asked, amount, label) VALUES (" NOW ", ?, ?, ?, 'dp-budget', ?, "
	    "?, ?)", 6, t->dataset, account, verb, amount, amount, t->label));
}

/* --- create ------------------------------------------------------------ */

/* Does this statement, with a text for its question mark, have a row? */
static bool
has(struct ledger *l, const char *sql, const char *text)
{
	sqlite3_stmt *q = sql_prepare(l, sql, text != NULL, text);
	bool found = sql_row(l, q);

	l->sqlite->finalize(q);
	return found;
}

/* A file of ours, an empty one, or one that is not there yet. */
static void
prepare_file(struct ledger *l)
{
	if (has(l, "SELECT 1 FROM sqlite_master", NULL))
		sql_version(l, LEDGER_VERSION);
	else
		tables_make(l, false, false);
}

/*
 * In a folder with the set-group-ID bit that its group may write, new files
 * are the group's; SQLite gives its journals the mode of the ledger.
 */
static void
share_file(const char *path)
{
	char *copy = err_copy(path, strlen(path));
	struct stat folder, file;

	if (stat(dirname(copy), &folder) == 0 && stat(path, &file) == 0 &&
	    (folder.st_mode & SHARED) == SHARED && file.st_size == 0 &&
	    chmod(path, file.st_mode | S_IRGRP | S_IWGRP) != 0)
		diesys(STATUS_INPUT, "ledger %s", path);
	free(copy);
}

static void
insert_dataset(struct ledger *l, const struct terms *t)
{
	char total[RATIONAL_TEXT], most[FIXED_TEXT];

	sql_done(l, sql_prepare(l,
	    "INSERT INTO data_set VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
	    NOW ")", 8, t->dataset, guarantee_words[t->guarantee.kind],
	    t->guarantee.metric, t->guarantee.unit, t->guarantee.fixed,
	    t->column, t->most > 0 ? fixed_text(most, t->most, 0) : NULL,
	    rational_fraction(total, t->total)));
}

static void
insert_account(struct ledger *l, const char *dataset, const char *name,
    struct rational total)
{
	char text[RATIONAL_TEXT];

	sql_done(l, sql_prepare(l,
	    "INSERT INTO account VALUES (?, ?, ?, '0/1', '0/1', 0)",
	    3, dataset, name, rational_fraction(text, total)));
}

static bool
has_dataset(struct ledger *l, const char *dataset)
{
	return has(l, "SELECT 1 FROM data_set WHERE name = ?", dataset);
}

/* SQLite would keep these in memory, or in a file of another name. */
static void
plain_name(const char *path)
{
	if (*path == '\0' || *path == ':' || strncmp(path, "file:", 5) == 0)
		die(STATUS_USAGE, "ledger '%s': SQLite takes this for no file "
		    "of that name; write ./ before it", path);
}

void
change_create(const struct terms *t)
{
	struct ledger *l;

	plain_name(t->path);
	l = sql_open(t->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	share_file(t->path);
	sql_run(l, "BEGIN IMMEDIATE");
	prepare_file(l);
	if (has_dataset(l, t->dataset))
		die(STATUS_INPUT, "ledger %s: data set '%s' has a budget "
		    "already", t->path, t->dataset);
	insert_dataset(l, t);
	insert_account(l, t->dataset, "", t->total);
	log_change(l, t, "create", "");
	sql_run(l, "COMMIT");
	ledger_close(l);
}

void
change_upgrade(const char *path)
{
	struct ledger *l;

	if (access(path, R_OK | W_OK) != 0)
		diesys(STATUS_INPUT, "ledger %s", path);
	l = sql_open(path, SQLITE_OPEN_READWRITE);
	sql_run(l, "BEGIN IMMEDIATE");
	if (sql_version(l, 1) == 1)
		tables_make(l, true, false);
	sql_run(l, "COMMIT");
	ledger_close(l);
}

/* --- add and allot ----------------------------------------------------- */

static struct account
read_account(struct ledger *l, const char *dataset, const char *name)
{
	sqlite3_stmt *q = sql_prepare(l, "SELECT total, whole, top FROM "
	    "account WHERE data_set = ? AND name = ?", 2, dataset, name);
	struct account a = { { 0, 1 }, { 0, 1 }, { 0, 1 } };

	if (sql_row(l, q))
		a = (struct account){ sql_rational(l, q, 0),
		    sql_rational(l, q, 1), sql_rational(l, q, 2) };
	else if (name[0] != '\0')
		insert_account(l, dataset, name, a.total);
	l->sqlite->finalize(q);
	return a;
}

static void
store_total(struct ledger *l, const char *dataset, const char *name,
    struct rational total)
{
	char text[RATIONAL_TEXT];

	sql_done(l, sql_prepare(l,
	    "UPDATE account SET total = ? WHERE data_set = ? AND "
	    "name = ?", 3, rational_fraction(text, total), dataset, name));
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

/* The write lock, and the account that nobody was allotted. */
static struct account
begin(struct ledger *l, const struct terms *t)
{
	sql_run(l, "BEGIN IMMEDIATE");
	sql_version(l, LEDGER_VERSION);
	if (!has_dataset(l, t->dataset))
		die(STATUS_INPUT, "ledger %s: no data set '%s'", l->path,
		    t->dataset);
	return read_account(l, t->dataset, "");
}

static void
raise_total(struct ledger *l, const struct terms *t)
{
	sqlite3_stmt *q = sql_prepare(l, "SELECT total FROM data_set WHERE "
	    "name = ?", 1, t->dataset);
	struct rational total = { 0, 1 };
	char text[RATIONAL_TEXT];

	if (sql_row(l, q))
		total = sql_rational(l, q, 0);
	l->sqlite->finalize(q);
	if (!rational_add(&total, total, t->total))
		die(STATUS_USAGE, "the total has too many digits");
	sql_done(l, sql_prepare(l,
	    "UPDATE data_set SET total = ? WHERE name = ?", 2,
	    rational_fraction(text, total), t->dataset));
}

void
change_add(struct ledger *l, const struct terms *t)
{
	struct account a = begin(l, t);

	if (!rational_add(&a.total, a.total, t->total))
		die(STATUS_USAGE, "the total has too many digits");
	raise_total(l, t);
	store_total(l, t->dataset, "", a.total);
	log_change(l, t, "add", "");
	sql_run(l, "COMMIT");
}

void
change_allot(struct ledger *l, const struct terms *t, const char *account)
{
	struct account from = begin(l, t);
	struct account to = read_account(l, t->dataset, account);
	char asks[ACCOUNT_TEXT], left[ACCOUNT_TEXT];

	if (!change_move(&from, &to, t->total))
		die(STATUS_REFUSED, "refused: %s is asked for account '%s' "
		    "and %s is left of data set '%s'",
		    account_text(asks, t->total, FIXED_CEIL), account,
		    account_text(left, account_left(&from, NULL),
		    FIXED_FLOOR), t->dataset);
	store_total(l, t->dataset, "", from.total);
	store_total(l, t->dataset, account, to.total);
	log_change(l, t, "allot", account);
	sql_run(l, "COMMIT");
}
