/* show: the policy and the budget, as far as the asker may know. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gate.h"

#define KEYS 12		/* that show lists of a column */

/*
 * The plain name of a regular file that is not a link and that only its owner
 * may write.  It does not begin with a dot, nor with a dash, which would be an
 * option.
 */
char *
gate_public(const struct policy *p, const char *name)
{
	struct text path = TEXT_INIT;
	struct stat s;
	char *text;

	if (p->line[POLICY_PUBLIC] == NULL || strchr(name, '/') != NULL ||
	    strchr(".-", name[0]) != NULL)
		return NULL;
	text_printf(&path, "%s/%s", p->line[POLICY_PUBLIC], name);
	text = text_string(&path);
	if (lstat(text, &s) == 0 && S_ISREG(s.st_mode)) {
		free(policy_safe("public", text));
		return text;
	}
	free(text);
	return NULL;
}

static void
line(struct text *out, const char *key, const char *value)
{
	if (value != NULL)
		text_printf(out, "%s: %s\n", key, value);
}

static void
show_files(const struct policy *p, struct text *out)
{
	struct dirent **entry;
	int n = scandir(p->line[POLICY_PUBLIC], &entry, NULL, alphasort);

	if (n < 0)
		err_sys("public %s", p->line[POLICY_PUBLIC]);
	for (int i = 0; i < n; i++) {
		char *path = gate_public(p, entry[i]->d_name);

		if (path != NULL)
			line(out, "file", entry[i]->d_name);
		free(path);
		free(entry[i]);
	}
	free(entry);
}

/* The first words of a list, behind what they are. */
static void
show_words(struct text *out, const char *what, const struct schema_list *l)
{
	for (size_t i = 0; i < l->n && i < KEYS; i++)
		text_printf(out, "%s%.*s", i > 0 ? ", " : what,
		    (int)l->at[i].len, l->at[i].text);
	if (l->n > KEYS)
		text_printf(out, ", ... (%zu)", l->n);
}

/* What a column holds: its type, and limits, keys, or words for yes and no. */
static void
show_column(const struct schema_field *f, struct text *out)
{
	text_printf(out, "column: %-16s %s", f->name, f->type_name != NULL ?
	    f->type_name : "any");
	if (f->least != NULL || f->most != NULL)
		text_printf(out, ", %s to %s", f->least != NULL ? f->least :
		    "any", f->most != NULL ? f->most : "any");
	show_words(out, ": ", &f->keys);
	if (f->type == SCHEMA_BOOLEAN) {
		show_words(out, ", true: ", &f->yes);
		show_words(out, ", false: ", &f->no);
	}
	text_add(out, "\n");
}

/* The columns that the asker may name, as the ledger's schema has them. */
static void
show_columns(const struct policy *p, struct text *out)
{
	const struct schema *s = gate_schema(p);

	for (size_t i = 0; s != NULL && i < s->n; i++) {
		struct text name = TEXT_INIT;
		const char *open = p->line[POLICY_COLUMNS];

		text_cell(&name, s->field[i].name, strlen(s->field[i].name));
		if (open == NULL || names_within(open, name.buf))
			show_column(&s->field[i], out);
		text_free(&name);
	}
}

void
gate_show(const struct policy *p, struct text *out)
{
	char left[ACCOUNT_TEXT];
	struct purse purse;
	struct ledger *l = gate_purse(p, &purse);

	line(out, "left", account_text(left, account_left(&purse.account,
	    NULL), FIXED_FLOOR));
	line(out, "account", p->line[POLICY_ACCOUNT]);
	line(out, "max-epsilon", p->line[POLICY_MOST]);
	line(out, "least", account_text(left, gate_least(p, &purse),
	    FIXED_CEIL));
	for (enum bound i = 0; i < BOUNDS; i++)
		line(out, bound_name(i), i == BOUND_UNIT &&
		    purse.bounds.is[i] == NULL ? "record" :
		    purse.bounds.is[i]);
	line(out, "tools", p->line[POLICY_TOOLS]);
	line(out, "columns", p->line[POLICY_COLUMNS]);
	show_columns(p, out);
	if (p->line[POLICY_PUBLIC] != NULL)
		show_files(p, out);
	ledger_purse_end(&purse);
	ledger_close(l);
}
