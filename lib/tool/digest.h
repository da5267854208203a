/*
 * digest: a fingerprint of a public file's bytes.
 *
 * It tells a file from another of the same name: a list of keys in another
 * order, an edited metric.  These files are public and nobody gains by two of
 * them with one fingerprint, so it is FNV-1a, in 128 bits against chance.
 */
#ifndef DIGEST_H
#define DIGEST_H

#define DIGEST_TEXT 33	/* 32 hexadecimal digits */

/*
 * The fingerprint of a regular file, in buf; returns buf.  A file that cannot
 * be read ends the program with status 1, and so does one that can be read
 * only once, such as a pipe; `name` is the option that names it.
 */
char *digest_file(const char *name, const char *path, char *buf);

#endif
