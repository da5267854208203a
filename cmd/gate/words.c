/* words: the request as words, without a shell. */
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/err.h"
#include "tool/opts.h"

/* Takes the text between two quotes; returns the second quote. */
static const char *
quoted(struct text *word, const char *p)
{
	char quote = *p;

	for (p++; *p != quote; p++) {
		if (quote == '"' && *p == '\\' && p[1] != '\0' &&
		    strchr("\"\\$`", p[1]) != NULL)
			p++;
		if (*p == '\0')
			err_die(STATUS_USAGE, "a quote is not closed");
		text_bytes(word, p, 1);
	}
	return p + 1;
}

/* A word; returns the rest. */
static const char *
take_word(struct text *word, const char *p)
{
	while (*p != '\0' && *p != ' ' && *p != '\t') {
		if (*p == '\'' || *p == '"') {
			p = quoted(word, p);
			continue;
		}
		if (*p == '\\' && *++p == '\0')
			err_die(STATUS_USAGE, "nothing follows a backslash");
		text_bytes(word, p++, 1);
	}
	return p;
}

char **
words_split(const char *p)
{
	char **words = NULL;
	size_t n = 0;

	for (p += strspn(p, " \t"); *p != '\0'; p += strspn(p, " \t")) {
		struct text word = TEXT_INIT;

		p = take_word(&word, p);
		words = err_alloc(words, n + 2, sizeof(*words));
		words[n++] = text_string(&word);
		words[n] = NULL;
	}
	if (n == 0)
		err_die(STATUS_USAGE, "no words");
	return words;
}

/* One byte at a time: the bytes after the line may be the asker's file. */
static char *
input_line(void)
{
	struct text line = TEXT_INIT;
	ssize_t n;
	char c;

	while ((n = text_some(STDIN_FILENO, &c, 1)) == 1 && c != '\n' &&
	    line.len <= WORDS_BYTES)
		text_bytes(&line, &c, 1);
	if (n < 0)
		err_sys("standard input");
	if (line.len > 0 && line.buf[line.len - 1] == '\r')
		line.len--;
	if (line.len > 0 && memchr(line.buf, '\0', line.len) != NULL)
		err_die(STATUS_USAGE, "the command holds a NUL");
	return text_string(&line);
}

char **
words_asked(char **words)
{
	char *line = getenv("SSH_ORIGINAL_COMMAND"), *own = NULL;
	size_t bytes = 0, n = 0;

	if (words[0] == NULL) {
		if (line == NULL)
			line = own = input_line();
		words = words_split(line);
		bytes = strlen(line) > WORDS_BYTES ? strlen(line) : 0;
		free(own);
	}
	for (; words[n] != NULL; n++)
		bytes += strlen(opts_line("the command", words[n]));
	if (bytes > WORDS_BYTES || n > WORDS_MOST)
		err_die(STATUS_USAGE, "the command has more than %d words or "
		    "%d bytes", WORDS_MOST, WORDS_BYTES);
	return words;
}
