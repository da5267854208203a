/*
 * ledger_sql: SQLite calls that succeed or end the program.
 *
 * The types of the pointers come from sqlite3.h, so a call is checked by the
 * compiler as if the library were linked.  The name of the library is that
 * of its ABI, which has been the same since 2004.
 */
#include "ledger_sql.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "ledger.h"
#include "tool/err.h"

#ifdef SQLITE_LINKED

#define FILL(name) .name = sqlite3_##name,

static const struct sqlite *
load(void)
{
	static const struct sqlite sqlite = { SQLITE_CALLS(FILL) };

	return &sqlite;
}

#else

#define SONAME "libsqlite3.so.0"

#ifdef __ELF__
/*
 * What packagers' tools read to find libraries that are loaded at run time:
 * a note of type 0x407c0c0a by "FDO", whose text is JSON.
 */
#define NOTE "[{\"feature\":\"ledger\",\"description\":\"budget ledgers\"," \
	"\"priority\":\"recommended\",\"soname\":[\"" SONAME "\"]}]"

__attribute__((used, section(".note.dlopen"), aligned(4)))
static const struct {
	uint32_t name_size, text_size, type;
	char name[4], text[(sizeof(NOTE) + 3) / 4 * 4];
} note = { 4, sizeof(NOTE), 0x407c0c0a, "FDO", NOTE };
#endif

static void
find(void *library, const char *name, void *pointer)
{
	void *found = dlsym(library, name);

	if (found == NULL)
		die(STATUS_INPUT, "cannot load SQLite: %s has no %s", SONAME,
		    name);
	/* ISO C knows no cast from an object's address to a function's */
	memcpy(pointer, &found, sizeof(found));
}

#define FIND(name) find(library, "sqlite3_" #name, &sqlite.name);

static const struct sqlite *
load(void)
{
	static struct sqlite sqlite;
	void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		die(STATUS_INPUT, "cannot load SQLite: %s", dlerror());
	SQLITE_CALLS(FIND)
	return &sqlite;
}

#endif

/* The one number that a statement gives. */
static int64_t
number(struct ledger *l, const char *sql)
{
	sqlite3_stmt *q = sql_prepare(l, sql, 0);
	int64_t n = sql_row(l, q) ? l->sqlite->column_int64(q, 0) : 0;

	l->sqlite->finalize(q);
	return n;
}

struct ledger *
sql_open(const char *path, int flags)
{
	static struct ledger one;	/* a program opens one at a time */
	struct ledger *l = &one;
	struct stat file;

	*l = (struct ledger){ NULL, path, load() };
	if (l->sqlite->open_v2(path, &l->db, flags, NULL) != SQLITE_OK)
		sql_die(l);
	l->sqlite->busy_timeout(l->db, LEDGER_WAIT);
	if (flags == SQLITE_OPEN_READONLY)
		return l;
	/*
	 * The journal that a killed job leaves stands beside the name it
	 * used: played back, it undoes charges under another name.
	 */
	if (stat(path, &file) == 0 && file.st_nlink > 1)
		die(STATUS_INPUT, "ledger %s: the file has another name (a "
		    "hard link), by which charges could get lost", path);
	/* durable also across a power cut between journal and directory */
	sql_run(l, "PRAGMA synchronous = EXTRA");
	/* SQLite before 3.11 takes the word for a lesser promise */
	if (number(l, "PRAGMA synchronous") != 3)
		die(STATUS_INPUT, "ledger %s: this SQLite is too old", path);
	sql_run(l, "PRAGMA foreign_keys = ON");
	return l;
}

void
sql_die(struct ledger *l)
{
	die(STATUS_INPUT, "ledger %s: %s", l->path, l->sqlite->errmsg(l->db));
}

void
sql_run(struct ledger *l, const char *sql)
{
	if (l->sqlite->exec(l->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		sql_die(l);
}

sqlite3_stmt *
sql_prepare(struct ledger *l, const char *sql, int n, ...)
{
	sqlite3_stmt *q;
	va_list texts;

	if (l->sqlite->prepare_v2(l->db, sql, -1, &q, NULL) != SQLITE_OK)
		sql_die(l);
	va_start(texts, n);
	for (int i = 1; i <= n; i++)
		if (l->sqlite->bind_text(q, i, va_arg(texts, const char *), -1,
		    SQLITE_STATIC) != SQLITE_OK)
			sql_die(l);
	va_end(texts);
	return q;
}

void
sql_done(struct ledger *l, sqlite3_stmt *q)
{
	sql_row(l, q);
	l->sqlite->finalize(q);
}

bool
sql_row(struct ledger *l, sqlite3_stmt *q)
{
	int rc = l->sqlite->step(q);

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		sql_die(l);
	return rc == SQLITE_ROW;
}

int64_t
sql_version(struct ledger *l, int64_t least)
{
	int64_t version = number(l, "PRAGMA user_version");

	if (number(l, "PRAGMA application_id") != LEDGER_APPLICATION)
		die(STATUS_INPUT, "ledger %s: not a ledger", l->path);
	if (version < 1 || version > LEDGER_VERSION)
		die(STATUS_INPUT, "ledger %s: version %lld, and this program "
		    "knows versions up to %d", l->path, (long long)version,
		    LEDGER_VERSION);
	if (version < least)
		die(STATUS_REFUSED, "refused: ledger %s was made by dputils "
		    "0.1; dp-budget upgrade brings it to this version",
		    l->path);
	return version;
}

const char *
sql_text(struct ledger *l, sqlite3_stmt *q, int at)
{
	return (const char *)l->sqlite->column_text(q, at);
}

const char *
sql_column(struct ledger *l, sqlite3_stmt *q, int at)
{
	const char *text = sql_text(l, q, at);

	return text == NULL ? "" : text;
}

struct rational
sql_rational(struct ledger *l, sqlite3_stmt *q, int at)
{
	struct rational r;

	if (!rational_read(sql_column(l, q, at), &r) || r.num < 0)
		die(STATUS_INPUT, "ledger %s: a broken number", l->path);
	return r;
}
