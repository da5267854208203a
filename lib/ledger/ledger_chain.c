/* ledger_chain: a ledger's past, and its secret key. */
#include "ledger_chain.h"

#include <stdio.h>

#include "tool/err.h"
#include "tool/host.h"

#define KEY 32		/* bytes */

void
chain_begin(struct ledger *l)
{
	unsigned char key[KEY];
	char text[2 * KEY + 1];

	host_random(key, sizeof(key));
	for (size_t i = 0; i < sizeof(key); i++)
		snprintf(text + 2 * i, 3, "%02x", key[i]);
	sql_done(l, sql_prepare(l, SQL_NEW_KEY, "key", text, NULL));
}

/* The digest of a key and a text, by the key again: no longer text has it. */
char *
chain_keyed(struct ledger *l, const char *text, char *buf)
{
	struct text t = TEXT_INIT;
	sqlite3_stmt *q;

	if (text == NULL)
		return NULL;
	q = sql_prepare(l, SQL_KEY, NULL);
	if (!sql_row(l, q))
		err_die(STATUS_INPUT, "ledger %s: it has no key", l->path);
	text_printf(&t, "%s%s", sql_word(q, "key"), text);
	digest_bytes(t.buf, t.len, buf);
	t.len = 0;
	text_printf(&t, "%s%s", sql_word(q, "key"), buf);
	digest_bytes(t.buf, t.len, buf);
	sqlite3_finalize(q);
	text_free(&t);
	return buf;
}

/*
 * A row's columns: name, number of bytes, bytes; a dash is SQL's NULL.  A
 * number becomes a text here, for which there may be no memory.
 */
static void
chain_row(struct ledger *l, sqlite3_stmt *q, struct text *t)
{
	for (int i = 0; i < sqlite3_column_count(q); i++) {
		const char *bytes = sqlite3_column_blob(q, i);
		int n = sqlite3_column_bytes(q, i);

		if (bytes == NULL && sqlite3_errcode(l->db) == SQLITE_NOMEM)
			sql_die(l);
		text_printf(t, "%s ", sqlite3_column_name(q, i));
		if (sqlite3_column_type(q, i) == SQLITE_NULL)
			text_add(t, "-");
		else
			text_printf(t, "%d:", n);
		if (n > 0)
			text_bytes(t, bytes, (size_t)n);
		text_add(t, "\n");
	}
}

void
chain_add(struct ledger *l, int64_t number)
{
	char digest[DIGEST_TEXT], which[FIXED_TEXT];
	struct text t = TEXT_INIT;
	sqlite3_stmt *q = sql_prepare(l, SQL_ENTRY, "number",
	    fixed_text(which, number, 0), NULL);

	if (chain_last(l, digest)[0] == '\0')
		chain_keyed(l, "", digest);
	text_printf(&t, "before %s\n", digest);
	if (!sql_row(l, q))
		err_die(STATUS_INPUT, "ledger %s: an entry is missing",
		    l->path);
	chain_row(l, q, &t);
	sqlite3_finalize(q);
	sql_done(l, sql_prepare(l, SQL_CHAIN_ADD, "number", which, "digest",
	    digest_bytes(t.buf, t.len, digest), NULL));
	text_free(&t);
}

char *
chain_last(struct ledger *l, char *buf)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_CHAIN_LAST, NULL);

	buf[0] = '\0';
	if (sql_row(l, q))
		snprintf(buf, DIGEST_TEXT, "%s", sql_word(q, "digest"));
	sqlite3_finalize(q);
	return buf;
}

bool
chain_has(struct ledger *l, const char *digest)
{
	sqlite3_stmt *q = sql_prepare(l, SQL_CHAIN_FIND, "digest", digest,
	    NULL);
	bool has = sql_row(l, q);

	sqlite3_finalize(q);
	return has;
}
