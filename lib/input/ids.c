/* ids: names of people, compared in full. */
#include "ids.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

struct id
id_of(struct label text)
{
	struct id id = { 0 };

	if (text.len > ID_NEAR) {
		id.len = ID_FAR;
		return id;
	}
	id.len = (unsigned char)text.len;
	memcpy(id.text, text.text, text.len);
	return id;
}

struct id
id_store(struct label text)
{
	struct id id = id_of(text);
	char *copy;

	if (id.len != ID_FAR)
		return id;
	copy = err_alloc(NULL, sizeof(text.len) + text.len, 1);
	memcpy(copy, &text.len, sizeof(text.len));
	memcpy(copy + sizeof(text.len), text.text, text.len);
	memcpy(id.text, &copy, sizeof(copy));
	return id;
}

void
id_free(struct id *id)
{
	char *copy;

	if (id->len != ID_FAR)
		return;
	memcpy(&copy, id->text, sizeof(copy));
	free(copy);
}

struct label
id_text(const struct id *id)
{
	struct label text = { id->text, id->len };

	if (id->len == ID_FAR) {
		memcpy(&text.text, id->text, sizeof(text.text));
		memcpy(&text.len, text.text, sizeof(text.len));
		text.text += sizeof(text.len);
	}
	return text;
}

bool
id_same(const struct id *have, const struct id *want, struct label text)
{
	if (have->len != want->len)
		return false;
	if (want->len != ID_FAR)
		return memcmp(have, want, sizeof(*have)) == 0;
	return id_by_bytes(id_text(have), text) == 0;
}

int
id_by_bytes(struct label a, struct label b)
{
	size_t least = a.len < b.len ? a.len : b.len;
	int c = least == 0 ? 0 : memcmp(a.text, b.text, least);

	return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

static bool
is_whole(struct label a)
{
	for (size_t i = 0; i < a.len; i++)
		if (a.text[i] < '0' || a.text[i] > '9')
			return false;
	return a.len > 0;
}

static struct label
without_zeros(struct label a)
{
	for (; a.len > 1 && *a.text == '0'; a.text++)
		a.len--;
	return a;
}

/* Numbers of one value, such as 7 and 07, are two ids and go by their bytes. */
int
id_by_number(struct label a, struct label b)
{
	struct label x = without_zeros(a), y = without_zeros(b);
	int c = id_by_bytes(x, y);

	if (is_whole(a) != is_whole(b))
		return is_whole(a) ? -1 : 1;
	if (is_whole(a) && x.len != y.len)
		return x.len < y.len ? -1 : 1;
	return is_whole(a) && c != 0 ? c : id_by_bytes(a, b);
}
