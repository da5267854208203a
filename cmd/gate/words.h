/*
 * words: the request as words, without a shell.
 *
 * A line is split as sh quotes it: at blanks, with '...', "..." and \.
 * Everything else is taken as it is: no variable, glob, substitution or
 * redirection.
 */
#pragma once

#define WORDS_BYTES 65536	/* in the words together, and in a line */
#define WORDS_MOST 1000

/* A line's words, NULL at the end; status 2 without words. */
char **words_split(const char *line);

/*
 * The request: the operands, if any; without operands SSH_ORIGINAL_COMMAND, if
 * set; or a line of standard input, and not a byte more of the input is read.
 * Control characters, and too many words, are status 2.
 */
char **words_asked(char **operands);
