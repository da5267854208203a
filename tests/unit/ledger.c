/* ledger: what the disk is asked for. */
#include "gate/gate.h"
#include "ledger/ledger_sql.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
setting(struct ledger *l, const char *pragma)
{
	sqlite3_stmt *q;
	int n;

	cr_assert_eq(sqlite3_prepare_v2(l->db, pragma, -1, &q, NULL),
	    SQLITE_OK);
	cr_assert_eq(sqlite3_step(q), SQLITE_ROW);
	n = sqlite3_column_int(q, 0);
	sqlite3_finalize(q);
	return n;
}

static struct ledger *
new_ledger(char *path)
{
	int fd = mkstemp(path);
	struct ledger *l;

	cr_assert_geq(fd, 0);
	l = sql_open(path, SQLITE_OPEN_READWRITE);
	sql_check(l, true);
	close(fd);
	return l;
}

/* A charge that COMMIT returned for survives a power cut: EXTRA, 3. */
Test(ledger, a_charge_is_on_the_disk_before_it_is_believed)
{
	char path[] = "/tmp/ledger-XXXXXX";
	struct ledger *l = new_ledger(path);

	cr_expect_eq(setting(l, "PRAGMA synchronous"), 3);
	cr_expect_eq(setting(l, "PRAGMA foreign_keys"), 1);
	cr_expect_geq(setting(l, "PRAGMA busy_timeout"), 1000);
	ledger_close(l);
	unlink(path);
}

/* Counts tables that are read while another program may write. */
static int
look(unsigned what, void *early, void *statement, void *sql)
{
	sqlite3 *db = sqlite3_db_handle(statement);

	(void)what;
	*(int *)early += strncmp(sql, "SELECT", 6) == 0 &&
	    sqlite3_txn_state(db, NULL) != SQLITE_TXN_WRITE;
	return 0;
}

/* With a budget of 1. */
static struct ledger *
new_budget(char *path)
{
	struct ledger *l = new_ledger(path);

	sql_done(l, sql_prepare(l, SQL_NEW_BUDGET, "name", "d", "neighbors",
	    "swap", "total", "1/1", NULL));
	sql_done(l, sql_prepare(l, SQL_NEW_ACCOUNT, "dataset", "d", "account",
	    "", "total", "1/1", NULL));
	return l;
}

static struct charge
a_charge(const char *id, char *options)
{
	static char report[] = "{}", tool[] = "t";

	return (struct charge){ .to = { .dataset = "d", .account = "",
	    .id = id }, .amount = { 1, 10 }, .tool = tool,
	    .options = options, .report = report,
	    .bounds.is[BOUND_NEIGHBORS] = "swap" };
}

Test(ledger, between_what_a_charge_reads_and_writes_nobody_comes)
{
	char options[] = "o", path[] = "/tmp/ledger-XXXXXX";
	struct charge c = a_charge("i", options);
	struct text out = TEXT_INIT, release = TEXT_INIT;
	struct ledger *l = new_budget(path);
	int early = 0;

	text_add(&release, "1");
	sqlite3_trace_v2(l->db, SQLITE_TRACE_STMT, look, &early);
	cr_expect_eq(ledger_ask(l, &c, &out), LEDGER_OK);
	cr_expect_geq(early, 2);
	early = 0;
	cr_expect_eq(ledger_charge(l, &c, &out), LEDGER_OK);
	ledger_settle(l, &c.to, &release);
	cr_expect_eq(early, 0);
	cr_expect_eq(ledger_charge(l, &c, &out), LEDGER_STORED);
	cr_expect_eq(early, 0);
	text_free(&release);
	text_free(&out);
	ledger_close(l);
	unlink(path);
}

/* The file's bytes. */
static struct text
bytes_of(const char *path)
{
	struct text t = TEXT_INIT;
	FILE *f = fopen(path, "rb");
	char c;

	while (fread(&c, 1, 1, f) == 1)
		text_bytes(&t, &c, 1);
	fclose(f);
	return t;
}

/*
 * Which is why no disk is waited for: a power cut leaves the byte as it was or
 * as it is.  Entries of all lengths, some on pages of their own.
 */
Test(ledger, settling_without_an_id_changes_one_byte_and_the_counters)
{
	static char options[9000];
	char path[] = "/tmp/ledger-XXXXXX";
	struct ledger *l = new_budget(path);

	for (size_t n = 0; n < sizeof(options); n = 2 * n + 7) {
		struct charge c = a_charge(NULL, options);
		struct text none = TEXT_INIT, was, is;
		size_t changed = 0;

		c.amount = (struct rational){ 1, 1000 };
		memset(options, 'x', n);
		cr_assert_eq(ledger_charge(l, &c, &none), LEDGER_OK);
		was = bytes_of(path);
		ledger_settle(l, &c.to, &none);
		is = bytes_of(path);
		cr_assert_eq(was.len, is.len);
		for (size_t i = 100; i < is.len; i++)
			changed += was.buf[i] != is.buf[i];
		cr_expect_eq(changed, 1);
		cr_expect_eq(memcmp(was.buf, is.buf, 24), 0);
		text_free(&was);
		text_free(&is);
		ledger_close(l);
		l = sql_open(path, SQLITE_OPEN_READWRITE);
	}
	ledger_close(l);
	unlink(path);
}

/* SQLite asks for no sync where synchronous is 0. */
Test(ledger, with_an_id_the_output_is_on_the_disk_before_it_is_printed)
{
	char options[] = "o", path[] = "/tmp/ledger-XXXXXX";
	struct charge c = a_charge("i", options);
	struct text out = TEXT_INIT;
	struct ledger *l = new_budget(path);

	cr_assert_eq(ledger_charge(l, &c, &out), LEDGER_OK);
	ledger_settle(l, &c.to, &out);
	cr_expect_eq(setting(l, "PRAGMA synchronous"), 3);
	ledger_close(l);
	unlink(path);
}

/* A second descriptor stands for a second program. */
Test(ledger, an_open_entry_whose_program_runs_was_not_left)
{
	char options[] = "o", path[] = "/tmp/ledger-XXXXXX";
	struct charge c = a_charge("i", options);
	struct text out = TEXT_INIT;
	struct ledger *l = new_budget(path), other = { l->db, path, -1, 0 };

	cr_assert_eq(ledger_charge(l, &c, &out), LEDGER_OK);
	cr_expect(ledger_held(&other, l->entry));
	cr_expect_not(ledger_hold(&other, l->entry));
	cr_expect_eq(gate_left_open(&other, &c.to), 0);
	close(l->fd);
	l->fd = -1;
	cr_expect_eq(gate_left_open(&other, &c.to), l->entry);
	cr_expect_eq(gate_left_open(&other, &(struct charge_to){
	    .dataset = "d", .account = "jo" }), 0);
	cr_expect(ledger_hold(&other, l->entry));
	ledger_settle(l, &c.to, &out);
	close(other.fd);
	cr_expect_eq(gate_left_open(l, &c.to), 0);
	ledger_close(l);
	unlink(path);
}
