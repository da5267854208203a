/* ledger_show: budgets and charges in the three formats. */
#include "ledger_show.h"

#include <stdlib.h>
#include <string.h>

/* Where lines go, and how. */
struct sink {
	struct release *out;
	enum format format;
};

/* What is left, rounded down where it is no decimal. */
static char *
left_text(char *buf, const struct account *a)
{
	struct rational left = account_left(a);
	int64_t steps;

	if (rational_digits(left) < 0 &&
	    rational_grid(left, 9, FIXED_FLOOR, &steps))
		return fixed_text(buf, steps, 9);
	return rational_text(buf, left);
}

static void
show_budget(struct sink *s, const struct ledger_budget *b)
{
	char total[FIXED_TEXT], spent[FIXED_TEXT], left[FIXED_TEXT];
	static const char *const forms[] = {
		"dataset: %s\ntotal: %s\nspent: %s\nremaining: %s\n"
		"releases: %llu\n",
		"%s,%s,%s,%s,%llu\n",
		"\"dataset\": %s, \"total\": %s, \"spent\": %s, "
		"\"remaining\": %s, \"releases\": %llu}\n"
	};
	struct release name = RELEASE_INIT;

	if (s->format == FORMAT_JSON) {
		release_printf(s->out, "{");
		release_json(&name, b->dataset, strlen(b->dataset));
	} else if (s->format == FORMAT_CSV)
		release_cell(&name, b->dataset, strlen(b->dataset));
	else
		release_bytes(&name, b->dataset, strlen(b->dataset));
	release_bytes(&name, "", 1);
	release_printf(s->out, forms[s->format], name.buf,
	    rational_text(total, b->account.total),
	    rational_text(spent, b->account.spent),
	    left_text(left, &b->account),
	    (unsigned long long)b->releases);
	free(name.buf);
}

void
ledger_show(struct ledger *l, struct release *out, enum format format)
{
	struct ledger_budget *all = ledger_budgets(l), *b;
	struct sink sink = { out, format }, *s = &sink;

	if (s->format == FORMAT_CSV)
		release_printf(s->out,
		    "dataset,total,spent,remaining,releases\n");
	for (b = all; b != NULL; b = b->next) {
		if (s->format == FORMAT_PLAIN && b != all)
			release_printf(s->out, "\n");
		show_budget(s, b);
	}
	ledger_free_budgets(all);
}

/* One field of the log: `first` has no separator before it. */
static void
field(struct sink *s, const char *key, const char *text, bool first)
{
	struct release *out = s->out;
	size_t len = text == NULL ? 0 : strlen(text);

	if (s->format == FORMAT_JSON) {
		release_printf(out, "%s\"%s\": ", first ? "{" : ", ", key);
		if (text == NULL)
			release_printf(out, "null");
		else
			release_json(out, text, len);
		return;
	}
	release_printf(out, "%s", first ? "" :
	    s->format == FORMAT_CSV ? "," : "\t");
	if (s->format == FORMAT_PLAIN)
		release_printf(out, "%s", len > 0 ? text : "-");
	else if (text != NULL)
		release_cell(out, text, len);
}

static void
show_entry(void *arg, const struct ledger_entry *e)
{
	struct sink *s = arg;
	char amount[FIXED_TEXT];

	field(s, "time", e->time, true);
	field(s, "dataset", e->dataset, false);
	field(s, "tool", e->tool, false);
	rational_text(amount, e->amount);
	if (s->format == FORMAT_JSON)
		release_printf(s->out, ", \"epsilon\": %s", amount);
	else
		field(s, "epsilon", amount, false);
	field(s, "label", e->label, false);
	field(s, "release_id", e->id, false);
	if (s->format == FORMAT_JSON)
		release_printf(s->out, ", \"report\": %s}", e->report);
	release_printf(s->out, "\n");
}

void
ledger_show_log(struct ledger *l, struct release *out, enum format format)
{
	struct sink s = { out, format };

	if (format == FORMAT_CSV)
		release_printf(out, "time,dataset,tool,epsilon,label,"
		    "release_id\n");
	ledger_log(l, show_entry, &s);
}
