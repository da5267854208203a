/*
 * words: what was asked, as words, without a shell.
 *
 * A line is split as sh quotes it: at blanks, with '...', "..." and \.  All
 * else stands for itself: no variable, glob, substitution or redirection.
 */
#ifndef WORDS_H
#define WORDS_H

#define WORDS_BYTES 65536	/* of all words together, and of a line */
#define WORDS_MOST 1000

/* The words of a line, NULL at the end; status 2 without one. */
char **words_split(const char *line);

/*
 * What was asked: the operands, if any; else SSH_ORIGINAL_COMMAND, if set;
 * else a line of standard input, and not a byte more of the input is read.
 * Control characters, and more than there may be, are status 2.
 */
char **words_asked(char **operands);

#endif
