/* SHA-256 beside the examples of FIPS 180-4, and at the ends of blocks. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/digest.h"

/* The digest of `n' times a byte. */
static void
of(int byte, size_t n, char *buf)
{
	char path[] = "/tmp/dputils-digest-XXXXXX";
	char *bytes = malloc(n + 1);
	int fd = mkstemp(path);

	memset(bytes, byte, n);
	cr_assert(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
	digest_file("file", path, buf);
	close(fd);
	unlink(path);
	free(bytes);
}

Test(digest, lengths_around_a_block_and_a_buffer)
{
	static const struct {
		size_t n;
		const char *sum;
	} table[] = {
		{ 0, "e3b0c44298fc1c149afbf4c8996fb924"
		    "27ae41e4649b934ca495991b7852b855" },
		{ 55, "9f4390f8d30c2dd92ec9f095b65e2b9a"
		    "e9b0a925a5258e241c9f1e910f734318" },
		{ 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f"
		    "590ce20f1bde7090ef7970686ec6738a" },
		{ 64, "ffe054fe7ae0cb6dc65c3af9b61d5209"
		    "f439851db43d0ba5997337df154668eb" },
		{ 119, "31eba51c313a5c08226adf18d4a359cf"
		    "dfd8d2e816b13f4af952f7ea6584dcfb" },
		{ 16384, "f3336bea752b5a28743033dd2c844a4a"
		    "63fba08871aaee2586a2bf2d69be83a2" },
		{ 1000000, "cdc76e5c9914fb9281a1c7e284d73e67"
		    "f1809a48a497200e046d39ccc7112cd0" },
	};
	char buf[DIGEST_TEXT];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		of('a', table[i].n, buf);
		cr_assert_str_eq(buf, table[i].sum, "%zu bytes", table[i].n);
	}
}
