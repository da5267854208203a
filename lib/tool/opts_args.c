/* opts_args: option arguments, read or refused with words. */
#include "opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

/* Marks that people write in numbers and the tools refuse. */
static const char *
hint(const char *text)
{
	const char *mark = NULL;

	if (*text != '\0')
		mark = strpbrk(text + 1, "-/");
	if (mark != NULL && strrchr(text, *mark) != mark)
		return ": a date is no number, but a limit of a schema; or "
		    "take laplace hist with --bins D0,D1,... or --universe";
	if (*text == '=')
		return ": a value with = stands after a long option, such as "
		    "--epsilon=0.5, and without = after a short one";
	if (strpbrk(text, ",%$kK") == NULL)
		return "";
	return ": digits and a point alone, no comma, no k, no sign of percent "
	    "or money";
}

struct rational
opts_rational(const char *name, const char *text)
{
	struct rational r;

	if (!rational_parse(text, &r))
		err_die(STATUS_USAGE, "%s '%s' is not a decimal of at most 18 "
		    "digits or a fraction p/q%s", name, text, hint(text));
	return r;
}

struct rational
opts_positive(const char *name, const char *text)
{
	struct rational r = opts_rational(name, text);

	if (rational_sign(r) <= 0)
		err_die(STATUS_USAGE, "%s '%s' must be above 0", name, text);
	return r;
}

struct rational
opts_epsilon(const char *name, const char *text)
{
	struct rational r = opts_positive(name, text);
	const i128 limit = (i128)1 << 31;

	if (r.num >= limit || r.den >= limit)
		err_die(STATUS_USAGE, "%s '%s' must be a fraction of integers "
		    "below 2^31", name, text);
	return r;
}

struct rational
opts_part(const char *name, const char *text, bool ends)
{
	struct rational r = opts_rational(name, text);

	if (r.num < !ends || r.num > r.den - !ends)
		err_die(STATUS_USAGE, "%s '%s' is not %s 1 (95 percent is "
		    "0.95)", name, text, ends ? "from 0 to" : "between 0 and");
	return r;
}

/* Digits alone, up to 2^64 - 1, or a whole decimal, such as 1e4. */
static bool
whole(const char *text, uint64_t *n)
{
	struct rational r;
	char *end;

	errno = 0;
	*n = strtoull(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == '\0')
		return errno == 0;
	if (strchr(text, '/') != NULL || !rational_parse(text, &r) ||
	    r.den != 1 || r.num < 0 || r.num > UINT64_MAX)
		return false;
	*n = (uint64_t)r.num;
	return true;
}

uint64_t
opts_count(const char *name, const char *text, uint64_t least, uint64_t most)
{
	uint64_t n;

	if (!whole(text, &n) || n < least || n > most)
		err_die(STATUS_USAGE, "%s '%s' is not a whole number from %llu "
		    "to %llu%s", name, text, (unsigned long long)least,
		    (unsigned long long)most, hint(text));
	return n;
}

/*
 * A text that a ledger keeps and dp-budget prints: no text may look like a
 * second line.
 */
const char *
opts_line(const char *name, const char *text)
{
	if (names_control(text, strlen(text)) < strlen(text))
		err_die(STATUS_USAGE, "%s holds a control character, such as a "
		    "line feed", name);
	return text;
}

const char *
opts_name(const char *name, const char *text)
{
	if (text[0] == '\0')
		err_die(STATUS_USAGE, "%s is empty", name);
	return opts_line(name, text);
}

bool
opts_listed(const char *text)
{
	return text[0] == '"' || text[strcspn(text, "=/")] == '=';
}

int
opts_choose(const char *what, const char *text, const char *const *words)
{
	struct text all = TEXT_INIT;
	const char *near;
	int n;

	for (n = 0; words[n] != NULL; n++)
		if (strcmp(text, words[n]) == 0)
			return n;
	for (int i = 0; i < n; i++)
		text_printf(&all, "%s%s", i > 0 ? ", " : "", words[i]);
	near = names_near(text, words, (size_t)n);
	if (near != NULL)
		text_printf(&all, "; did you mean %s?", near);
	err_die(STATUS_USAGE, "%s '%s' is none of %s", what, text,
	    text_string(&all));
}

enum select_kind
opts_mechanism(const char *text)
{
	static const char *const names[] = { "exponential", "permute-and-flip",
	    NULL };

	return (enum select_kind)opts_choose("--mechanism", text, names);
}

int
opts_verb(const struct opts *o, const char *what, const char *const *words,
    const char *const (*hints)[2])
{
	if (o->noperands == 0)
		err_die(STATUS_USAGE, "no %s given (see %s --help)", what,
		    o->tool->name);
	for (; hints != NULL && hints[0][0] != NULL; hints++)
		if (strcmp(hints[0][0], o->operands[0]) == 0)
			err_die(STATUS_USAGE, "there is no %s '%s': %s", what,
			    hints[0][0], hints[0][1]);
	return opts_choose(what, o->operands[0], words);
}

int64_t
opts_bad(const struct opts *o, int digits)
{
	int64_t bad = 0;

	if (o->bad.den > 0 && !rational_grid(o->bad, digits, FIXED_NEAREST,
	    &bad))
		return o->bad.num > 0 ? FIXED_MAX : -FIXED_MAX;
	return bad;
}

bool
opts_bad_outside(const struct opts *o)
{
	bool given = o->on_bad == ON_BAD_NUMBER && o->bad.den > 0;

	for (size_t i = 0; given && i < o->ranges.n; i++)
		if (rational_cmp(o->bad, o->ranges.at[i].lo) < 0 ||
		    rational_cmp(o->bad, o->ranges.at[i].hi) > 0)
			return true;
	return false;
}

void
opts_columns(size_t n, size_t least, size_t most)
{
	if (n < least || n > most)
		err_die(STATUS_USAGE, "columns: %zu given, at %s %zu wanted", n,
		    n < least ? "least" : "most", n < least ? least : most);
}

void
opts_listed_columns(const struct opts *o, size_t least, size_t most)
{
	size_t n = names_count(o->columns);

	if (o->explain && n > 0)
		opts_columns(n, least, most);
}

const struct range *
opts_range(const struct opts *o, size_t c)
{
	if (o->ranges.n == 0)
		return NULL;
	return &o->ranges.at[o->ranges.n == 1 ? 0 : c];
}

void
opts_limits(struct opts_limits *l, const char *text)
{
	uint64_t *to[] = { &l->ns, &l->bytes, &l->kept };
	char *copy = err_copy(text, strlen(text)), *rest = copy, *number;
	size_t n = 0;

	while (n < 3 && (number = text_field(&rest, ":")) != NULL)
		*to[n++] = opts_count("--limits", number, 1,
		    (uint64_t)1 << 40);
	if (n < 3 || rest != NULL)
		err_die(STATUS_USAGE, "--limits '%s' is not US:BYTES:KEPT",
		    text);
	l->ns *= 1000;
	free(copy);
}
