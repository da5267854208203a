/*
 * intake_batch: records read by several threads.
 *
 * Each record goes the usual way through a copy of the intake, which has
 * separate room for a record's data, and shares the rest, read only. Instead of
 * the tool, a batch of numbers takes the record, and the tool gets the batches
 * in the order of the input, in one thread: the tool cannot see a difference.
 */
#include "intake_batch.h"

#include <sched.h>
#include <stdlib.h>

#include "tool/err.h"

#define LARGE ((off_t)4 << 20)	/* smaller files are not worth a thread */
#define THREADS 8		/* more would wait for the taker */

#define ALONE 4096		/* numbers kept where no thread waits */

/* Rows with k numbers, group and weight, or the numbers of plain records. */
struct batch {
	struct intake in;	/* the copy; first, as record gets a batch */
	struct intake *whole;
	bool plain;
	int64_t *number;
	size_t n;		/* rows; in.x is behind plain numbers */
	size_t room;
	struct pile pile;	/* with --unit, instead of numbers */
};

/* Room for another row. */
static __attribute__((noinline)) void
grow(struct batch *b)
{
	b->room += b->room / 4 + 512 * (b->in.k + 2);
	/* behind the last number there is scratch for code */
	b->number = err_alloc(b->number, b->room + b->in.k,
	    sizeof(*b->number));
}

static void
keep(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct batch *b = arg;
	size_t k = b->in.k, i;
	int64_t *to;

	if (b->room - b->n < k + 2)
		grow(b);
	to = b->number + b->n;
	for (i = 0; i < k; i++)
		to[i] = x[i];
	b->n += k + 2;
	to[k] = (int64_t)group;
	to[k + 1] = (int64_t)w;
}

/* The room for plain numbers is full, and grows. */
static void
widen(struct intake *in)
{
	struct batch *b = (struct batch *)in;
	size_t n = b->room;

	grow(b);
	in->x = b->number + n;
	in->x_end = b->number + b->room;
}

static void
forget(void *batch)
{
	struct batch *b = batch;

	b->n = 0;
	b->pile.n = b->pile.far.len = 0;
	if (b->plain)
		b->in.x = b->number;
	b->in.total = 0;
	b->in.records = 0;
}

/* The numbers of n plain records. */
static void
hand_over(struct intake *in, const int64_t *x, size_t n)
{
	in->total += n;
	if (in->take_all != NULL)
		in->take_all(in->arg, x, n);
	else
		for (size_t i = 0; i < n; i++)
			in->take(in->arg, 0, &x[i], 1);
}

static void
take(void *batch)
{
	struct batch *b = batch;
	struct intake *in = b->whole;
	const int64_t *x = b->number, *end = x + b->n;
	size_t k = in->k;

	if (in->people != NULL)
		people_put(in->people, &b->pile);
	if (b->plain)
		hand_over(in, x, (size_t)(b->in.x - x));
	for (; x < end; x += k + 2)
		in->take(in->arg, (size_t)x[k], x, (uint64_t)x[k + 1]);
	in->total += b->in.total;
	in->records += b->in.records;
	forget(b);
}

/* The room for plain numbers is full: the numbers are used up. */
static void
empty(struct intake *in)
{
	in->x -= ALONE;
	hand_over(in, in->x, ALONE);
}

void
batch_read_alone(struct intake *in, void (*record)(void *in,
    const struct cell *cells, size_t fields))
{
	size_t n;

	in->x = err_alloc(in->x, ALONE + in->k, sizeof(*in->x));
	in->x_end = in->x + ALONE;
	in->full = empty;
	table_read(in->table, in->cols, in->all, record, in);
	n = ALONE - (size_t)(in->x_end - in->x);
	in->x -= n;
	hand_over(in, in->x, n);
}

/* Processors that the process may run on; 1 to `most`. */
static unsigned
processors(unsigned most)
{
	cpu_set_t set;
	unsigned n = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = (unsigned)CPU_COUNT(&set);
	return n > most ? most : n;
}

unsigned
batch_threads(const struct intake *in)
{
	if (in->o->threads > 0)
		return in->o->threads;
	return in->left < LARGE ? 1 : processors(THREADS);
}

/*
 * Private parameters and names that the tool looks at itself are met in order,
 * and so are people when memory holds a single person; --check and --on-bad
 * fail tell a record's number.
 */
bool
batch_may(const struct intake *in)
{
	const struct opts *o = in->o;

	return in->threads > 1 && in->left > 0 && in->o->own_column == NULL &&
	    o->on_bad != ON_BAD_FAIL && !o->check &&
	    (in->texts == 0 || in->code != NULL);
}

static void
open_batch(struct batch *b, struct intake *in, bool plain)
{
	*b = (struct batch){ .in = *in, .whole = in, .plain = plain };
	b->in.take = keep;
	b->in.arg = b;
	b->in.pile = &b->pile;
	b->in.full = widen;
	b->in.x = NULL;
	if (plain)
		widen(&b->in);
	else
		b->in.x = err_alloc(NULL, in->k, sizeof(*in->x));
	forget(b);
}

static void
close_batch(struct batch *b)
{
	if (!b->plain)
		free(b->in.x);
	free(b->number);
	pile_free(&b->pile);
}

void
batch_read(struct intake *in, void (*record)(void *in,
    const struct cell *cells, size_t fields), bool plain)
{
	size_t n = TABLE_BATCHES(in->threads), i;
	struct batch *batch = err_alloc(NULL, n, sizeof(*batch));
	void **each = err_alloc(NULL, n, sizeof(*each));
	struct table_crew crew = { in->threads, each, record, forget,
	    take };

	for (i = 0; i < n; i++) {
		open_batch(&batch[i], in, plain);
		each[i] = &batch[i];
	}
	table_read_pieces(in->table, in->cols, in->all, &crew);
	for (i = 0; i < n; i++)
		close_batch(&batch[i]);
	free(each);
	free(batch);
}
