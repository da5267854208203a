/*
 * metric_spec: the text of --metric, taken apart.
 *
 *	discrete            euclid:COLS   manhattan:COLS   max:COLS
 *	step:COL/T          attr:COL=W,COL=W...
 *	smooth:T:BASE       blowfish:T:BASE      (BASE as in the first line)
 *	values:FILE         values-min:FILE      graph:FILE    matrix:FILE
 *
 * Column names are left to the table, quoted as there.
 */
#include "metric_spec.h"

#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "err.h"
#include "names.h"

/* A parameter from 0 up, at most 200 bytes, with text after. */
static bool
spec_number(const char *text, size_t len, struct rational *r)
{
	char one[201] = "";

	return len < sizeof(one) && rational_parse(memcpy(one, text, len), r) &&
	    rational_sign(*r) >= 0;
}

static bool spec_take(const char *text, struct metric_spec *s);

/* Columns, or the metric's file. */
static bool
take_name(const char *rest, struct metric_spec *s)
{
	if (metric_has_file(s->kind)) {
		s->file = err_copy(rest, strlen(rest));
		s->wrong = "names no file";
	} else {
		s->columns = err_copy(rest, strlen(rest));
		s->wrong = "names no columns";
	}
	return *rest != '\0';
}

/* T, a colon, and the column metric to bend. */
static bool
take_bent(const char *rest, struct metric_spec *s)
{
	const char *colon = strchr(rest, ':');

	s->wrong = "has no positive threshold T before another ':'";
	return colon != NULL &&
	    spec_number(rest, (size_t)(colon - rest), &s->t) &&
	    s->t.num > 0 && spec_take(colon + 1, s);
}

static bool
take_step(const char *rest, struct metric_spec *s)
{
	const char *slash = strrchr(rest, '/');

	s->wrong = "is not of the form step:COLUMN/T with T above 0";
	s->step = true;
	if (slash == NULL)
		return false;
	s->columns = err_copy(rest, (size_t)(slash - rest));
	return slash > rest &&
	    spec_number(slash + 1, strlen(slash + 1), &s->t) && s->t.num > 0;
}

/* Weight: above or equal to 0, or inf (told by a denominator of 0). */
static bool
weight(const char *p, const char *end, struct rational *w)
{
	*w = (struct rational){ 0, 0 };
	return (end - p == 3 && strncmp(p, "inf", 3) == 0) ||
	    spec_number(p, (size_t)(end - p), w);
}

/* COL=W,COL=W: the names go to columns, as a list again. */
static bool
take_attr(const char *rest, struct metric_spec *s)
{
	size_t len = strlen(rest), used = 0;
	const char *p, *end, *eq;

	s->wrong = "is not of the form attr:COLUMN=W,... with W from 0 up or "
	    "inf";
	s->columns = err_alloc(NULL, len + 1, 1);
	s->weight = err_alloc(NULL, len + 1, sizeof(*s->weight));
	for (p = rest;; p = end + 1) {
		end = names_end(p);
		for (eq = end; eq > p && *eq != '='; eq--)
			;
		if (eq == p || !weight(eq + 1, end, &s->weight[s->dims++]))
			return false;
		if (used > 0)
			s->columns[used++] = ',';
		memcpy(s->columns + used, p, (size_t)(eq - p));
		used += (size_t)(eq - p);
		if (*end == '\0')
			break;
	}
	s->columns[used] = '\0';
	return true;
}

/*
 * The arguments after a word and a colon; after a bend the base is a column
 * metric.
 */
static bool
spec_take(const char *text, struct metric_spec *s)
{
	static const struct {
		const char *word;
		enum metric_kind kind;
		enum metric_bend bend;
		bool (*take)(const char *, struct metric_spec *);
	} forms[] = {
		{ "euclid", METRIC_EUCLID, METRIC_PLAIN, take_name },
		{ "manhattan", METRIC_SUM, METRIC_PLAIN, take_name },
		{ "max", METRIC_MAX, METRIC_PLAIN, take_name },
		{ "values", METRIC_VALUES, METRIC_PLAIN, take_name },
		{ "values-min", METRIC_VALUES_MIN, METRIC_PLAIN, take_name },
		{ "graph", METRIC_EDGES, METRIC_PLAIN, take_name },
		{ "matrix", METRIC_MATRIX, METRIC_PLAIN, take_name },
		{ "step", METRIC_SUM, METRIC_PLAIN, take_step },
		{ "attr", METRIC_ATTR, METRIC_PLAIN, take_attr },
		{ "smooth", METRIC_SUM, METRIC_SMOOTH, take_bent },
		{ "blowfish", METRIC_SUM, METRIC_BLOWFISH, take_bent },
	};
	size_t n = strcspn(text, ":");

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (text[n] == '\0' || strlen(forms[i].word) != n ||
		    strncmp(text, forms[i].word, n) != 0 ||
		    (s->bend != METRIC_PLAIN && (forms[i].take != take_name ||
		    metric_has_file(forms[i].kind))))
			continue;
		s->kind = forms[i].kind;
		if (s->bend == METRIC_PLAIN)
			s->bend = forms[i].bend;
		return forms[i].take(text + n + 1, s);
	}
	s->wrong = "is none of discrete, euclid:X,Y (in kilometers on a "
	    "globe), manhattan:X,Y, max:X,Y, attr:X=D, step:X/D, values:FILE, "
	    "graph:FILE, matrix:FILE, smooth:T:.., blowfish:T:..";
	return false;
}

bool
metric_parse(const char *text, struct metric_spec *s)
{
	*s = (struct metric_spec){ .kind = METRIC_SUM };
	if (strcmp(text, "discrete") == 0) {
		s->bend = METRIC_SMOOTH;
		return rational_make(&s->t, 1, 1);
	}
	if (spec_take(text, s))
		return true;
	metric_spec_free(s);
	return false;
}

void
metric_spec_free(struct metric_spec *s)
{
	free(s->columns);
	free(s->file);
	free(s->weight);
	*s = (struct metric_spec){ .wrong = s->wrong };
}

void
metric_name(struct text *out, const char *text)
{
	char digest[DIGEST_TEXT];
	struct metric_spec s;

	text_add(out, text);
	if (metric_parse(text, &s) && s.file != NULL)
		text_printf(out, " (%s)",
		    digest_file("metric", s.file, digest));
	metric_spec_free(&s);
}
