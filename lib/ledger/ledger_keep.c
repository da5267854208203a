/*
 * ledger_keep: the output of a charge with an id, kept for retries.
 *
 * With its charge an entry gets LEDGER_ROOM zeros.  The output is written over
 * the zeros: a digest, the length, the bytes.  Then the state becomes settled.
 *
 * - Keeping needs no journal.  SQLite from 3.24 on writes a row of the same
 *   length over the old row, so that no byte changes by which another is found;
 *   beside the room only the counters at the file's head change, in one sector.
 *   Whichever sectors a power cut lets through, and between whichever two pages
 *   a program dies, the ledger is in order, the entry is charged and open, and
 *   the room holds zeros, the output, or a mixture.  A mixture has not its own
 *   digest, and is no output: a retry draws new noise under the charge, and
 *   nobody has seen the old.
 * - Nothing is printed until the file is synced, and then the folder.  From
 *   here on every retry finds the bytes.  (A job that died between taking its
 *   journal away and the folder's sync leaves a journal that a power cut brings
 *   back, and with the journal the pages as they were before that job.  Behind
 *   the folder's sync no journal from before the output can come back.)
 * - A program may have died with the output written and not synced: only memory
 *   has it.  The entry is open then.  The retry settles it by a transaction
 *   with a journal and all syncs, and prints after that.
 * - A settled entry was synced, as its state changes behind the sync.  The
 *   changed state is not waited for: if it is lost, the entry is open, and its
 *   output is kept all the same.
 *
 * So of one charge at most one output is seen, and a charge is there before
 * and after.  An output too long for its room is kept by a transaction with a
 * journal and all syncs.
 */
#include "ledger.h"

#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger_sql.h"
#include "tool/digest.h"
#include "tool/err.h"

#define DIGEST (DIGEST_TEXT - 1)

void
ledger_keep(struct ledger *l, const struct text *release)
{
	char digest[DIGEST_TEXT] = "";
	struct text kept = TEXT_INIT;
	bool fits;

	text_printf(&kept, "%*s%zu\n", DIGEST, digest, release->len);
	text_bytes(&kept, release->buf, release->len);
	while (kept.len < LEDGER_ROOM)
		text_bytes(&kept, "", 1);
	digest_bytes(kept.buf + DIGEST, kept.len - DIGEST, digest);
	memcpy(kept.buf, digest, DIGEST);
	fits = kept.len == LEDGER_ROOM && SQL_WRITES_OVER;
	if (fits)
		sql_run(l, SQL_IN_PLACE);
	sql_run(l, SQL_LOCK);
	sql_end_entry(l, l->entry, ENTRY_OPEN, &kept);
	sql_run(l, SQL_COMMIT);
	if (fits)
		ledger_sync_folder(l);
	text_free(&kept);
}

bool
ledger_kept(const char *bytes, size_t n, struct text *out)
{
	struct text kept = TEXT_INIT;
	char digest[DIGEST_TEXT], *end;
	bool whole;
	size_t len;

	if (n <= DIGEST)
		return false;
	text_bytes(&kept, bytes, n);
	digest_bytes(kept.buf + DIGEST, n - DIGEST, digest);
	whole = memcmp(kept.buf, digest, DIGEST) == 0;
	if (whole) {
		len = strtoull(kept.buf + DIGEST, &end, 10);
		text_bytes(out, end + 1, len);
	}
	text_free(&kept);
	return whole;
}

void
ledger_sync_folder(struct ledger *l)
{
	const char *path = sqlite3_db_filename(l->db, "main");
	char *copy = err_copy(path, strlen(path));
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) != 0)
		err_sys("ledger %s: its folder", l->path);
	close(fd);
	free(copy);
}
