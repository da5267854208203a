/* row: a line with named fields, in any format. */
#include "row.h"

#include <string.h>

void
row_field(struct row *r, const char *key)
{
	static const char *const between[] = { [FORMAT_DEFAULT] = "\t",
	    [FORMAT_PLAIN] = "\t", [FORMAT_CSV] = ",",
	    [FORMAT_TSV] = "\t", [FORMAT_JSON] = ", " };

	if (r->begun)
		text_add(r->out, between[r->format]);
	r->begun = true;
	if (r->format != FORMAT_JSON)
		return;
	text_json(r->out, key, strlen(key));
	text_add(r->out, ": ");
}

static void
escape_tabs(struct text *out, const char *s, size_t len)
{
	static const char marks[] = { '\t', '\n', '\r', '\\' };
	static const char *const written[] = { "\\t", "\\n", "\\r", "\\\\" };
	const char *mark;

	for (; len > 0; s++, len--) {
		mark = memchr(marks, *s, sizeof(marks));
		if (mark != NULL)
			text_add(out, written[mark - marks]);
		else
			text_bytes(out, s, 1);
	}
}

void
row_text(struct row *r, const char *key, const char *s, size_t len)
{
	static void (*const add[])(struct text *out, const char *s,
	    size_t len) = { [FORMAT_PLAIN] = text_bytes,
	    [FORMAT_CSV] = text_cell, [FORMAT_TSV] = escape_tabs,
	    [FORMAT_JSON] = text_json };

	row_field(r, key);
	add[r->format](r->out, s, len);
}

void
row_word(struct row *r, const char *key, const char *word)
{
	row_field(r, key);
	if (word == NULL && r->format == FORMAT_JSON)
		word = "null";
	if (word != NULL)
		text_add(r->out, word);
}

void
row_number(struct row *r, const char *key, i128 x, int digits)
{
	char buf[FIXED_TEXT];

	row_word(r, key, fixed_text(buf, x, digits));
}
