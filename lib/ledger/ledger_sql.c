/* ledger_sql: a ledger's tables, and every statement on the tables. */
#include "ledger_sql.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ledger_chain.h"
#include "ledger.h"
#include "ledger_old.h"
#include "tool/err.h"

#define VERSION 5
#define APPLICATION 0x64707574	/* "dput": marks the file as ours */

/*
 * Accounts are parts of a data set's budget; the account '' is the part that
 * nobody was allotted.  An entry is a charge, or another change of a budget.
 * The columns of data_set from neighbors to header, and from quote to grouped,
 * are for the rows of bound.c.  Its schema is a text; an entry's schema is the
 * digest of the text that the release was read by, and its command is the words
 * that were asked.  keyed is a digest of what may not be kept, by the secret
 * key.  The chain has a row for each change (ledger_chain.h).  Columns that
 * version 4 lacks come last (ledger_old.c).
 */
static const char schema[] =
	OLD_DATA_SET ", quote TEXT, reading TEXT, grouped TEXT, schema TEXT);"
	OLD_PARTS OLD_ENTRY ", schema TEXT, command TEXT, keyed TEXT,"
	" UNIQUE (data_set, account, id));"
	"CREATE INDEX open_entry ON entry (data_set, account)"
	" WHERE state = 0;"
	"CREATE INDEX creation ON entry (data_set)"
	" WHERE verb = 'create';"
	"CREATE TABLE chain (number INTEGER PRIMARY KEY,"
	" entry INTEGER NOT NULL REFERENCES entry(number),"
	" state INTEGER NOT NULL, digest TEXT NOT NULL UNIQUE);"
	"CREATE TABLE secret (key TEXT NOT NULL);";

#define NOW "strftime('%Y-%m-%dT%H:%M:%SZ')"

static const char *const statements[SQL_STATEMENTS] = {
	[SQL_LOOK] = "BEGIN",
	[SQL_LOCK] = "BEGIN IMMEDIATE",
	[SQL_COMMIT] = "COMMIT",
	[SQL_ROLLBACK] = "ROLLBACK",
	/* without an id nothing is equal */
	[SQL_FIND] = "SELECT output, options, keyed, number, state, command"
	    " FROM entry"
	    " WHERE data_set = :dataset AND account = :account AND id = :id",
	/* a slice without a charge has no row */
	[SQL_PURSE] = "SELECT d.*, a.total AS purse, whole, top,"
	    " coalesce(spent, '0/1') AS spent, CASE :account WHEN '' THEN"
	    " coalesce((SELECT amount FROM entry WHERE data_set = d.name AND"
	    " verb = 'create' ORDER BY number LIMIT 1), d.total)"
	    " ELSE a.total END AS share FROM data_set d"
	    " LEFT JOIN account a ON a.data_set = d.name AND a.name = :account"
	    " LEFT JOIN slice s ON s.data_set = d.name AND s.account = a.name"
	    " AND s.value = :value WHERE d.name = :dataset",
	[SQL_PAY] = "UPDATE account SET whole = :whole, top = :top,"
	    " releases = releases + 1"
	    " WHERE data_set = :dataset AND name = :account",
	[SQL_PAY_SLICE] = "INSERT OR REPLACE INTO slice"
	    " VALUES (:dataset, :account, :value, :spent)",
	[SQL_ENTER] = "INSERT INTO entry (state, time, data_set, account, verb,"
	    " tool, asked, amount, neighbors, slice, options, report, label,"
	    " id, schema, command, keyed) VALUES (:state, " NOW ", :dataset,"
	    " :account, :verb, :tool, :asked, :amount, :neighbors, :slice,"
	    " :options, :report, :label, :id, :schema, :command, :keyed)",
	[SQL_END_ENTRY] = "UPDATE entry SET state = :state, output = :output"
	    " WHERE number = :number AND state = 0",
	[SQL_ENTRY] = "SELECT * FROM entry WHERE number = :number",
	[SQL_OPEN_ENTRIES] = "SELECT * FROM entry WHERE data_set = :dataset"
	    " AND (:account IS NULL OR account = :account) AND state = 0"
	    " ORDER BY number",
	[SQL_NEW_BUDGET] = "INSERT INTO data_set VALUES (:name, :neighbors,"
	    " :metric, :domain, :public, :unit, :weight, :slices, :delimiter,"
	    " :header, :max_slices, :sampled, :population, :total, " NOW ","
	    " :quote, :reading, :grouped, :schema)",
	[SQL_NEW_ACCOUNT] = "INSERT INTO account"
	    " VALUES (:dataset, :account, :total, '0/1', '0/1', 0)",
	[SQL_SET_BUDGET] = "UPDATE data_set SET total = :total,"
	    " population = :population WHERE name = :dataset",
	[SQL_SET_SCHEMA] = "UPDATE data_set SET schema = :schema"
	    " WHERE name = :dataset",
	[SQL_SET_ACCOUNT] = "UPDATE account SET total = :total"
	    " WHERE data_set = :dataset AND name = :account",
	[SQL_BUDGETS] = "SELECT * FROM data_set"
	    " WHERE :dataset IS NULL OR name = :dataset ORDER BY name",
	[SQL_ACCOUNTS] = "SELECT * FROM account WHERE data_set = :dataset"
	    " AND (:account IS NULL OR name = :account) ORDER BY name",
	[SQL_SLICES] = "SELECT * FROM slice WHERE data_set = :dataset"
	    " ORDER BY value, account",
	/* slice by slice */
	[SQL_CHARGES] = "SELECT amount, slice FROM entry"
	    " WHERE data_set = :dataset AND verb = 'release' ORDER BY slice",
	[SQL_LOG] = "SELECT * FROM entry"
	    " WHERE :dataset IS NULL OR data_set = :dataset ORDER BY number",
	[SQL_CHAIN_ADD] = "INSERT INTO chain (entry, state, digest)"
	    " SELECT number, state, :digest FROM entry WHERE number = :number",
	[SQL_CHAIN_LAST] = "SELECT digest FROM chain"
	    " ORDER BY number DESC LIMIT 1",
	[SQL_CHAIN_FIND] = "SELECT number FROM chain WHERE digest = :digest",
	[SQL_KEY] = "SELECT key FROM secret",
	[SQL_NEW_KEY] = "INSERT INTO secret VALUES (:key)",
	[SQL_OLD_ENTRIES] = "SELECT output, number, state, options, id"
	    " FROM old_entry WHERE state = 0 OR id IS NOT NULL"
	    " OR tool = 'laplace'",
	[SQL_OLD_OPTIONS] = "UPDATE entry SET options = :options,"
	    " keyed = :keyed WHERE number = :number",
	[SQL_OLD_OUTPUT] = "UPDATE entry SET state = :state, output = :output"
	    " WHERE number = :number",
};

/* --- calls that succeed ------------------------------------------------- */

void
sql_die(struct ledger *l)
{
	err_die(STATUS_INPUT, "ledger %s: %s", l->path, sqlite3_errmsg(l->db));
}

static void
must(struct ledger *l, int rc)
{
	if (rc != SQLITE_OK)
		sql_die(l);
}

static sqlite3_stmt *
sql_compile(struct ledger *l, const char *sql)
{
	sqlite3_stmt *q;

	must(l, sqlite3_prepare_v2(l->db, sql, -1, &q, NULL));
	return q;
}

void
sql_bind(struct ledger *l, sqlite3_stmt *q, const char *name, const char *text)
{
	char parameter[32];

	snprintf(parameter, sizeof(parameter), ":%s", name);
	must(l, sqlite3_bind_text(q, sqlite3_bind_parameter_index(q,
	    parameter), text, -1, SQLITE_STATIC));
}

void
sql_bind_bytes(struct ledger *l, sqlite3_stmt *q, const char *name,
    const struct text *bytes)
{
	char parameter[32];

	snprintf(parameter, sizeof(parameter), ":%s", name);
	must(l, sqlite3_bind_blob64(q, sqlite3_bind_parameter_index(q,
	    parameter), bytes->buf, bytes->len, SQLITE_STATIC));
}

sqlite3_stmt *
sql_prepare(struct ledger *l, enum sql which, ...)
{
	sqlite3_stmt *q = sql_compile(l, statements[which]);
	const char *name;
	va_list pairs;

	va_start(pairs, which);
	while ((name = va_arg(pairs, const char *)) != NULL)
		sql_bind(l, q, name, va_arg(pairs, const char *));
	va_end(pairs);
	return q;
}

bool
sql_row(struct ledger *l, sqlite3_stmt *q)
{
	int rc = sqlite3_step(q);

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		sql_die(l);
	return rc == SQLITE_ROW;
}

void
sql_done(struct ledger *l, sqlite3_stmt *q)
{
	sql_row(l, q);
	sqlite3_finalize(q);
}

void
sql_script(struct ledger *l, const char *script)
{
	must(l, sqlite3_exec(l->db, script, NULL, NULL, NULL));
}

void
sql_run(struct ledger *l, enum sql which)
{
	sql_done(l, sql_compile(l, statements[which]));
}

void
sql_end_entry(struct ledger *l, int64_t number, enum entry_state state,
    const struct text *output)
{
	char to[FIXED_TEXT], which[FIXED_TEXT];
	sqlite3_stmt *q = sql_prepare(l, SQL_END_ENTRY,
	    "state", fixed_text(to, state, 0),
	    "number", fixed_text(which, number, 0), NULL);

	if (output != NULL)
		sql_bind_bytes(l, q, "output", output);
	sql_done(l, q);
	if (sqlite3_changes(l->db) != 1)
		err_die(STATUS_REFUSED, "refused: the charge was closed "
		    "(dp-budget settle) before the release was made");
	chain_add(l, number);
}

/* --- columns ------------------------------------------------------------ */

static int
at(sqlite3_stmt *q, const char *name)
{
	int i = sqlite3_column_count(q) - 1;

	while (i > 0 && strcmp(sqlite3_column_name(q, i), name) != 0)
		i--;
	return i;
}

const char *
sql_text(sqlite3_stmt *q, const char *name)
{
	const char *text = (const char *)sqlite3_column_text(q, at(q, name));

	if (text == NULL && sqlite3_errcode(sqlite3_db_handle(q)) ==
	    SQLITE_NOMEM)
		err_die(STATUS_INPUT, "out of memory");
	return text;
}

const char *
sql_word(sqlite3_stmt *q, const char *name)
{
	const char *text = sql_text(q, name);

	return text == NULL ? "" : text;
}

int64_t
sql_number(sqlite3_stmt *q, const char *name)
{
	return sqlite3_column_int64(q, at(q, name));
}

struct rational
sql_rational(struct ledger *l, sqlite3_stmt *q, const char *name)
{
	struct rational r;

	if (!rational_read(sql_word(q, name), &r) || r.num < 0)
		err_die(STATUS_INPUT, "ledger %s: a broken number", l->path);
	return r;
}

/* --- opening ------------------------------------------------------------ */

/* The single number from a statement. */
static int64_t
sql_value(struct ledger *l, const char *sql)
{
	sqlite3_stmt *q = sql_compile(l, sql);
	int64_t n = sql_row(l, q) ? sqlite3_column_int64(q, 0) : 0;

	sqlite3_finalize(q);
	return n;
}

struct ledger *
sql_open(const char *path, int flags)
{
	struct ledger *l = err_alloc(NULL, 1, sizeof(*l));

	*l = (struct ledger){ .path = path, .fd = -1,
	    .create = (flags & SQLITE_OPEN_CREATE) != 0 };
	place_check(path, flags != SQLITE_OPEN_READONLY);
	if (l->create)
		place_make(path);
	must(l, sqlite3_open_v2(path, &l->db, flags & ~SQLITE_OPEN_CREATE,
	    NULL));
	sqlite3_busy_timeout(l->db, LEDGER_WAIT);
	if (flags == SQLITE_OPEN_READONLY)
		return l;
	/* durable also across a power cut between journal and directory */
	sql_value(l, "PRAGMA synchronous = EXTRA");
	/* SQLite before 3.11 takes the word for a lesser promise */
	if (sql_value(l, "PRAGMA synchronous") != 3)
		err_die(STATUS_INPUT, "ledger %s: this SQLite is too old",
		    path);
	sql_value(l, "PRAGMA foreign_keys = ON");
	/* what is taken away is written over */
	sql_value(l, "PRAGMA secure_delete = ON");
	return l;
}

/*
 * A killed job leaves a journal beside the file, which has to be played back
 * before anybody can read; only a writer can play back.
 */
struct ledger *
sql_open_look(const char *path)
{
	struct ledger *l = sql_open(path, SQLITE_OPEN_READONLY);

	/* who has read in a transaction sees no later journal */
	if (sqlite3_exec(l->db, "BEGIN; PRAGMA user_version", NULL, NULL,
	    NULL) == SQLITE_OK)
		return l;
	if (access(path, W_OK) != 0)
		sql_die(l);
	ledger_close(l);
	l = sql_open(path, SQLITE_OPEN_READWRITE);
	sql_run(l, SQL_LOOK);
	return l;
}

/* --- tables ------------------------------------------------------------- */

void
sql_tables(struct ledger *l)
{
	char marks[96];

	snprintf(marks, sizeof(marks), "PRAGMA application_id = %d; "
	    "PRAGMA user_version = %d", APPLICATION, VERSION);
	sql_script(l, schema);
	sql_script(l, marks);
	chain_begin(l);
	l->old = false;
}

/*
 * Somebody who may write the file could put a view in a table's place, or a
 * trigger after a table: no statement runs before every table is found to be
 * ours.
 */
static void
check_tables(struct ledger *l, const char *ours)
{
	sqlite3_stmt *q = sql_compile(l, "SELECT sql FROM sqlite_master "
	    "WHERE sql IS NOT NULL ORDER BY rowid");
	struct text found = TEXT_INIT;

	while (sql_row(l, q))
		text_printf(&found, "%s;", sql_word(q, "sql"));
	sqlite3_finalize(q);
	if (found.len == 0 || strcmp(found.buf, ours) != 0)
		err_die(STATUS_INPUT, "ledger %s: its tables are not those of "
		    "a ledger", l->path);
	text_free(&found);
}

/*
 * The other mode that a file remembers, wal, keeps charges in a second file,
 * which a copy lacks; and there a reader keeps nobody from settling.
 */
static void
check_mode(struct ledger *l)
{
	sqlite3_stmt *q = sql_compile(l, "PRAGMA journal_mode");

	sql_row(l, q);
	if (strcmp(sql_word(q, "journal_mode"), "delete") != 0)
		err_die(STATUS_INPUT, "ledger %s: SQLite's mode wal, by which "
		    "charges could get lost (cure: sqlite3 FILE 'PRAGMA "
		    "journal_mode=delete')", l->path);
	sqlite3_finalize(q);
}

void
sql_check(struct ledger *l)
{
	int64_t version;

	if (l->create &&
	    sql_value(l, "SELECT count(*) FROM sqlite_master") == 0)
		sql_tables(l);
	version = sql_value(l, "PRAGMA user_version");
	if (sql_value(l, "PRAGMA application_id") != APPLICATION)
		err_die(STATUS_INPUT, "ledger %s: not a ledger", l->path);
	if (version > VERSION)
		err_die(STATUS_INPUT, "ledger %s: version %lld, and this "
		    "program knows version %d", l->path, (long long)version,
		    VERSION);
	if (version < OLD_VERSION)
		err_die(STATUS_REFUSED, "refused: ledger %s is of an earlier "
		    "dputils, which bound less; make a new one (dp-budget "
		    "create) with what is left in it", l->path);
	check_mode(l);
	l->old = version == OLD_VERSION;
	check_tables(l, l->old ? OLD_TABLES : schema);
	if (l->old)
		old_show(l);
}
