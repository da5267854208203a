/* text: a string that grows, for output, messages and keys. */
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "host.h"
#include "number/fixed.h"

void
text_bytes(struct text *t, const char *s, size_t len)
{
	if (len == 0)
		return;
	t->buf = err_grow(t->buf, t->len + len, &t->cap, 1);
	memcpy(t->buf + t->len, s, len);
	t->len += len;
	t->buf[t->len] = '\0';
}

void
text_add(struct text *t, const char *s)
{
	text_bytes(t, s, strlen(s));
}

void
text_printf(struct text *t, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0)
		err_die(STATUS_INPUT, "out of memory");
	t->buf = err_grow(t->buf, t->len + (size_t)n, &t->cap, 1);
	va_start(args, format);
	vsnprintf(t->buf + t->len, (size_t)n + 1, format, args);
	va_end(args);
	t->len += (size_t)n;
}

/*
 * The length of the UTF-8 character at s, 0 if none: the second byte also tells
 * apart overlong forms, surrogates and codes above U+10FFFF.
 */
static size_t
character(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;
	/* a byte more from each of these first bytes on */
	size_t n = (size_t)(1 + (u[0] >= 0x80) + (u[0] >= 0xe0) +
	    (u[0] >= 0xf0));

	if ((u[0] >= 0x80 && u[0] < 0xc2) || u[0] > 0xf4 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
		return 0;
	return n;
}

/* No text in UTF-8 has the numbers of half a pair, from d800 to dfff. */
static void
add_json(struct text *t, const char *s, size_t len, bool exact)
{
	text_add(t, "\"");
	for (size_t i = 0, n; i < len; i += FIXED_MOST(n, 1)) {
		unsigned char c = (unsigned char)s[i];

		n = character(s + i, len - i);
		if (n == 0 && exact)
			text_printf(t, "\\udc%02x", c);
		else if (n == 0)
			text_add(t, "\\ufffd");
		else if (c == '"' || c == '\\')
			text_printf(t, "\\%c", c);
		else if (c < 32 || c == 127)
			text_printf(t, "\\u%04x", c);
		else
			text_bytes(t, s + i, n);
	}
	text_add(t, "\"");
}

void
text_json(struct text *t, const char *s, size_t len)
{
	add_json(t, s, len, false);
}

void
text_exact(struct text *t, const char *s, size_t len)
{
	add_json(t, s, len, true);
}

void
text_quoted(struct text *t, const char *s, size_t len)
{
	text_add(t, "\"");
	for (size_t i = 0; i < len; i++)
		if (s[i] == '"')
			text_add(t, "\"\"");
		else
			text_bytes(t, s + i, 1);
	text_add(t, "\"");
}

void
text_cell(struct text *t, const char *s, size_t len)
{
	bool plain = len > 0 && s[0] != ' ' && s[len - 1] != ' ';

	for (size_t i = 0; i < len; i++)
		plain = plain && strchr(",\"\r\n\t", s[i]) == NULL;
	if (plain)
		text_bytes(t, s, len);
	else
		text_quoted(t, s, len);
}

char *
text_field(char **rest, const char *marks)
{
	char *field = *rest;

	if (field == NULL)
		return NULL;
	*rest = strpbrk(field, marks);
	if (*rest != NULL)
		*(*rest)++ = '\0';
	return field;
}

char *
text_string(struct text *t)
{
	char *s;

	text_bytes(t, "", 1);
	s = t->buf;
	*t = (struct text)TEXT_INIT;
	return s;
}

void
text_free(struct text *t)
{
	free(t->buf);
	*t = (struct text)TEXT_INIT;
}

ssize_t
text_some(int fd, char *buf, size_t n)
{
	ssize_t got;

	do
		got = read(fd, buf, n);
	while (got < 0 && errno == EINTR);
	return got;
}

bool
text_read(struct text *t, int fd, size_t most)
{
	char buf[65536];
	ssize_t n = 1;

	while (n > 0 && t->len <= most)
		if ((n = text_some(fd, buf, sizeof(buf))) > 0)
			text_bytes(t, buf, (size_t)n);
	return n >= 0;
}

struct label
text_trim(const char *text, size_t len)
{
	for (; len > 0 && (*text == ' ' || *text == '\t'); text++)
		len--;
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return (struct label){ text, len };
}

/* err_guard opened a closed descriptor for reading alone. */
void
text_room(void)
{
	if ((fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY)
		return;
	errno = EBADF;
	err_sys("standard output");
}

void
text_write(int fd, const char *p, size_t n, const char *what)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && errno == EPIPE)
			exit(STATUS_INPUT);
		if (done < 0)
			err_sys("%s", what);
		p += done;
		n -= (size_t)done;
	}
}

void
text_output(const char *s, size_t len)
{
	text_write(STDOUT_FILENO, s, len, "standard output");
	if (close(STDOUT_FILENO) != 0)
		err_sys("standard output");
}

int
text_file(struct text *t, const char *what)
{
	int fd = host_file();

	if (fd < 0)
		err_sys("%s", what);
	text_write(fd, t->buf, t->len, what);
	text_free(t);
	if (lseek(fd, 0, SEEK_SET) != 0)
		err_sys("%s", what);
	return fd;
}
