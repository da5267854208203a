/*
 * intake_check_ids: names of people and of keys, for --check: spelled in
 * several ways, a word for no value, or met again where nobody named people.
 */
#include <regex.h>

#include "intake_check_state.h"
#include "tool/err.h"

/* --- spellings ----------------------------------------------------------- */

/*
 * Texts that differ only in the case of letters, or in the way in which a
 * number is written: 7, 7.0 and 07.  Blanks around them tell none apart.
 */

struct spelling {
	struct id id;		/* of the form */
	size_t at, len;		/* in the texts */
};

static void
spelling_open(struct spellings *s)
{
	*s = (struct spellings){ .texts = TEXT_INIT };
	ids_open(&s->forms, (const uint64_t[]){ 1, 2 },
	    sizeof(struct spelling));
}

static void
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

	text_add(form, "=");	/* an empty text has a form, too */
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

/* The text that was added first among those spelled alike; this one if new. */
static struct label
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

/* The text among those added that is spelled alike; NULL where none is. */
static struct label
spelling_find(const struct spellings *s, struct label text)
{
	struct text form = TEXT_INIT;
	uint32_t i;

	plain_form(&form, text);
	i = ids_look(&s->forms, (struct label){ form.buf, form.len });
	text_free(&form);
	return i == 0 ? (struct label){ NULL, 0 } : spelling_text(s, i);
}

/* --- persons and keys ---------------------------------------------------- */

#define NOBODY SIZE_MAX		/* instead of a place */

/* Headers of columns that name people. */
#define WHO "(person|patient|user|customer|client|subject|member|employee|" \
	"student|pupil|household|respondent|participant|rider|reader|visitor|" \
	"driver|passenger|subscriber|account|meter)"
static const char person_header[] = "^(" WHO "[_. -]?)?(id|uid|uuid|pid)$|"
	"^" WHO "([_. -]?(no|nr|number|key|name|code))?$";

/* And of those of weights in a survey. */
static const char survey_header[] = "wgt|weight|perwt|hhwt";

static void
pattern_open(regex_t *like, const char *pattern)
{
	if (regcomp(like, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
		err_die(STATUS_INPUT, "out of memory");
}

static bool
is_survey(const char *name)
{
	regex_t like;
	bool found;

	pattern_open(&like, survey_header);
	found = regexec(&like, name, 0, NULL, 0) == 0;
	regfree(&like);
	return found;
}

static bool
is_read(const struct intake *in, size_t column)
{
	for (size_t i = 0; i < in->all; i++)
		if (in->cols[i] == column)
			return true;
	return false;
}

/* A column that seems to name people, that the command does not read. */
static size_t
find_person(struct intake *in)
{
	size_t width = table_width(in->table), c = 0;
	regex_t like;

	if (in->o->unit.column != NULL || in->o->grouped)
		return NOBODY;
	pattern_open(&like, person_header);
	while (c < width && (is_read(in, c) || regexec(&like,
	    table_header(in->table, c), 0, NULL, 0) != 0))
		c++;
	regfree(&like);
	if (c == width)
		return NOBODY;
	in->cols[in->all] = c;	/* CELL_END has no column */
	return in->all++;
}

void
check_ids_new(struct check *k)
{
	struct intake *in = k->in;

	spelling_open(&k->names);
	spelling_open(&k->keys);
	for (size_t i = 0; i < in->keys.n; i++)
		spelling_add(&k->keys, keys_name(&in->keys, i));
	ids_open_public(&k->persons);
	k->person = find_person(in);
}

/* A cell that is spelled as another text, which it is not. */
static void
check_spelled(struct check *k, struct seen *s, const struct cell *cell,
    struct label first)
{
	if (s->count == 0)
		bad_show(s->other, first.text, first.len);
	check_see(k, s, cell);
}

void
check_id(struct check *k, const struct cell *id)
{
	struct label text = intake_person(id);
	struct label first = spelling_add(&k->names, text);

	if (id_by_bytes(first, text) != 0)
		check_spelled(k, &k->spelled, id, first);
	if (bad_kind(id) == BAD_NA)
		check_see(k, &k->none, id);
}

void
check_stranger(struct check *k, const struct cell *key)
{
	struct label first;

	if (k->in->keys.width > 1 || key->missing)
		return;
	first = spelling_find(&k->keys, (struct label){ key->text, key->len });
	if (first.text != NULL)
		check_spelled(k, &k->alike, key, first);
}

void
check_person(struct check *k, const struct cell *cells)
{
	size_t before = k->persons.n;
	const struct cell *id;

	if (k->person == NOBODY)
		return;
	id = &cells[k->person];
	if (id->missing || id->len == 0)
		return;
	ids_name(&k->persons, (struct label){ id->text, id->len });
	if (k->persons.n == before)
		check_see(k, &k->repeated, id);
}

void
check_ids_tell(struct check *k)
{
	struct intake *in = k->in;
	const char *option = in->use.listed != NULL ? in->use.listed :
	    "--groups";

	if (k->none.count > 0)
		PROBLEM(k, "--unit: ids that are a word for no value: %llu, "
		    "the first in record %llu: '%s': they are one person",
		    (ull)k->none.count, (ull)k->none.first, k->none.sample);
	if (k->spelled.count > 0)
		PROBLEM(k, "--unit: ids that differ from another in case or "
		    "the way of a number: %llu, the first in record %llu: "
		    "'%s' beside '%s': each is a person of its own",
		    (ull)k->spelled.count, (ull)k->spelled.first,
		    k->spelled.sample, k->spelled.other);
	if (k->alike.count > 0)
		PROBLEM(k, "%s: records with a listed key in another "
		    "spelling: %llu, the first is record %llu: '%s' for '%s'",
		    option, (ull)k->alike.count, (ull)k->alike.first,
		    k->alike.sample, k->alike.other);
	if (k->repeated.count > 0)
		PROBLEM(k, "column %s: records with the id of an earlier one: "
		    "%llu, the first is record %llu: '%s': the promise is for "
		    "a record; --unit %s makes it for a person",
		    table_name(in->table, in->cols[k->person]),
		    (ull)k->repeated.count, (ull)k->repeated.first,
		    k->repeated.sample,
		    table_name(in->table, in->cols[k->person]));
	if (in->o->weight != NULL && k->heaviest > 1 &&
	    is_survey(in->o->weight))
		PROBLEM(k, "--weight %s: is it a weight of a survey? The "
		    "largest is %llu, and its line counts as %llu records; "
		    "--sampling-weight %s --most W", in->o->weight,
		    (ull)k->heaviest, (ull)k->heaviest, in->o->weight);
	ids_close(&k->persons);
	spelling_close(&k->names);
	spelling_close(&k->keys);
}
