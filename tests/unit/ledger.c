/*
 * ledger: what the disk is asked for; and witness.c once more under other
 * names, with somebody else's change before its line is written.
 */
#include <unistd.h>

static off_t late_lseek(int fd, off_t at, int from);

#define lseek late_lseek
#define witness_check late_check
#define witness_add late_add
#include "../../lib/ledger/witness.c"
#undef lseek
#undef witness_check
#undef witness_add

#include "gate/gate.h"
#include "ledger/ledger_chain.h"
#include "ledger/ledger_sql.h"

#include <criterion/criterion.h>
#include <fcntl.h>
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

/*
 * A ledger with a budget of 1, and a charge of a tenth of it; in a folder of
 * its own, as nobody else may write beside a ledger.
 */
struct world {
	char folder[32], path[48], witness[48], options[2], report[3];
	struct ledger *l;
	struct charge c;
	struct text out, release;
};

static void
begin(struct world *w, const char *id)
{
	*w = (struct world){ .folder = "/tmp/ledger-XXXXXX", .options = "o",
	    .report = "{}", .out = TEXT_INIT, .release = TEXT_INIT };
	cr_assert_not_null(mkdtemp(w->folder));
	snprintf(w->path, sizeof(w->path), "%s/l.db", w->folder);
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
	rmdir(w->folder);
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

/* Counts what was changed, and whether a digest is at hand. */
static void
expect_chain(struct world *w, int rows, const char *digest)
{
	char last[DIGEST_TEXT];

	cr_expect_eq(setting(w->l, "SELECT count(*) FROM chain"), rows);
	cr_expect_eq(strlen(chain_last(w->l, last)), rows > 0 ? 64u : 0u);
	cr_expect(rows == 0 || chain_has(w->l, last));
	cr_expect_not(rows > 0 && strcmp(last, digest) == 0);
}

/* Every change adds a row, whose digest is of all that came before. */
Test(ledger, each_change_has_the_digest_of_those_before)
{
	char digest[3][DIGEST_TEXT];
	struct world w;

	begin(&w, "i");
	expect_chain(&w, 0, "");
	cr_expect_str_eq(chain_last(w.l, digest[0]), "");
	cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
	expect_chain(&w, 1, digest[0]);
	chain_last(w.l, digest[1]);
	text_add(&w.release, "1");
	ledger_settle(w.l, &w.c.to, &w.release);
	expect_chain(&w, 2, digest[1]);
	cr_expect(chain_has(w.l, digest[1]));
	cr_expect_not(chain_has(w.l, ""));
	chain_last(w.l, digest[2]);
	w.c.to.id = NULL;
	cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
	expect_chain(&w, 3, digest[2]);
	/* a state that comes again has another past */
	chain_add(w.l, w.l->entry);
	chain_add(w.l, w.l->entry);
	expect_chain(&w, 5, digest[2]);
	end(&w);
}

/* The keys of two ledgers differ, and so does whatever is made with them. */
Test(ledger, a_digest_by_the_key_is_one_ledgers_alone)
{
	char a[DIGEST_TEXT], b[DIGEST_TEXT];
	struct world one, two;

	begin(&one, NULL);
	begin(&two, NULL);
	cr_expect_null(chain_keyed(one.l, NULL, a));
	cr_expect_str_eq(chain_keyed(one.l, "7", a),
	    chain_keyed(one.l, "7", b));
	cr_expect_str_neq(a, chain_keyed(one.l, "8", b));
	cr_expect_str_neq(a, chain_keyed(two.l, "7", b));
	ledger_charge(one.l, &one.c, &one.out);
	ledger_charge(two.l, &two.c, &two.out);
	cr_expect_str_neq(chain_last(one.l, a), chain_last(two.l, b));
	end(&one);
	end(&two);
}

bool witness_add(struct ledger *l, const char *path);

static struct world *between;

static off_t
late_lseek(int fd, off_t at, int from)
{
	struct world *w = between;

	between = NULL;
	if (w != NULL) {
		ledger_settle(w->l, &w->c.to, &w->out);
		cr_expect(witness_add(w->l, w->witness));
	}
	return lseek(fd, at, from);
}

Test(ledger, a_witness_has_the_last_change_in_its_last_line)
{
	struct world w;
	char last[DIGEST_TEXT], seen[DIGEST_TEXT];

	begin(&w, "i");
	snprintf(w.witness, sizeof(w.witness), "%s/w", w.folder);
	close(open(w.witness, O_WRONLY | O_CREAT, S_IRUSR | S_IWUSR));
	cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
	between = &w;
	cr_expect(late_add(w.l, w.witness));
	close(witness_open(w.witness, seen));
	cr_expect_str_eq(seen, chain_last(w.l, last));
	unlink(w.witness);
	end(&w);
}

/* A second descriptor stands for a second program. */
Test(ledger, an_open_entry_whose_program_runs_was_not_left)
{
	struct world w;
	struct ledger other;
	struct flock byte = { .l_type = F_RDLCK, .l_whence = SEEK_SET,
	    .l_len = 1 };
	int reader;

	begin(&w, "i");
	other = (struct ledger){ w.l->db, w.path, -1, 0 };
	cr_assert_eq(ledger_charge(w.l, &w.c, &w.out), LEDGER_OK);
	cr_expect(ledger_held(&other, w.l->entry));
	cr_expect_not(ledger_hold(&other, w.l->entry));
	cr_expect_eq(gate_left_open(&other, &w.c.to), 0);
	close(w.l->fd);
	w.l->fd = -1;
	/* nor does somebody who reads the file keep it from being seen */
	byte.l_start = ((off_t)1 << 41) + (off_t)w.l->entry;
	reader = host_lock_file(w.path);
	cr_assert_eq(host_lock(reader, true, &byte), 0);
	cr_expect_eq(gate_left_open(&other, &w.c.to), w.l->entry);
	close(reader);
	cr_expect_eq(gate_left_open(&other, &(struct charge_to){
	    .dataset = "d", .account = "jo" }), 0);
	cr_expect(ledger_hold(&other, w.l->entry));
	ledger_settle(w.l, &w.c.to, &w.out);
	close(other.fd);
	cr_expect_eq(gate_left_open(w.l, &w.c.to), 0);
	end(&w);
}
