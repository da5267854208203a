/* ledger: what the disk is asked for. */
#include "ledger/ledger.h"
#include "ledger/ledger_sql.h"

#include <criterion/criterion.h>
#include <stdlib.h>
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

/* A charge that COMMIT returned for survives a power cut: EXTRA, 3. */
Test(ledger, a_charge_is_on_the_disk_before_it_is_believed)
{
	char path[] = "/tmp/ledger-XXXXXX";
	struct ledger *l;
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	l = sql_open(path, SQLITE_OPEN_READWRITE);
	sql_check(l, true);
	cr_expect_eq(setting(l, "PRAGMA synchronous"), 3);
	cr_expect_eq(setting(l, "PRAGMA foreign_keys"), 1);
	cr_expect_geq(setting(l, "PRAGMA busy_timeout"), 1000);
	ledger_close(l);
	close(fd);
	unlink(path);
}
