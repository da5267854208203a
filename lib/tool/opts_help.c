/* opts_help: --help and --version. */
#include "opts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

#define SCREEN 24	/* lines, the last of them included */

static const char *
help_or(const char *text, const char *none)
{
	return text != NULL ? text : none;
}

/*
 * For dp-gate: the tool and the operands open to analysts, then for each option
 * the name, the letter, the argument and the word that opens the option.
 */
static void
help_options(const struct opts *o, struct text *out)
{
	const char *open = o->tool->ask == NULL ? "closed" : "open";

	text_printf(out, "%s\t%s\t%s\n", o->tool->name, open,
	    help_or(o->tool->ask, ""));
	for (size_t i = 0; o->row[i].opt != NULL; i++) {
		const struct opt *r = o->row[i].opt;

		text_printf(out, "%s\t%c\t%s\t%s\n", r->name,
		    r->code < 256 ? r->code : '-', help_or(r->arg, "-"),
		    help_or(r->ask, "closed"));
	}
}

/* On the --help screen, before the tool's own that there is room for. */
static const int first[] = { 'e', 'c', OPT_RANGE, 'g', OPT_PEOPLE,
	OPT_INTERVAL, OPT_WITHIN, OPT_LEDGER, OPT_CHECK, OPT_EXPLAIN, 0 };

static size_t
help_lines(const struct text *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->len; i++)
		n += out->buf[i] == '\n';
	return n;
}

static void
help_row(struct text *out, const struct opt *r)
{
	char letter[4] = "   ", name[64];

	if (r->code < 256)
		snprintf(letter, sizeof(letter), "-%c,", r->code);
	snprintf(name, sizeof(name), "%s", r->name);
	if (r->arg != NULL)
		snprintf(name, sizeof(name), "%s %s", r->name, r->arg);
	text_printf(out, "  %s --%-24s %s\n", letter, name, r->help);
}

static void
help_screen(const struct opts *o, const char *topic, struct text *out)
{
	const struct tool *t = o->tool;
	bool open = strcmp(topic, "open") == 0;
	bool all = open || strcmp(topic, "all") == 0;

	text_printf(out, "usage: %s %s\n", t->name, t->synopsis);
	for (size_t i = 0; o->row[i].opt != NULL; i++)
		if ((all || opts_among(first, o->row[i].opt->code)) &&
		    (!open || o->row[i].opt->ask != NULL))
			help_row(out, o->row[i].opt);
	for (size_t i = 0; !all && t->rows[i].name != NULL &&
	    help_lines(out) + 1 < SCREEN; i++)
		if (!opts_among(first, t->rows[i].code))
			help_row(out, &t->rows[i]);
	text_printf(out, all ? "see man %s, man dputils and man "
	    "dputils-cookbook\n" : "see man %s and man dputils; --help all "
	    "has every option\n", t->name);
}

noreturn void
opts_help(const struct opts *o)
{
	const char *topic = help_or(o->topic, "");
	struct text out = TEXT_INIT;

	if (opts_given(o, 'V') != NULL)
		text_printf(&out, "%s (dputils) %s\n", o->tool->name,
		    DPUTILS_VERSION);
	else if (strcmp(topic, "options") == 0)
		help_options(o, &out);
	else
		help_screen(o, topic, &out);
	text_output(out.buf, out.len);
	exit(STATUS_OK);
}
