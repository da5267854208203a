/* digest: a fingerprint of a public file's bytes. */
#include "digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "number/fixed.h"

/* Offset and prime of FNV-1a with 128 bits. */
#define OFFSET ((u128)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d)
#define PRIME ((u128)1 << 88 | 0x13b)

char *
digest_file(const char *name, const char *path, char *buf)
{
	unsigned char bytes[16384];
	u128 h = OFFSET;
	struct stat st;
	ssize_t n;
	/* a pipe is refused below, and not waited for */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) != 0)
		diesys(STATUS_INPUT, "%s %s", name, path);
	if (!S_ISREG(st.st_mode))
		die(STATUS_INPUT, "%s %s: its contents are compared with "
		    "those of an earlier release, which needs a regular file",
		    name, path);
	while ((n = read(fd, bytes, sizeof(bytes))) != 0) {
		if (n < 0 && errno != EINTR)
			diesys(STATUS_INPUT, "%s %s", name, path);
		for (ssize_t i = 0; i < n; i++)
			h = (h ^ bytes[i]) * PRIME;
	}
	close(fd);
	snprintf(buf, DIGEST_TEXT, "%016llx%016llx",
	    (unsigned long long)(h >> 64), (unsigned long long)h);
	return buf;
}
