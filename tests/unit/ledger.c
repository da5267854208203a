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
	l = sql_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	sql_check(l);
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

/* How many bytes of the file settling changes, but for the counters. */
static size_t
changed_by_settling(struct ledger *l, const char *path,
    const struct charge_to *to, const struct text *release)
{
	struct text was = bytes_of(path), is;
	size_t changed = 0;

	ledger_settle(l, to, release);
	is = bytes_of(path);
	cr_assert_eq(was.len, is.len);
	for (size_t i = 100; i < is.len; i++)
		changed += was.buf[i] != is.buf[i];
	cr_expect_eq(memcmp(was.buf, is.buf, 24), 0);
	text_free(&was);
	text_free(&is);
	return changed;
}

/*
 * Which is why no disk is waited for, and no journal written: a power cut
 * leaves the byte of the state as it was or as it is, and of a release no more
 * than its room has another value.  Entries of all lengths, some on pages of
 * their own.
 */
Test(ledger, settling_changes_one_byte_and_the_room_and_the_counters)
{
	static char options[9000];
	char path[] = "/tmp/ledger-XXXXXX", id[24];
	struct ledger *l = new_budget(path);
	struct text release = TEXT_INIT;

	for (size_t n = 0; n < sizeof(options); n = 2 * n + 7) {
		struct charge c = a_charge(NULL, options);
		struct text none = TEXT_INIT;

		c.amount = (struct rational){ 1, 1000 };
		memset(options, 'x', n);
		cr_assert_eq(ledger_charge(l, &c, &none), LEDGER_OK);
		cr_expect_eq(changed_by_settling(l, path, &c.to, &none), 1);
		ledger_close(l);
		l = sql_open(path, SQLITE_OPEN_READWRITE);
		snprintf(id, sizeof(id), "%zu", n);
		c.to.id = id;
		text_printf(&release, "%40d", 5);
		cr_assert_eq(ledger_charge(l, &c, &none), LEDGER_OK);
		cr_expect_leq(changed_by_settling(l, path, &c.to, &release),
		    1 + LEDGER_ROOM);
		ledger_close(l);
		l = sql_open(path, SQLITE_OPEN_READWRITE);
	}
	text_free(&release);
	ledger_close(l);
	unlink(path);
}

/* What a power cut leaves of a release is a release when all of it is there. */
Test(ledger, a_release_that_is_not_whole_is_none)
{
	char options[] = "o", path[] = "/tmp/ledger-XXXXXX";
	struct charge c = a_charge("i", options);
	struct text release = TEXT_INIT, out = TEXT_INIT, bytes = TEXT_INIT;
	struct ledger *l = new_budget(path);
	sqlite3_stmt *q;

	text_printf(&release, "%900d\n", 7);
	cr_assert_eq(ledger_charge(l, &c, &out), LEDGER_OK);
	ledger_keep(l, &release);
	q = sql_prepare(l, SQL_FIND, "dataset", "d", "id", "i", NULL);
	cr_assert(sql_row(l, q));
	text_bytes(&bytes, sqlite3_column_blob(q, 0), LEDGER_ROOM);
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.buf[i] ^= 1;
		cr_expect_not(ledger_kept(bytes.buf, bytes.len, &out));
		bytes.buf[i] ^= 1;
	}
	cr_expect(ledger_kept(bytes.buf, bytes.len, &out));
	cr_expect_eq(out.len, release.len);
	cr_expect_eq(memcmp(out.buf, release.buf, out.len), 0);
	text_free(&release);
	text_free(&out);
	text_free(&bytes);
	sqlite3_finalize(q);
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
