/* release: one output, whole or not at all. */
#include "release.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

static void
reserve(struct release *out, size_t more)
{
	if (out->cap - out->len >= more)
		return;
	out->cap = (out->cap + more) * 2;
	out->buf = err_alloc(out->buf, out->cap, 1);
}

void
release_bytes(struct release *out, const char *text, size_t len)
{
	if (len == 0)
		return;
	reserve(out, len);
	memcpy(out->buf + out->len, text, len);
	out->len += len;
}

static void
text(struct release *out, const char *s)
{
	release_bytes(out, s, strlen(s));
}

static void
whole(struct release *out, uint64_t n)
{
	char number[FIXED_TEXT];

	text(out, fixed_text(number, (i128)n, 0));
}

void
release_printf(struct release *out, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	reserve(out, (size_t)n + 1);
	va_start(args, format);
	vsnprintf(out->buf + out->len, (size_t)n + 1, format, args);
	va_end(args);
	out->len += (size_t)n;
}

void
release_json(struct release *out, const char *s, size_t len)
{
	size_t i;

	text(out, "\"");
	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			release_printf(out, "\\%c", c);
		else if (c < 32 || c == 127)
			release_printf(out, "\\u%04x", c);
		else
			release_bytes(out, s + i, 1);
	}
	text(out, "\"");
}

void
release_cell(struct release *out, const char *s, size_t len)
{
	size_t i;
	bool plain = len > 0 && s[0] != ' ' && s[len - 1] != ' ';

	for (i = 0; i < len; i++)
		plain = plain && strchr(",\"\r\n\t", s[i]) == NULL;
	if (plain) {
		release_bytes(out, s, len);
		return;
	}
	text(out, "\"");
	for (i = 0; i < len; i++)
		release_bytes(out, s[i] == '"' ? "\"\"" : s + i,
		    s[i] == '"' ? 2 : 1);
	text(out, "\"");
}

/* What a scratch release holds, as a string of its own. */
static char *
detach(struct release *scratch)
{
	release_bytes(scratch, "", 1);
	return scratch->buf;
}

void
release_begin(struct release *out, const struct report *r, bool groups,
    bool keys)
{
	struct release head = RELEASE_INIT, tail = RELEASE_INIT;

	out->report = r;
	out->groups = groups;
	out->keys = keys;
	if (r->opts->format == FORMAT_CSV)
		release_printf(out, "%s%s%svalue\n",
		    r->opts->repeat > 1 ? "release," : "",
		    groups ? "group," : "", keys ? "key," : "");
	if (r->opts->format != FORMAT_JSON)
		return;
	report_json_head(r, &head);
	report_json_tail(r, &tail);
	out->head = detach(&head);
	out->tail = detach(&tail);
}

static void
json_label(struct release *out, const char *name, const struct label *l)
{
	release_printf(out, ", \"%s\": ", name);
	release_json(out, l->text, l->len);
}

/* Everything of a line but the value: first what stands before it... */
static void
before(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key)
{
	enum format f = out->report->opts->format;

	if (f == FORMAT_JSON)
		release_bytes(out, out->head, strlen(out->head));
	if (f != FORMAT_CSV)
		return;
	if (out->report->opts->repeat > 1) {
		whole(out, rel);
		text(out, ",");
	}
	if (out->groups) {
		release_cell(out, group->text, group->len);
		text(out, ",");
	}
	if (out->keys) {
		release_cell(out, key->text, key->len);
		text(out, ",");
	}
}

/* ... then what follows. */
static void
after(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key)
{
	const struct opts *o = out->report->opts;

	if (o->format != FORMAT_JSON) {
		text(out, "\n");
		return;
	}
	release_bytes(out, out->tail, strlen(out->tail));
	if (o->repeat > 1) {
		text(out, ", \"release\": ");
		whole(out, rel);
	}
	if (out->groups)
		json_label(out, "group", group);
	if (out->keys)
		json_label(out, "key", key);
	text(out, "}\n");
}

void
release_number(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key, i128 x, int digits)
{
	char buf[FIXED_TEXT];

	before(out, rel, group, key);
	text(out, fixed_text(buf, x, digits));
	after(out, rel, group, key);
}

void
release_text(struct release *out, uint64_t rel, const struct label *group,
    const struct label *key, const struct label *value)
{
	enum format f = out->report->opts->format;

	before(out, rel, group, key);
	if (f == FORMAT_JSON)
		release_json(out, value->text, value->len);
	else if (f == FORMAT_CSV)
		release_cell(out, value->text, value->len);
	else
		release_bytes(out, value->text, value->len);
	after(out, rel, group, key);
}
