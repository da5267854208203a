/* command: a command line out of bytes, its words between NULs. */
#ifndef COMMAND_H
#define COMMAND_H

#include "death.h"
#include "tool/opts.h"

#define WORDS 64

static char *argv[WORDS + 1];
static int argc;
static struct opts *parsed;	/* set by the attempt, freed here */

static void
split(char *text, size_t size)
{
	char *end = text + size;

	argc = 0;
	argv[argc++] = (char *)"fuzz";
	while (argc < WORDS && text < end) {
		argv[argc++] = text;
		text += strlen(text) + 1;
	}
	argv[argc] = NULL;
	optind = 0;
}

/* Help and version print and end; the ledger and the keys are files. */
static bool
shown(int code)
{
	return code == 'h' || code == 'V' || code == OPT_LEDGER ||
	    code == OPT_GROUPS;
}

/*
 * Calls attempt with the command line; what dies has status 2, or 1 where the
 * FILE that it names is not there.
 */
static void
command(const uint8_t *data, size_t size, void (*attempt)(int which))
{
	char *text;

	if (size < 2 || (text = malloc(size)) == NULL)
		return;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	split(text, size - 1);
	parsed = NULL;
	if (setjmp(death) == 0)
		attempt(data[0]);
	else if (death_status != STATUS_USAGE && (parsed == NULL ||
	    parsed->file == NULL || death_status != STATUS_INPUT))
		abort();
	if (parsed != NULL) {
		if (parsed->ranges.at != parsed->op.ranges.at)
			free(parsed->ranges.at);
		free(parsed->operands);
		free(parsed->slice.column);
		free(parsed->slice.value);
	}
	free(text);
}

#endif
