/* ledger: what the disk is asked for. */
#include "ledger/ledger.h"
#include "ledger/ledger_sql.h"

#include <criterion/criterion.h>
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

Test(ledger, between_what_a_charge_reads_and_writes_nobody_comes)
{
	struct charge c = { .to = { .dataset = "d", .account = "",
	    .id = "i" }, .amount = { 1, 10 }, .tool = "t", .options = "o",
	    .report = "{}", .bounds.is[BOUND_NEIGHBORS] = "swap" };
	struct text out = TEXT_INIT, release = TEXT_INIT;
	char path[] = "/tmp/ledger-XXXXXX";
	struct ledger *l = new_ledger(path);
	int early = 0;

	text_add(&release, "1");
	sql_done(l, sql_prepare(l, SQL_NEW_BUDGET, "name", "d", "neighbors",
	    "swap", "total", "1/1", NULL));
	sql_done(l, sql_prepare(l, SQL_NEW_ACCOUNT, "dataset", "d", "account",
	    "", "total", "1/1", NULL));
	sqlite3_trace_v2(l->db, SQLITE_TRACE_STMT, look, &early);
	cr_expect_eq(ledger_charge(l, &c, NULL, &out), LEDGER_OK);
	cr_expect_geq(early, 2);
	early = 0;
	cr_expect_eq(ledger_charge(l, &c, &release, &out), LEDGER_OK);
	cr_expect_eq(early, 0);
	cr_expect_eq(ledger_charge(l, &c, &release, &out), LEDGER_STORED);
	cr_expect_eq(early, 0);
	text_free(&release);
	text_free(&out);
	ledger_close(l);
	unlink(path);
}
