/*
 * intake_batch: records read by several threads.
 *
 * Each record goes the usual way through a copy of the intake, which has
 * separate room for a record's data, and shares the rest, read only. Instead of
 * the tool, a batch of numbers takes the record, and the tool gets the batches
 * in the order of the input, in one thread: the tool cannot see a difference.
 */
#include "intake_parts.h"

#include <stdlib.h>

#include "number/taint.h"
#include "tool/err.h"
#include "tool/host.h"

#define LARGE ((off_t)4 << 20)	/* smaller files are not worth a thread */
#define THREADS 8		/* more would wait for the taker */
#define WINDOW 64		/* rows whose groups are looked up together */
#define AHEAD 16		/* rows whose totals are on the way */
#define FEW_BITS 8		/* of places for groups, */
#define FEW 1024		/* if there are fewer */
#define APART 16		/* numbers between what two threads write */

/* Rows with k numbers, group and weight, or the numbers of plain records. */
struct batch {
	struct intake in;	/* the copy; first, as record gets a batch */
	struct intake *whole;
	bool plain;
	int64_t *number;
	size_t n, room;
	struct pile pile;	/* with --unit, instead of numbers; not last, as
				   another thread writes behind a batch */
	void (*full)(void *batch);	/* makes room for numbers */
	struct id wait[WINDOW];	/* groups to be looked up, */
	size_t at[WINDOW], waits;	/* and their places among the numbers */
	bool few;		/* with few groups: those that were found */
	struct {
		struct id id;
		int64_t group;
	} found[1 << FEW_BITS];
};

/* Room for another row. */
static __attribute__((noinline)) void
grow(void *batch)
{
	struct batch *b = batch;

	b->room += 4096 * (b->in.k + 2);
	/* after the last number there is scratch for code */
	b->number = err_alloc(b->number, b->room + b->in.k,
	    sizeof(*b->number));
}

/* With many groups the memory of one is far from that of the last. */
static void
batch_find(struct batch *b)
{
	uint32_t found[WINDOW];

	ids_look_all(&b->in.keys.index, b->wait, b->waits, found);
	for (size_t i = 0; i < b->waits; i++) {
		int64_t group = found[i] == 0 ? (int64_t)b->in.keys.n :
		    (int64_t)found[i] - 1;
		size_t place = id_place(b->wait[i], FEW_BITS);

		b->number[b->at[i]] = group;
		b->found[place].id = b->wait[i];
		b->found[place].group = group;
	}
	b->waits = 0;
}

/* The group of the present row, or 0 if the group's name is looked up later. */
static size_t
batch_group(struct batch *b)
{
	const struct cell *g = &b->in.cells[b->in.at[CELL_GROUP]];
	struct label name = text_trim(g->text, g->len);
	struct id id;
	size_t place;

	if (name.len - 1 >= ID_NEAR)
		return intake_find_group(&b->in, b->in.cells);
	id = ids_make_behind(name);
	place = id_place(id, FEW_BITS);
	if (b->few && id_same(b->found[place].id, id))
		return (size_t)b->found[place].group;
	if (b->waits == WINDOW)
		batch_find(b);
	b->wait[b->waits] = id;
	b->at[b->waits++] = b->n + b->in.k;
	return 0;
}

static void
keep(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct batch *b = arg;
	size_t k = b->in.k, i;
	int64_t *to;

	if (b->room - b->n < k + 2)
		b->full(b);
	if (b->in.waits)
		group = batch_group(b);
	to = b->number + b->n;
	for (i = 0; i < k; i++)
		to[i] = x[i];
	b->n += k + 2;
	to[k] = (int64_t)group;
	to[k + 1] = (int64_t)w;
}

/* One number for a record, and no further option on records. */
static void
plain(void *batch, const struct cell *cells, size_t fields)
{
	struct batch *b = batch;
	const struct intake *in = &b->in;
	int64_t *x = &b->number[b->n];
	bool good;

	(void)fields;
	b->in.records++;
	if (in->use.code != NULL)
		good = in->use.code(in->use.arg, cells, x);
	else if (!(good = intake_number(cells, in->bounds, x)))
		*x = in->bounds->bad;
	if (!good && !intake_forgive(in))
		return;
	taint_private(x, in->k * sizeof(*x));
	b->n++;
	taint_private(&b->n, sizeof(b->n));
	if (b->n == b->room)
		b->full(b);
}

static void
forget(void *batch)
{
	struct batch *b = batch;

	b->n = b->waits = 0;
	b->pile.n = b->pile.far.len = 0;
	b->in.total = 0;
	b->in.records = 0;
}

/* The numbers of n plain records. */
static void
hand_over(struct intake *in, const int64_t *x, size_t n)
{
	uint64_t one = 1;

	taint_private(&one, sizeof(one));
	in->total += n;
	if (in->use.take_all != NULL)
		in->use.take_all(in->arg, x, n);
	else
		for (size_t i = 0; i < n; i++)
			in->take(in->arg, 0, &x[i], one);
}

static void
take(void *batch)
{
	struct batch *b = batch;
	struct intake *in = b->whole;
	const int64_t *x = b->number, *end = x + b->n;
	size_t k = in->k, ahead = AHEAD * (k + 2);

	batch_find(b);
	if (in->people != NULL)
		people_put(in->people, &b->pile);
	if (b->plain)
		hand_over(in, x, b->n);
	for (; !b->plain && x < end; x += k + 2) {
		if (in->use.near != NULL && (size_t)(end - x) > ahead)
			__builtin_prefetch(in->use.near + in->use.stride *
			    (size_t)x[ahead + k], 1);
		if ((size_t)x[k] < in->groups)
			in->take(in->arg, (size_t)x[k], x,
			    (uint64_t)x[k + 1]);
	}
	in->total += b->in.total;
	in->records += b->in.records;
	forget(b);
}

unsigned
batch_threads(const struct intake *in)
{
	unsigned n = 1;

	if (in->o->threads > 0)
		return (unsigned)in->o->threads;
	if (table_left(in->table) >= LARGE)
		n = host_processors();
	return FIXED_LEAST(n, THREADS);
}

/* Are groups looked up later? */
static bool
batch_waits(const struct intake *in)
{
	return in->o->group != NULL && in->keys.width == 1 &&
	    in->people == NULL;
}

/* Is a record one number, or does code make one of names? */
static bool
is_plain(const struct intake *in)
{
	return in->all == in->k && (in->use.code == NULL ? in->k == 1 &&
	    in->use.texts == 0 : in->k == in->use.texts);
}

static void
open_batch(struct batch *b, struct intake *in, bool alone)
{
	*b = (struct batch){ .in = *in, .whole = in, .plain = is_plain(in),
	    .full = alone ? take : grow };
	b->in.take = keep;
	b->in.arg = b;
	b->in.waits = batch_waits(in);
	b->few = in->keys.n < FEW;
	b->in.pile = &b->pile;
	b->in.x = err_alloc(NULL, in->k + 1 + APART, sizeof(*in->x));
	grow(b);
}

/*
 * A sample by private parameters, parameters that the tool uses and names that
 * it looks at are met in order; --check and --on-bad fail tell a record's
 * number.
 */
bool
batch_read(struct intake *in, table_record *record)
{
	bool alone = in->threads == 1 || table_left(in->table) <= 0;
	bool enough = (in->o->own_column == NULL || in->o->op.own_weight ||
	    in->people != NULL) && (in->use.texts == 0 ||
	    in->use.code != NULL);
	size_t n = alone ? 1 : TABLE_BATCHES(in->threads), i;
	struct batch *batch;
	struct table_crew crew = { in->threads, NULL, is_plain(in) ? plain :
	    record, forget, take };

	if (in->o->check || in->o->on_bad == ON_BAD_FAIL || !enough ||
	    (alone && !is_plain(in) && !batch_waits(in)))
		return false;
	batch = err_alloc(NULL, n, sizeof(*batch));
	crew.batch = err_alloc(NULL, n, sizeof(*crew.batch));
	for (i = 0; i < n; i++) {
		open_batch(&batch[i], in, alone);
		crew.batch[i] = &batch[i];
	}
	if (alone) {
		table_read(in->table, in->cols, in->all, crew.record, batch);
		take(batch);
	} else
		table_read_pieces(in->table, in->cols, in->all, &crew);
	for (i = 0; i < n; i++) {
		free(batch[i].in.x);
		free(batch[i].number);
		pile_free(&batch[i].pile);
	}
	free(crew.batch);
	free(batch);
	return true;
}
