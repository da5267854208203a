/* ledger_old: ledgers of version 4, which dputils 1.0.0 made. */
#include "ledger_old.h"

#include <stdlib.h>
#include <string.h>

#include "ledger_chain.h"
#include "ledger.h"
#include "tool/err.h"

static const char views[] =
	"CREATE TEMP VIEW IF NOT EXISTS data_set AS SELECT *, NULL AS quote,"
	" NULL AS reading, NULL AS grouped, NULL AS schema FROM main.data_set;"
	"CREATE TEMP VIEW IF NOT EXISTS entry AS SELECT *, NULL AS schema,"
	" NULL AS command, NULL AS keyed FROM main.entry;"
	"CREATE TEMP VIEW IF NOT EXISTS chain AS SELECT 0 AS number,"
	" '' AS digest WHERE 0;";

static const char aside[] =
	"DROP VIEW temp.data_set; DROP VIEW temp.entry; DROP VIEW temp.chain;"
	"ALTER TABLE entry RENAME TO old_entry;"
	"ALTER TABLE slice RENAME TO old_slice;"
	"ALTER TABLE account RENAME TO old_account;"
	"ALTER TABLE data_set RENAME TO old_data_set;";

/* The new tables have the old columns first. */
static const char copy[] =
	"INSERT INTO data_set SELECT *, NULL, NULL, NULL, NULL"
	" FROM old_data_set;"
	"INSERT INTO account SELECT * FROM old_account;"
	"INSERT INTO slice SELECT * FROM old_slice;"
	"INSERT INTO entry SELECT *, NULL, NULL, NULL FROM old_entry;";

static const char drop[] = "DROP TABLE old_entry; DROP TABLE old_slice;"
	"DROP TABLE old_account; DROP TABLE old_data_set;";

#define OPERANDS "\"operands\": [\"value\""	/* of laplace, in options */
#define DIGEST (DIGEST_TEXT - 1)

void
old_show(struct ledger *l)
{
	sql_script(l, views);
}

/*
 * The release in an entry's bytes: the digest of the rest, a length on a line,
 * the release, zeros.  False where a death left no release, or half of one.
 */
static bool
old_release(const char *bytes, size_t n, struct text *out)
{
	struct text kept = TEXT_INIT;
	char digest[DIGEST_TEXT], *end;
	bool whole;
	size_t len;

	if (n <= DIGEST)
		return false;
	text_bytes(&kept, bytes + DIGEST, n - DIGEST);
	digest_bytes(kept.buf, kept.len, digest);
	whole = memcmp(bytes, digest, DIGEST) == 0;
	if (whole) {
		len = strtoull(kept.buf, &end, 10);
		text_bytes(out, end + 1, len);
	}
	text_free(&kept);
	return whole;
}

/* Options keep a digest by the key alone of private operands. */
static void
old_options(struct ledger *l, const char *number, const char *options)
{
	const char *at = strstr(options, OPERANDS), *operands;
	char digest[DIGEST_TEXT], *secret;
	struct text rest = TEXT_INIT;

	if (at == NULL || at[strlen(OPERANDS)] != ',')
		return;
	operands = at + strlen(OPERANDS ", ");
	secret = err_copy(operands, strlen(operands) - strlen("]}"));
	text_printf(&rest, "%.*s" OPERANDS "]}", (int)(at - options), options);
	sql_done(l, sql_prepare(l, SQL_OLD_OPTIONS, "number", number,
	    "options", rest.buf, "keyed", chain_keyed(l, secret, digest),
	    NULL));
	free(secret);
	text_free(&rest);
}

/* A whole release may have been seen, whatever the state; half a one not. */
static void
old_output(struct ledger *l, sqlite3_stmt *old, const char *number)
{
	struct text output = TEXT_INIT;
	int64_t state = sql_number(old, "state");
	char to[FIXED_TEXT];
	sqlite3_stmt *q;

	if (old_release(sqlite3_column_blob(old, 0),
	    (size_t)sqlite3_column_bytes(old, 0), &output))
		state = ENTRY_SETTLED;
	else if (state == ENTRY_SETTLED)
		state = ENTRY_CLOSED;
	q = sql_prepare(l, SQL_OLD_OUTPUT, "number", number, "state",
	    fixed_text(to, state, 0), NULL);
	sql_bind_bytes(l, q, "output", &output);
	sql_done(l, q);
	text_free(&output);
}

void
old_renew(struct ledger *l)
{
	char number[FIXED_TEXT];
	sqlite3_stmt *q;

	sql_script(l, aside);
	sql_tables(l);
	sql_script(l, copy);
	q = sql_prepare(l, SQL_OLD_ENTRIES, NULL);
	while (sql_row(l, q)) {
		int64_t n = sql_number(q, "number");

		if (sql_number(q, "state") == ENTRY_OPEN && ledger_held(l, n))
			err_die(STATUS_INPUT, "ledger %s: a program of dputils "
			    "1.0.0 still runs under a charge; try again when "
			    "it has ended", l->path);
		fixed_text(number, n, 0);
		old_options(l, number, sql_word(q, "options"));
		if (sql_text(q, "id") != NULL)
			old_output(l, q, number);
	}
	sqlite3_finalize(q);
	sql_script(l, drop);
}
