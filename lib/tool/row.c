/* row: a line with named fields, in any format. */
#include "row.h"

#include <string.h>

void
row_field(struct row *r, const char *key)
{
	bool json = r->format == FORMAT_JSON;

	if (r->begun)
		text_add(r->out, json ? ", " : r->format == FORMAT_CSV ? "," :
		    "\t");
	r->begun = true;
	if (!json)
		return;
	text_json(r->out, key, strlen(key));
	text_add(r->out, ": ");
}

static void
escape_tabs(struct text *out, const char *s, size_t len)
{
	for (; len > 0; s++, len--)
		if (*s == '\t' || *s == '\n' || *s == '\r' || *s == '\\')
			text_add(out, *s == '\t' ? "\\t" : *s == '\n' ?
			    "\\n" : *s == '\r' ? "\\r" : "\\\\");
		else
			text_bytes(out, s, 1);
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
	text_add(r->out, word != NULL ? word : r->format == FORMAT_JSON ?
	    "null" : "");
}

void
row_number(struct row *r, const char *key, i128 x, int digits)
{
	char buf[FIXED_TEXT];

	row_word(r, key, fixed_text(buf, x, digits));
}
