/* ledger: a privacy budget in an SQLite file. */
#include "ledger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger_sql.h"
#include "tool/err.h"

#define APPLICATION 0x64707574	/* "dput": marks the file as ours */

static const char schema[] =
    "CREATE TABLE budget (dataset TEXT PRIMARY KEY, total TEXT NOT NULL,"
    " spent TEXT NOT NULL, created TEXT NOT NULL);"
    "CREATE TABLE charge (number INTEGER PRIMARY KEY, time TEXT NOT NULL,"
    " dataset TEXT NOT NULL REFERENCES budget(dataset),"
    " tool TEXT NOT NULL, amount TEXT NOT NULL, options TEXT NOT NULL,"
    " report TEXT NOT NULL, label TEXT, id TEXT, output BLOB,"
    " UNIQUE (dataset, id));";

/* --- opening ----------------------------------------------------------- */

static int64_t
pragma(struct ledger *l, const char *sql)
{
	sqlite3_stmt *q = sql_prepare(l, sql);
	int64_t n;

	if (!sql_row(l, q))
		die(STATUS_INPUT, "ledger %s: no answer", l->path);
	n = l->sqlite->column_int64(q, 0);
	l->sqlite->finalize(q);
	return n;
}

static struct ledger *
connect(const char *path, int flags)
{
	static struct ledger one;	/* a program opens one at a time */
	struct ledger *l = &one;

	*l = (struct ledger){ NULL, path, ledger_sqlite() };
	if (l->sqlite->open_v2(path, &l->db, flags, NULL) != SQLITE_OK)
		sql_die(l);
	l->sqlite->busy_timeout(l->db, LEDGER_WAIT);
	/* durable also across a power cut between journal and directory */
	sql_run(l, "PRAGMA synchronous = EXTRA");
	sql_run(l, "PRAGMA foreign_keys = ON");
	return l;
}

struct ledger *
ledger_open(const char *path)
{
	struct ledger *l;
	int64_t version;

	if (access(path, R_OK | W_OK) != 0)
		diesys(STATUS_INPUT, "ledger %s", path);
	l = connect(path, SQLITE_OPEN_READWRITE);
	if (pragma(l, "PRAGMA application_id") != APPLICATION)
		die(STATUS_INPUT, "ledger %s: not a ledger", path);
	version = pragma(l, "PRAGMA user_version");
	if (version != LEDGER_VERSION)
		die(STATUS_INPUT, "ledger %s: version %lld, this program "
		    "knows version %d", path, (long long)version,
		    LEDGER_VERSION);
	return l;
}

/* A file of ours, an empty one, or one that is not there yet. */
static void
prepare_file(struct ledger *l)
{
	int64_t id = pragma(l, "PRAGMA application_id");

	if (id == APPLICATION &&
	    pragma(l, "PRAGMA user_version") == LEDGER_VERSION)
		return;
	if (id != 0 || pragma(l, "SELECT count(*) FROM sqlite_master") != 0)
		die(STATUS_INPUT, "ledger %s: there is another file of this "
		    "name", l->path);
	sql_run(l, schema);
	sql_run(l, "PRAGMA application_id = 1685091700");
	sql_run(l, "PRAGMA user_version = 1");
}

void
ledger_create(const char *path, const char *dataset, struct rational total)
{
	struct ledger *l = connect(path, SQLITE_OPEN_READWRITE |
	    SQLITE_OPEN_CREATE);
	char text[SQL_RATIONAL];
	sqlite3_stmt *q;

	sql_run(l, "BEGIN IMMEDIATE");
	prepare_file(l);
	q = sql_prepare(l, "SELECT 1 FROM budget WHERE dataset = ?");
	sql_text(l, q, 1, dataset);
	if (sql_row(l, q))
		die(STATUS_INPUT, "ledger %s: data set '%s' has a budget "
		    "already", path, dataset);
	l->sqlite->finalize(q);
	q = sql_prepare(l, "INSERT INTO budget VALUES (?, ?, '0/1', "
	    "strftime('%Y-%m-%dT%H:%M:%SZ'))");
	sql_text(l, q, 1, dataset);
	sql_text(l, q, 2, sql_from_rational(text, total));
	sql_done(l, q);
	sql_run(l, "COMMIT");
	ledger_close(l);
}

/* --- charging ---------------------------------------------------------- */

/* The stored release of this id, if there is one. */
static bool
find_id(struct ledger *l, const struct charge *c, enum ledger_answer *answer,
    char **out, size_t *len)
{
	sqlite3_stmt *q;
	const char *options;

	if (c->id == NULL)
		return false;
	q = sql_prepare(l, "SELECT options, output FROM charge WHERE "
	    "dataset = ? AND id = ?");
	sql_text(l, q, 1, c->dataset);
	sql_text(l, q, 2, c->id);
	if (!sql_row(l, q)) {
		l->sqlite->finalize(q);
		return false;
	}
	options = (const char *)l->sqlite->column_text(q, 0);
	*answer = LEDGER_OTHER;
	if (options != NULL && strcmp(options, c->options) == 0) {
		*answer = LEDGER_STORED;
		*len = (size_t)l->sqlite->column_bytes(q, 1);
		*out = err_alloc(NULL, *len, 1);
		if (*len > 0)
			memcpy(*out, l->sqlite->column_blob(q, 1), *len);
	}
	l->sqlite->finalize(q);
	return true;
}

enum ledger_answer
ledger_find(struct ledger *l, const struct charge *c, char **out,
    size_t *len)
{
	enum ledger_answer answer = LEDGER_OK;

	find_id(l, c, &answer, out, len);
	return answer;
}

static struct account
read_account(struct ledger *l, const char *dataset)
{
	sqlite3_stmt *q = sql_prepare(l, "SELECT total, spent FROM budget "
	    "WHERE dataset = ?");
	struct account a;

	sql_text(l, q, 1, dataset);
	if (!sql_row(l, q))
		die(STATUS_INPUT, "ledger %s: no data set '%s'", l->path,
		    dataset);
	a.total = sql_rational(l, q, 0);
	a.spent = sql_rational(l, q, 1);
	l->sqlite->finalize(q);
	return a;
}

enum ledger_answer
ledger_ask(struct ledger *l, const struct charge *c, char **out, size_t *len)
{
	enum ledger_answer answer;
	struct account a = read_account(l, c->dataset);

	if (find_id(l, c, &answer, out, len))
		return answer;
	return account_charge(&a, c->amount) ? LEDGER_OK : LEDGER_SPENT;
}

static void
store_account(struct ledger *l, const char *dataset, struct rational spent)
{
	sqlite3_stmt *q = sql_prepare(l, "UPDATE budget SET spent = ? WHERE "
	    "dataset = ?");
	char text[SQL_RATIONAL];

	sql_text(l, q, 1, sql_from_rational(text, spent));
	sql_text(l, q, 2, dataset);
	sql_done(l, q);
}

static void
store_charge(struct ledger *l, const struct charge *c, const char *out,
    size_t len)
{
	sqlite3_stmt *q = sql_prepare(l, "INSERT INTO charge (time, dataset, "
	    "tool, amount, options, report, label, id, output) VALUES "
	    "(strftime('%Y-%m-%dT%H:%M:%SZ'), ?, ?, ?, ?, ?, ?, ?, ?)");
	char text[SQL_RATIONAL];

	sql_text(l, q, 1, c->dataset);
	sql_text(l, q, 2, c->tool);
	sql_text(l, q, 3, sql_from_rational(text, c->amount));
	sql_text(l, q, 4, c->options);
	sql_text(l, q, 5, c->report);
	sql_text(l, q, 6, c->label);
	sql_text(l, q, 7, c->id);
	if (c->id != NULL && l->sqlite->bind_blob64(q, 8, out, len,
	    SQLITE_STATIC) != SQLITE_OK)
		sql_die(l);
	sql_done(l, q);
}

enum ledger_answer
ledger_charge(struct ledger *l, const struct charge *c, char **out,
    size_t *len)
{
	enum ledger_answer answer = LEDGER_OK;
	struct account a;

	/* the write lock first: what is read below stays true */
	sql_run(l, "BEGIN IMMEDIATE");
	a = read_account(l, c->dataset);
	if (find_id(l, c, &answer, out, len) ||
	    !account_charge(&a, c->amount)) {
		sql_run(l, "ROLLBACK");
		return answer == LEDGER_OK ? LEDGER_SPENT : answer;
	}
	store_account(l, c->dataset, a.spent);
	store_charge(l, c, *out, *len);
	sql_run(l, "COMMIT");
	return LEDGER_OK;
}

void
ledger_close(struct ledger *l)
{
	if (l->sqlite->close(l->db) != SQLITE_OK)
		sql_die(l);
}
