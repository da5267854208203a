/*
 * text: a string that grows, for output, messages and keys.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct text {
	char *buf;		/* a string if not empty; NULL at first */
	size_t len;
	size_t cap;
};

#define TEXT_INIT { NULL, 0, 0 }

/* A public name: somebody else's bytes, not terminated. */
struct label {
	const char *text;
	size_t len;
};

/* Takes n bytes off the beginning, of at least as many. */
static inline void
text_skip(struct label *l, size_t n)
{
	l->text += n;
	l->len -= n;
}

/* Each appends; without memory the program ends with status 1. */
void text_bytes(struct text *t, const char *s, size_t len);
void text_add(struct text *t, const char *s);
void text_printf(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* read(2), and again where a signal came between. */
ssize_t text_some(int fd, char *buf, size_t n);

/*
 * Appends what can be read, up to the end, or until the text has more than
 * `most' bytes; false where reading failed, and errno says why.
 */
bool text_read(struct text *t, int fd, size_t most);

/* Bytes as a CSV cell, in quotes; in quotes only where needed. */
void text_quoted(struct text *t, const char *s, size_t len);
void text_cell(struct text *t, const char *s, size_t len);

/*
 * Bytes as a JSON string with its quotes; bytes outside UTF-8 become U+FFFD,
 * byte by byte.
 */
void text_json(struct text *t, const char *s, size_t len);

/* The same to compare: two texts of other bytes differ in it, too. */
void text_exact(struct text *t, const char *s, size_t len);

/* Bytes without blanks around, as cells without quotes come. */
struct label text_trim(const char *text, size_t len);

/*
 * Returns the part of *rest before the first of these marks, and ends it there;
 * *rest moves after the mark.  After the last part *rest is NULL, and the next
 * call returns NULL.
 */
char *text_field(char **rest, const char *marks);

/* The text as a string, the caller's from now on; t is empty again. */
char *text_string(struct text *t);

void text_free(struct text *t);

/* Ends the program if standard output is closed, or open for reading only.  To
 * be called before a charge. */
void text_room(void);

/* Writes all bytes; status 1 with words for `what' where it fails. */
void text_write(int fd, const char *s, size_t n, const char *what);

/*
 * The one way to standard output: writes all bytes and closes it.  A failure,
 * such as a full disk, is status 1 with words; a closed pipe is quiet.
 */
void text_output(const char *s, size_t len);

/*
 * The text as a file in memory, to be read from its start; t is empty again.  A
 * failure is status 1 with these words.
 */
int text_file(struct text *t, const char *what);
