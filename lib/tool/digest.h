/*
 * digest: SHA-256 of a public file's bytes.
 *
 * It tells a file from another of the same name: a list of keys in another
 * order, an edited metric.  A budget binds a metric and its universe by it, so
 * whoever made two files of one digest could charge distances of the one for
 * those of the other.
 */
#ifndef DIGEST_H
#define DIGEST_H

#define DIGEST_TEXT 65	/* 64 hexadecimal digits */

/*
 * The fingerprint of a regular file, in buf; returns buf.  A file that cannot
 * be read ends the program with status 1, and so does one that can be read
 * only once, such as a pipe; `name` is the option that names it.
 */
char *digest_file(const char *name, const char *path, char *buf);

#endif
