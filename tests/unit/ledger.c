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

/* A ledger with a budget of 1, and a charge of a tenth of it. */
struct world {
	char path[32], options[2], report[3];
	struct ledger *l;
	struct charge c;
	struct text out, release;
};

static void
begin(struct world *w, const char *id)
{
	int fd;

	*w = (struct world){ .path = "/tmp/ledger-XXXXXX", .options = "o",
	    .report = "{}", .out = TEXT_INIT, .release = TEXT_INIT };
	fd = mkstemp(w->path);
	cr_assert_geq(fd, 0);
	close(fd);
	w->l = sql_open(w->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	sql_check(w->l);
	sql_done(w->l, sql_prepare(w->l, SQL_NEW_BUDGET, "name", "d",
	    "neighbors", "swap", "total", "1/1", NULL));
	sql_done(w->l, sql_prepare(w->l, SQL_NEW_ACCOUNT, "dataset", "d",
	    "account", "", "total", "1/1", NULL));
	w->c = (struct charge){ .to = { .dataset = "d", .account = "",
	    .id = id }, .amount = { 1, 10 }, .tool = w->options,
	    .options = w->options, .report = w->report,
	    .bounds.is[BOUND_NEIGHBORS] = "swap" };
}

static void
end(struct world *w)
{
	text_free(&w->release);
	text_free(&w->out);
	ledger_close(w->l);
	unlink(w->path);
}

/* A charge that COMMIT returned for survives a power cut: EXTRA, 3. */
Test(ledger, a_charge_is_on_the_disk_before_it_is_believed)
{
	struct world w;

	begin(&w, NULL);
	cr_expect_eq(setting(w.l, "PRAGMA synchronous"), 3);
	cr_expect_eq(setting(w.l, "PRAGMA foreign_keys"), 1);
	cr_expect_geq(setting(w.l, "PRAGMA busy_timeout"), 1000);
	end(&w);
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
	struct world w;
	int early = 0;

	begin(&w, "i");
	text_add(&w.release, "1");
	sqlite3_trace_v2(w.l->db, SQLITE_TRACE_STMT, look, &early);
	cr_expect_eq(ledger_ask(w.l, &w.c, &w.out), LEDGER_OK);
	cr_expect_geq(early, 2);
	early = 0;
	cr_expect_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
	ledger_settle(w.l, &w.c.to, &w.release);
	cr_expect_eq(early, 0);
	cr_expect_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_STORED);
	cr_expect_eq(early, 0);
	end(&w);
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
changed_by_settling(struct world *w)
{
	struct text was = bytes_of(w->path), is;
	size_t changed = 0;

	ledger_settle(w->l, &w->c.to, &w->release);
	is = bytes_of(w->path);
	cr_assert_eq(was.len, is.len);
	for (size_t i = 100; i < is.len; i++)
		changed += was.buf[i] != is.buf[i];
	cr_expect_eq(memcmp(was.buf, is.buf, 24), 0);
	text_free(&was);
	text_free(&is);
	ledger_close(w->l);
	w->l = sql_open(w->path, SQLITE_OPEN_READWRITE);
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
	char id[24];
	struct world w;

	begin(&w, NULL);
	w.c.options = options;
	w.c.amount = (struct rational){ 1, 1000 };
	for (size_t n = 0; n < sizeof(options); n = 2 * n + 7) {
		memset(options, 'x', n);
		w.c.to.id = NULL;
		text_free(&w.release);
		cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
		cr_expect_eq(changed_by_settling(&w), 1);
		snprintf(id, sizeof(id), "%zu", n);
		w.c.to.id = id;
		text_printf(&w.release, "%*d", (int)(40 + n / 10), 5);
		cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
		cr_expect_leq(changed_by_settling(&w), 1 + LEDGER_ROOM);
	}
	end(&w);
}

/* What a power cut leaves of a release is a release when all of it is there. */
Test(ledger, a_release_that_is_not_whole_is_none)
{
	struct text bytes = TEXT_INIT;
	struct world w;
	sqlite3_stmt *q;

	begin(&w, "i");
	text_printf(&w.release, "%900d\n", 7);
	cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
	ledger_keep(w.l, &w.release);
	q = sql_prepare(w.l, SQL_FIND, "dataset", "d", "id", "i", NULL);
	cr_assert(sql_row(w.l, q));
	text_bytes(&bytes, sqlite3_column_blob(q, 0), LEDGER_ROOM);
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.buf[i] ^= 1;
		cr_expect_not(ledger_kept(bytes.buf, bytes.len, &w.out));
		bytes.buf[i] ^= 1;
	}
	cr_expect(ledger_kept(bytes.buf, bytes.len, &w.out));
	cr_expect_eq(w.out.len, w.release.len);
	cr_expect_eq(memcmp(w.out.buf, w.release.buf, w.out.len), 0);
	text_free(&bytes);
	sqlite3_finalize(q);
	end(&w);
}

/* A second descriptor stands for a second program. */
Test(ledger, an_open_entry_whose_program_runs_was_not_left)
{
	struct world w;
	struct ledger other;

	begin(&w, "i");
	other = (struct ledger){ w.l->db, w.path, -1, 0 };
	cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
	cr_expect(ledger_held(&other, w.l->entry));
	cr_expect_not(ledger_hold(&other, w.l->entry));
	cr_expect_eq(gate_left_open(&other, &w.c.to), 0);
	close(w.l->fd);
	w.l->fd = -1;
	cr_expect_eq(gate_left_open(&other, &w.c.to), w.l->entry);
	cr_expect_eq(gate_left_open(&other, &(struct charge_to){
	    .dataset = "d", .account = "jo" }), 0);
	cr_expect(ledger_hold(&other, w.l->entry));
	ledger_settle(w.l, &w.c.to, &w.out);
	close(other.fd);
	cr_expect_eq(gate_left_open(w.l, &w.c.to), 0);
	end(&w);
}
