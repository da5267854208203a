/* ledger_show: budgets and charges in the four formats. */
#include "ledger_show.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

#define SUM_DIGITS 9

/* Where lines go, how, and of which data set (NULL: of all). */
struct sink {
	struct text *out;
	enum format format;
	const char *dataset;
	size_t shown;
};

static bool
wanted(const struct sink *s, const char *dataset)
{
	return s->dataset == NULL || strcmp(s->dataset, dataset) == 0;
}

/*
 * A sum of epsilons; one that is no decimal is rounded to nine decimals, so
 * that nobody hopes for more than there is.
 */
static char *
sum_text(char *buf, struct rational sum, enum fixed_mode round)
{
	int64_t steps;

	if (rational_digits(sum) < 0 &&
	    rational_grid(sum, SUM_DIGITS, round, &steps))
		return fixed_text(buf, steps, SUM_DIGITS);
	return rational_text(buf, sum);
}

static void
show_budget(struct sink *s, const struct ledger_budget *b)
{
	char total[FIXED_TEXT], spent[FIXED_TEXT], left[FIXED_TEXT];
	static const char *const forms[] = {
		[FORMAT_PLAIN] = "dataset: %s\ntotal: %s\nspent: %s\n"
		"remaining: %s\nreleases: %llu\n",
		[FORMAT_CSV] = "%s,%s,%s,%s,%llu\n",
		[FORMAT_TSV] = "%s\t%s\t%s\t%s\t%llu\n",
		[FORMAT_JSON] = "\"dataset\": %s, \"total\": %s, \"spent\": %s, "
		"\"remaining\": %s, \"releases\": %llu}\n"
	};
	struct text name = TEXT_INIT;

	if (s->format == FORMAT_JSON) {
		text_printf(s->out, "{");
		text_json(&name, b->dataset, strlen(b->dataset));
	} else if (s->format != FORMAT_PLAIN)
		text_cell(&name, b->dataset, strlen(b->dataset));
	else
		text_bytes(&name, b->dataset, strlen(b->dataset));
	text_bytes(&name, "", 1);
	text_printf(s->out, forms[s->format], name.buf,
	    sum_text(total, b->account.total, FIXED_FLOOR),
	    sum_text(spent, b->account.spent, FIXED_CEIL),
	    sum_text(left, account_left(&b->account), FIXED_FLOOR),
	    (unsigned long long)b->releases);
	free(name.buf);
}

void
ledger_show(struct ledger *l, struct text *out, enum format format,
    const char *dataset)
{
	struct ledger_budget *all = ledger_budgets(l), *b;
	struct sink sink = { out, format, dataset, 0 }, *s = &sink;

	if (s->format == FORMAT_CSV)
		text_printf(s->out,
		    "dataset,total,spent,remaining,releases\n");
	if (s->format == FORMAT_TSV)
		text_printf(s->out,
		    "dataset\ttotal\tspent\tremaining\treleases\n");
	for (b = all; b != NULL; b = b->next) {
		if (!wanted(s, b->dataset))
			continue;
		if (s->format == FORMAT_PLAIN && s->shown > 0)
			text_printf(s->out, "\n");
		show_budget(s, b);
		s->shown++;
	}
	ledger_free_budgets(all);
	if (dataset != NULL && s->shown == 0)
		die(STATUS_INPUT, "no data set '%s' in the ledger", dataset);
}

/* One field of the log: `first` has no separator before it. */
static void
field(struct sink *s, const char *key, const char *text, bool first)
{
	struct text *out = s->out;
	size_t len = text == NULL ? 0 : strlen(text);

	if (s->format == FORMAT_JSON) {
		text_printf(out, "%s\"%s\": ", first ? "{" : ", ", key);
		if (text == NULL)
			text_printf(out, "null");
		else
			text_json(out, text, len);
		return;
	}
	text_printf(out, "%s", first ? "" :
	    s->format == FORMAT_CSV ? "," : "\t");
	if (s->format == FORMAT_PLAIN)
		text_printf(out, "%s", len > 0 ? text : "-");
	else if (text != NULL)
		text_cell(out, text, len);
}

static void
show_entry(void *arg, const struct ledger_entry *e)
{
	struct sink *s = arg;
	char amount[FIXED_TEXT];

	if (!wanted(s, e->dataset))
		return;
	field(s, "time", e->time, true);
	field(s, "dataset", e->dataset, false);
	field(s, "tool", e->tool, false);
	rational_text(amount, e->amount);
	if (s->format == FORMAT_JSON)
		text_printf(s->out, ", \"epsilon\": %s", amount);
	else
		field(s, "epsilon", amount, false);
	field(s, "label", e->label, false);
	field(s, "release_id", e->id, false);
	if (s->format == FORMAT_JSON)
		text_printf(s->out, ", \"report\": %s}", e->report);
	text_printf(s->out, "\n");
}

void
ledger_show_log(struct ledger *l, struct text *out, enum format format,
    const char *dataset)
{
	struct sink s = { out, format, dataset, 0 };

	if (format == FORMAT_CSV)
		text_printf(out, "time,dataset,tool,epsilon,label,"
		    "release_id\n");
	if (format == FORMAT_TSV)
		text_printf(out, "time\tdataset\ttool\tepsilon\tlabel\t"
		    "release_id\n");
	ledger_log(l, show_entry, &s);
}
