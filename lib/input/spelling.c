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

/* Without zeros in front, and without those after the point. */
static struct label
short_number(struct label x)
{
	const char *point = memchr(x.text, '.', x.len);
	struct label whole = { x.text, x.len }, after = { NULL, 0 }, from;

	if (point != NULL) {
		whole.len = (size_t)(point - x.text);
		after = (struct label){ point + 1, x.len - whole.len - 1 };
	}
	if (!id_is_whole(whole) || (after.len > 0 && !id_is_whole(after)))
		return x;
	while (after.len > 0 && after.text[after.len - 1] == '0')
		after.len--;
	from = id_without_zeros(whole);
	return (struct label){ from.text, from.len + (after.len > 0 ?
	    after.len + 1 : 0) };
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
