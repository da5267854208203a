/* witness: digests of a ledger's changes, kept in a file elsewhere. */
#include "ledger_chain.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool/err.h"

#define DIGITS "0123456789abcdef"

/* Opens the file; its last digest is in buf, or "" where it is empty. */
static int
witness_open(const char *path, char *buf)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
	struct stat s;

	if (fd < 0 || fstat(fd, &s) != 0)
		err_sys("witness %s", path);
	if (!S_ISREG(s.st_mode))
		err_die(STATUS_INPUT, "witness %s: not a regular file", path);
	memset(buf, 0, DIGEST_TEXT);
	if (s.st_size == 0)
		return fd;
	if (pread(fd, buf, DIGEST_TEXT, s.st_size - DIGEST_TEXT) !=
	    DIGEST_TEXT || strspn(buf, DIGITS) != DIGEST_TEXT - 1 ||
	    buf[DIGEST_TEXT - 1] != '\n')
		err_die(STATUS_INPUT, "witness %s: its last line is no digest "
		    "of a ledger", path);
	buf[DIGEST_TEXT - 1] = '\0';
	return fd;
}

void
witness_check(struct ledger *l, const char *path)
{
	char last[DIGEST_TEXT];

	close(witness_open(path, last));
	if (last[0] != '\0' && !chain_has(l, last))
		err_die(STATUS_REFUSED, "refused: ledger %s lacks a change "
		    "that witness %s knows: it is an older copy, or another "
		    "ledger", l->path, path);
}

bool
witness_add(struct ledger *l, const char *path)
{
	char was[DIGEST_TEXT], now[DIGEST_TEXT];
	int fd = witness_open(path, was);
	bool added = true;
	off_t end;

	/* a later digest may have come between, and must be the last line */
	while (added && strcmp(chain_last(l, now), was) != 0) {
		end = lseek(fd, 0, SEEK_END);
		now[DIGEST_TEXT - 1] = '\n';
		added = write(fd, now, sizeof(now)) == sizeof(now);
		if (!added && ftruncate(fd, end) != 0)
			err_sys("witness %s", path);
		close(fd);
		fd = witness_open(path, was);
	}
	close(fd);
	return added;
}
