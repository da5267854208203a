/* spelling: texts that differ in blanks, case or the way of a number. */
#include "spelling.h"

struct spelling {
	struct id id;		/* of the form */
	size_t at, len;		/* in the texts */
};

void
spelling_open(struct spellings *s)
{
	*s = (struct spellings){ .texts = TEXT_INIT };
	ids_open(&s->forms, (const uint64_t[]){ 1, 2 },
	    sizeof(struct spelling));
}

void
spelling_close(struct spellings *s)
{
	ids_close(&s->forms);
	text_free(&s->texts);
}

static bool
is_digits(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return true;
}

/* Without zeros in front, and without those after the point. */
static struct label
short_number(struct label x)
{
	const char *point = memchr(x.text, '.', x.len);
	size_t whole = point == NULL ? x.len : (size_t)(point - x.text);
	size_t after = point == NULL ? 0 : x.len - whole - 1;

	if (whole == 0 || !is_digits(x.text, whole) ||
	    !is_digits(x.text + x.len - after, after))
		return x;
	while (point != NULL && x.text[x.len - 1] == '0')
		x.len--;
	if (point != NULL && x.text + x.len - 1 == point)
		x.len--;
	while (whole > 1 && *x.text == '0') {
		x.text++;
		x.len--;
		whole--;
	}
	return x;
}

/* The form that all spellings share. */
static void
plain_form(struct text *form, struct label text)
{
	struct label x = short_number(text_trim(text.text, text.len));

	text_add(form, "=");	/* blanks alone have a form, too */
	for (size_t i = 0; i < x.len; i++) {
		char c = x.text[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 'a' - 'A');
		text_bytes(form, &c, 1);
	}
}

static struct label
spelling_text(const struct spellings *s, uint32_t i)
{
	const struct spelling *found = ids_at(&s->forms, i);

	return (struct label){ s->texts.buf + found->at, found->len };
}

struct label
spelling_add(struct spellings *s, struct label text)
{
	struct text form = TEXT_INIT;
	size_t before = s->forms.n;
	struct spelling *own;
	uint32_t i;

	plain_form(&form, text);
	i = ids_name(&s->forms, (struct label){ form.buf, form.len });
	text_free(&form);
	if (s->forms.n > before) {
		own = ids_at(&s->forms, i);
		own->at = s->texts.len;
		own->len = text.len;
		text_bytes(&s->texts, text.text, text.len);
	}
	return spelling_text(s, i);
}

struct label
spelling_find(const struct spellings *s, struct label text)
{
	struct text form = TEXT_INIT;
	uint32_t i;

	plain_form(&form, text);
	i = ids_look(&s->forms, (struct label){ form.buf, form.len });
	text_free(&form);
	return i == 0 ? (struct label){ NULL, 0 } : spelling_text(s, i);
}
