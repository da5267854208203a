/*
 * universe_domain: raw records, each counted at the element that it names.
 *
 * A record's key is the texts of the columns that the domain's header and
 * that of standard input share (or of -c), with their lengths.  Records that
 * the domain does not have are ignored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number/hash.h"
#include "tool/err.h"
#include "universe_impl.h"

/* Column of that name, or `none`. */
static size_t
named(struct table *t, const char *name, size_t none)
{
	size_t c;

	for (c = 0; c < table_width(t); c++)
		if (strcmp(table_name(t, c), name) == 0)
			return c;
	return none;
}

static void
add_key(struct universe *u, size_t public_col, size_t raw_col)
{
	u->cols = err_alloc(u->cols, u->all + 2, sizeof(*u->cols));
	u->cols[u->all++] = public_col;
	u->raw_cols = err_alloc(u->raw_cols, u->of_join + 3,
	    sizeof(*u->raw_cols));
	u->raw_cols[u->of_join++] = raw_col;
}

void
universe_open_raw(struct universe *u)
{
	size_t c, at, raw, none = SIZE_MAX, *one;

	u->raw = table_open(STDIN_FILENO, "standard input",
	    u->o->delimiter, true);
	for (c = 0; u->o->columns != NULL && c < u->of_key; c++) {
		at = u->cols[u->of_metric + u->of_query + c];
		raw = named(u->raw, table_name(u->table, at), none);
		if (raw == none)
			die(STATUS_INPUT, "standard input has no column '%s'",
			    table_name(u->table, at));
		add_key(u, at, raw);
	}
	for (c = 0; u->o->columns == NULL && c < table_width(u->table); c++) {
		raw = named(u->raw, table_name(u->table, c), none);
		if (raw != none)
			add_key(u, c, raw);
	}
	if (u->of_join == 0)
		die(STATUS_INPUT, "standard input has no column of the "
		    "domain %s", u->domain);
	if (u->o->weight == NULL)
		return;
	if (table_columns(u->raw, u->o->weight, 1, &one) != 1)
		die(STATUS_USAGE, "--weight names more than one column");
	u->raw_cols[u->of_join] = one[0];
	free(one);
}

/* Slot of the key, or the free one where it would go. */
static size_t
find(const struct universe *u, const char *text, size_t len)
{
	size_t at = hash_slot(text, len) & u->mask, other;
	const char *p;

	for (; u->slot[at] != 0; at = (at + 1) & u->mask) {
		p = cells_at(&u->joined, u->slot[at] - 1, &other);
		if (other == len && memcmp(p, text, len) == 0)
			break;
	}
	return at;
}

static void
join(struct text *key, const char *text, size_t len)
{
	text_printf(key, "%zu:", len);
	text_bytes(key, text, len);
}

void
universe_index(struct universe *u)
{
	size_t first = u->of_metric + u->of_query + u->of_key, i, c, at, len;
	struct text key = TEXT_INIT;
	const char *p;

	text_bytes(&key, "0", 1);	/* so that it has a buffer */
	for (u->mask = 15; u->mask < 2 * u->n; u->mask = 2 * u->mask + 1)
		;
	u->slot = err_alloc(NULL, u->mask + 1, sizeof(*u->slot));
	memset(u->slot, 0, (u->mask + 1) * sizeof(*u->slot));
	for (i = 0; i < u->n; i++) {
		key.len = 0;
		for (c = 0; c < u->of_join; c++) {
			p = cells_at(&u->cell[first + c], i, &len);
			join(&key, p, len);
		}
		at = find(u, key.buf, key.len);
		if (u->slot[at] != 0)
			die(STATUS_INPUT, "--domain %s: records %zu and %zu "
			    "are the same element", u->domain,
			    u->slot[at], i + 1);
		u->slot[at] = i + 1;
		if (!cells_add(&u->joined, key.buf, key.len))
			die(STATUS_INPUT, "out of memory");
	}
	free(key.buf);
	u->count = err_alloc(NULL, u->n, sizeof(*u->count));
	memset(u->count, 0, u->n * sizeof(*u->count));
}

/* What is at hand while raw records are read. */
struct counting {
	struct universe *u;
	struct text key;
};

static void
record(void *arg, const struct cell *cells, size_t fields)
{
	struct counting *a = arg;
	struct universe *u = a->u;
	uint64_t w = 1;
	size_t c, at;

	(void)fields;
	u->records++;
	if (u->o->weight != NULL)
		w = universe_weight(u, &cells[u->of_join], 1);
	else
		u->total++;
	a->key.len = 0;
	for (c = 0; c < u->of_join; c++) {
		if (cells[c].missing)
			return;		/* it is no element */
		join(&a->key, cells[c].text, cells[c].len);
	}
	at = u->slot[find(u, a->key.buf, a->key.len)];
	if (at == 0)
		return;
	u->count[at - 1] += w;
	if (u->count[at - 1] > (uint64_t)1 << 41)
		u->count[at - 1] = (uint64_t)1 << 41;
}

void
universe_count(struct universe *u)
{
	struct counting a = { .u = u, .key = TEXT_INIT };
	size_t cols = u->of_join + (u->o->weight != NULL);

	if (u->raw == NULL) {
		opts_expect(u->o, u->total);
		return;
	}
	text_bytes(&a.key, "0", 1);
	table_read(u->raw, u->raw_cols, cols, record, &a);
	opts_expect(u->o, u->total);
	free(a.key.buf);
}
