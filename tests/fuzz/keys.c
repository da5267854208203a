/*
 * keys under random files: every line is found where it stands, a key that
 * was not there is not found, and a file is refused only for having no line
 * or one twice.
 */
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "death.h"
#include "input/keys.h"
#include "tool/opts.h"

static bool
same(struct label a, struct label b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

static void
check(const struct keys *k)
{
	char more[64];
	size_t i;

	if (k->n == 0)
		abort();
	for (i = 0; i < k->n; i++)
		if (keys_find(k, k->key[i].text, k->key[i].len) != i)
			abort();
	for (i = 1; i < k->n; i++)
		if (same(k->key[i], k->key[i - 1]))
			abort();
	/* Keys hold no line ending. */
	snprintf(more, sizeof(more), "%zu\nnot", k->n);
	if (keys_find(k, more, strlen(more)) != k->n)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct opts o = { .delimiter = ',' };
	static struct keys k;
	char path[64];
	int fd = memfd_create("keys", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (setjmp(death) == 0) {
		keys_of(&k, &o, "--keys", path, NULL, NULL, 1);
		check(&k);
	} else if (death_status != STATUS_INPUT)
		abort();
	keys_free(&k);
	close(fd);
	return 0;
}
