/*
 * digest: SHA-256 over a public file's bytes, and over bytes in memory.
 *
 * A digest tells files with one name apart: a list of keys in a new order, an
 * edited metric.  A budget binds a metric and the universe by digests, so
 * whoever made two files with one digest could charge the distances in the
 * first for distances in the second.
 */
#pragma once

#include <stddef.h>

#define DIGEST_TEXT 65	/* 64 hexadecimal digits */

/*
 * A regular file's fingerprint, in buf; returns buf.  A file that cannot be
 * read ends the program with status 1, and so does a file readable only once,
 * such as a pipe; `name` is the option that names the file.
 */
char *digest_file(const char *name, const char *path, char *buf);

/* The same of n > 0 bytes. */
char *digest_bytes(char *bytes, size_t n, char *buf);
