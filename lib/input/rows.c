/* rows: the rows of people, in bins. */
#include "rows.h"

#include <stdlib.h>

#include "number/sort.h"
#include "tool/err.h"

#define BITS 6			/* of ROWS_BINS */
#define TRY 32			/* rows that are worth a try to merge them */

void
rows_open(struct rows *r, const uint64_t key[2])
{
	r->words = r->k + r->groups + r->owned + r->weighted;
	r->bins = ROWS_BINS;
	r->record = sizeof(struct id);
	r->enough = r->merges ? TRY : SIZE_MAX;
	ids_open(&r->far, key, sizeof(struct id));
}

void
pile_free(struct pile *p)
{
	free(p->word);
	text_free(&p->far);
}

void
rows_forget(struct rows_bin *b)
{
	free(b->end);
	pile_free(&b->pile);
	ids_close(&b->ids);
	*b = (struct rows_bin){ .people = 0 };
}

void
rows_close(struct rows *r)
{
	for (size_t i = 0; i < ROWS_BINS; i++)
		rows_forget(&r->bin[i]);
	ids_close(&r->far);
	free(r->row);
}

/* Room for another row. */
static inline int64_t *
next(const struct rows *r, struct pile *p)
{
	size_t size = ROWS_ID + r->words + p->merged;

	if (p->n == p->room)
		p->word = err_grow(p->word, p->n, &p->room, size *
		    sizeof(*p->word));
	return p->word + p->n++ * size;
}

/*
 * The group of a bad row is kept as its complement, and its part by epsilon;
 * nothing else of a bad row is used.
 */
void
rows_add(const struct rows *r, struct pile *to, struct label name,
    const struct people_row *row)
{
	bool good = row->x != NULL && row->w > 0;
	int64_t *word = next(r, to);
	struct id id = ids_make(&r->far, name);

	if (id_far(&id)) {
		id.word[1] += to->far.len;
		ids_text(&to->far, name);
	}
	*word++ = (int64_t)id.word[0];
	*word++ = (int64_t)id.word[1] | (good ? 0 : INT64_MIN);
	if (r->groups)
		*word++ = good ? (int64_t)row->group : ~(int64_t)row->group;
	if (r->owned)
		*word++ = (int64_t)row->own;
	for (size_t i = 0; i < r->k; i++)
		*word++ = good ? row->x[i] : 0;
	if (r->weighted)
		*word = (int64_t)row->w;
}

struct label
rows_name(const struct pile *p, const int64_t *row, struct id *room)
{
	struct id id = rows_id(row);

	if (id_far(&id))
		return id_text(&p->far, &id);
	*room = (struct id){ { fixed_low_first(id.word[0]),
	    fixed_low_first(id.word[1]) } };
	return (struct label){ (const char *)room->word,
	    (size_t)(id.word[1] >> ID_LENGTH) };
}

/* Appends a row of a pile to another pile. */
static inline int64_t *
rows_copy(const struct rows *r, struct pile *to, const struct pile *from,
    const int64_t *row)
{
	int64_t *word = next(r, to);
	size_t n = ROWS_ID + r->words;

	for (size_t i = 0; i < n; i++)
		word[i] = row[i];
	if (to->merged)
		word[n] = from->merged ? row[n] : 1;
	return word;
}

/* May a row be added to another? */
static bool
rows_alike(const struct rows *r, const int64_t *a, const int64_t *b)
{
	return memcmp(a, b, (ROWS_ID + r->same) * sizeof(*a)) == 0;
}

/* Adds a row to one that is alike, if all sums fit. */
static bool
rows_join(const struct rows *r, int64_t *to, const int64_t *row, size_t end)
{
	size_t same = ROWS_ID + r->same, i;
	int64_t sum;

	for (i = same; i < end; i++)
		if (__builtin_add_overflow(to[i], row[i], &sum))
			return false;
	for (i = same; i < end; i++)
		to[i] += row[i];
	return true;
}

static size_t
rows_slot(const struct rows *r, const int64_t *row, size_t slots)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < ROWS_ID + r->same; i++)
		hash = ids_fold(&r->far, hash, (uint64_t)row[i]);
	return (size_t)((u128)hash * slots >> 64);
}

/*
 * Copies rows until there are `most', perhaps to where they are; a row goes
 * again where one before takes it in.  A row that does not fit takes the place
 * of that one, so that no row meets many.
 */
static void
rows_join_all(const struct rows *r, struct pile *to, const struct pile *from,
    size_t most)
{
	size_t slots = from->n / 2 * 3, size = ROWS_ID + r->words + to->merged;
	uint32_t *slot = err_alloc(NULL, slots, sizeof(*slot));
	const int64_t *at = from->word, *row;

	for (size_t i = 0, j; i < from->n && to->n < most; i++) {
		row = rows_copy(r, to, from, at);
		j = rows_slot(r, row, slots);
		while (slot[j] > 0 && !rows_alike(r, to->word + (slot[j] - 1) *
		    size, row))
			j = j + 1 < slots ? j + 1 : 0;
		if (slot[j] > 0 && rows_join(r, to->word + (slot[j] - 1) *
		    size, row, size))
			to->n--;
		else
			slot[j] = (uint32_t)to->n;
		at = rows_next(r, from, at);
	}
	free(slot);
}

/*
 * Merges a bin's rows if they are worth a try, now or from some number on.
 * Rows that get a word more are merged only if half of them go.  Twice as many
 * rows are worth the next try: of this bin, or, where too few went, of any bin,
 * so that without equal rows few are looked at.  People keep their order.
 */
static void
rows_merge(struct rows *r, struct rows_bin *b)
{
	struct pile from = b->pile, to = from;
	bool wider = !r->weighted && !from.merged;
	size_t most = from.n / 2;

	if (from.n < r->enough || from.n >= UINT32_MAX) {
		b->enough = r->enough;
		return;
	}
	to.n = 0;
	if (wider)
		to = (struct pile){ .merged = true };
	rows_join_all(r, &to, &from, wider ? most : from.n);
	if (to.n >= most)
		r->enough = 2 * from.n;
	b->enough = to.n < most ? 2 * to.n : r->enough;
	if (!wider || to.n < most)
		b->pile = to;
	if (wider)
		pile_free(to.n < most ? &from : &to);
}

/*
 * A long id becomes the number of a record, and of length 0: no other id is.
 * Nobody looks at ids in the bin of one person.
 */
void
rows_put(struct rows *r, const struct pile *from, const int64_t *row)
{
	struct id id = rows_id(row);
	struct label text = id_text(&from->far, &id);
	bool far = id_far(&id);
	struct rows_bin *b;
	uint32_t hash;
	int64_t *to;

	if (far)
		id.word[1] = ID_FAR;
	hash = id_hash(&r->far, &id);
	b = &r->bin[(uint64_t)hash * r->bins >> 32];
	to = rows_copy(r, &b->pile, from, row);
	if (far && r->bins > 1) {
		to[0] = ids_find(&r->far, &id, hash, text);
		to[1] = row[1] & INT64_MIN;
	}
	if (b->pile.n >= b->enough)
		rows_merge(r, b);
}

/* The bits that chose the bin choose no slot. */
void
rows_people(const struct rows *r, struct rows_bin *b, const int64_t *row,
    size_t n, uint32_t *person)
{
	uint32_t hash[ROWS_WINDOW];
	struct id id[ROWS_WINDOW];

	if (r->bins == 1) {
		for (size_t i = 0; i < n; i++)
			person[i] = 1;
		b->ids.n = 1;
		return;
	}
	if (b->ids.slots == 0)
		ids_open(&b->ids, r->far.key, r->record);
	for (size_t i = 0; i < n; i++, row = rows_next(r, &b->pile, row)) {
		id[i] = rows_id(row);
		hash[i] = id_hash(&b->ids, &id[i]) << BITS;
	}
	ids_find_all(&b->ids, id, hash, n, person);
}

/*
 * Numbers each row's person, from 1 in the order of first rows; 0 for a bad row
 * without a group, which is not kept.
 */
static void
rows_number(const struct rows *r, struct rows_bin *b, uint32_t *person)
{
	size_t n = b->pile.n, some;
	const int64_t *row = b->pile.word;

	for (size_t i = 0; i < n; i += some) {
		some = n - i < ROWS_WINDOW ? n - i : ROWS_WINDOW;
		rows_people(r, b, row, some, person + i);
		for (size_t j = i; j < i + some; j++) {
			if (!rows_good(row) && !r->groups)
				person[j] = 0;
			row = rows_next(r, &b->pile, row);
		}
	}
	b->people = b->ids.n;
}

/* Puts the rows of each person together, in the order in which they came. */
static void
place(const struct rows *r, struct rows_bin *b, const uint32_t *person,
    int64_t *all)
{
	size_t n = b->pile.n, words = r->words + b->pile.merged, at = 0, own;
	const int64_t *from = b->pile.word;
	int64_t *to;

	for (size_t i = 0; i < n; i++)
		b->end[person[i]]++;
	for (size_t i = 0; i <= b->people; i++) {
		own = b->end[i];
		b->end[i] = at;
		at += own;
	}
	for (size_t i = 0; i < n; i++, from += ROWS_ID + words) {
		to = all + b->end[person[i]]++ * words;
		for (size_t j = 0; j < words; j++)
			to[j] = from[ROWS_ID + j];
	}
	memcpy(b->pile.word, all, n * words * sizeof(*all));
}

/* Is a row one number?  Threads sort these. */
static inline bool
is_plain(const struct rows *r, const struct rows_bin *b)
{
	return r->k == 1 && r->words == 1 && !b->pile.merged;
}

/* Room for a bin of so many rows. */
static void
rows_room_for(const struct rows *r, struct rows_room *room, size_t rows)
{
	size_t words = r->words + 1;	/* merged, perhaps */

	if (rows <= room->rows)
		return;
	room->rows = rows;
	room->person = err_alloc(room->person, rows, sizeof(*room->person));
	room->word = err_alloc(room->word, rows, words * sizeof(*room->word));
}

void
rows_room_free(struct rows_room *room)
{
	ids_close(&room->ids);
	free(room->person);
	free(room->word);
}

void
rows_sort(const struct rows *r, struct rows_bin *b, struct rows_room *room)
{
	rows_room_for(r, room, b->pile.n);
	b->ids = room->ids;
	rows_number(r, b, room->person);
	b->end = err_alloc(NULL, b->people + 1, sizeof(*b->end));
	place(r, b, room->person, room->word);
	room->ids = b->ids;
	ids_clear(&room->ids);
	b->ids = (struct ids){ .n = 0 };
	for (size_t i = 1; is_plain(r, b) && i <= b->people; i++)
		sort_grid(b->pile.word + b->end[i - 1], b->end[i] -
		    b->end[i - 1]);
}

struct shares
rows_of(struct rows *r, const struct rows_bin *b, size_t person)
{
	size_t i = b->end[person - 1], end = b->end[person];
	size_t words = r->words + b->pile.merged;
	int64_t *at = b->pile.word + i * words, *x, group = 0;
	struct shares s = { .least = r->groups ? UINT64_MAX : 0,
	    .own = UINT64_MAX };

	r->row = err_grow(r->row, end - i, &r->room, sizeof(*r->row));
	s.row = r->row;
	for (; i < end; i++, at += words) {
		if (r->groups)
			group = at[0];
		x = at + r->groups + r->owned;
		s.row[s.n] = (struct share){ x, r->k, (uint64_t)(group < 0 ?
		    ~group : group), 1 };
		if (r->weighted || b->pile.merged)
			s.row[s.n].w = (uint64_t)at[words - 1];
		if (r->groups && s.row[s.n].group < s.least)
			s.least = s.row[s.n].group;
		if (r->owned)
			s.own = FIXED_LEAST(s.own, (uint64_t)at[r->groups]);
		s.n += group >= 0;
	}
	if (!is_plain(r, b))
		shares_sort(&s);
	return s;
}
