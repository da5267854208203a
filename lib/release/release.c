/* release: one output, whole or not at all. */
#include "release.h"

#include <string.h>

/* What stands between cells in csv and tsv; 0 in other formats. */
static char
between(const struct opts *o)
{
	return o->format == FORMAT_CSV ? ',' :
	    o->format == FORMAT_TSV ? '\t' : '\0';
}

static void
whole(struct text *out, uint64_t n)
{
	char number[FIXED_TEXT];

	text_add(out, fixed_text(number, (i128)n, 0));
}

void
release_begin(struct release *out, const struct report *r, bool groups,
    bool keys)
{
	struct text head = TEXT_INIT, tail = TEXT_INIT;
	char tab = between(r->opts);

	out->report = r;
	out->groups = groups;
	out->keys = keys;
	if (tab != '\0')
		text_printf(&out->text, "%s%.*s%s%.*s%s%.*svalue\n",
		    r->opts->repeat > 1 ? "release" : "", r->opts->repeat > 1,
		    &tab, groups ? "group" : "", groups, &tab,
		    keys ? "key" : "", keys, &tab);
	if (r->opts->format != FORMAT_JSON)
		return;
	report_json_head(r, &head);
	report_json_tail(r, &tail);
	out->head = text_string(&head);
	out->tail = text_string(&tail);
}

static void
json_label(struct text *out, const char *name, const struct label *l)
{
	text_printf(out, ", \"%s\": ", name);
	text_json(out, l->text, l->len);
}

/* Everything of a line but the value: first what stands before it... */
static void
before(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key)
{
	enum format f = out->report->opts->format;

	char tab = between(out->report->opts);

	if (f == FORMAT_JSON)
		text_bytes(&out->text, out->head, strlen(out->head));
	if (tab == '\0')
		return;
	if (out->report->opts->repeat > 1) {
		whole(&out->text, rel);
		text_bytes(&out->text, &tab, 1);
	}
	if (out->groups) {
		text_cell(&out->text, group->text, group->len);
		text_bytes(&out->text, &tab, 1);
	}
	if (out->keys) {
		text_cell(&out->text, key->text, key->len);
		text_bytes(&out->text, &tab, 1);
	}
}

/* ... then what follows. */
static void
after(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key)
{
	const struct opts *o = out->report->opts;

	if (o->format != FORMAT_JSON) {
		text_add(&out->text, "\n");
		return;
	}
	text_bytes(&out->text, out->tail, strlen(out->tail));
	if (o->repeat > 1) {
		text_add(&out->text, ", \"release\": ");
		whole(&out->text, rel);
	}
	if (out->groups)
		json_label(&out->text, "group", group);
	if (out->keys)
		json_label(&out->text, "key", key);
	text_add(&out->text, "}\n");
}

void
release_number(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key, i128 x, int digits)
{
	char buf[FIXED_TEXT];

	before(out, rel, group, key);
	text_add(&out->text, fixed_text(buf, x, digits));
	after(out, rel, group, key);
}

void
release_text(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key, const struct label *value)
{
	enum format f = out->report->opts->format;

	before(out, rel, group, key);
	if (f == FORMAT_JSON)
		text_json(&out->text, value->text, value->len);
	else if (between(out->report->opts) != '\0')
		text_cell(&out->text, value->text, value->len);
	else
		text_bytes(&out->text, value->text, value->len);
	after(out, rel, group, key);
}
