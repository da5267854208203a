/*
 * relay: records read and cut on one thread, taken on the caller's.
 *
 * The reader fills batches with copies of the chosen cells, since its buffer
 * is soon another one's; the caller empties them in the same order.  There
 * are DEPTH of them in a ring, each with room for what fills it and one record
 * more, so that memory is bounded whatever the input.  An error ends the
 * process from either thread.
 */
#include "relay.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#ifndef TABLE_BEFORE
#define TABLE_BEFORE 64
#endif

#define DEPTH 4
#define RECORDS 4096	/* a batch is full with so many, */
#define TEXT 65536	/* or with so many bytes */

struct batch {
	struct cell *cells;	/* k for each record */
	size_t *fields;
	size_t records;
	char *text;		/* TABLE_BEFORE bytes stand before the first */
	size_t used;
	bool last;
};

struct relay {
	struct table *table;
	const size_t *cols;
	size_t k;
	struct batch batch[DEPTH];
	struct batch *now;	/* the reader's */
	pthread_mutex_t lock;
	pthread_cond_t turn;	/* of either side */
	size_t filled, taken;	/* batches so far */
};

static void
empty(struct batch *b)
{
	b->records = 0;
	b->used = TABLE_BEFORE;
}

static void
make(struct relay *r)
{
	struct batch *b;

	for (b = r->batch; b < r->batch + DEPTH; b++) {
		*b = (struct batch){
			.cells = err_alloc(NULL, RECORDS * r->k,
			    sizeof(*b->cells)),
			.fields = err_alloc(NULL, RECORDS, sizeof(*b->fields)),
			.text = err_alloc(NULL, r->k + 2, TABLE_CELL)
		};
		memset(b->text, 0, TABLE_BEFORE);
		empty(b);
	}
	r->now = r->batch;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->turn, NULL);
}

static void
unmake(struct relay *r)
{
	struct batch *b;

	for (b = r->batch; b < r->batch + DEPTH; b++) {
		free(b->cells);
		free(b->fields);
		free(b->text);
	}
	pthread_cond_destroy(&r->turn);
	pthread_mutex_destroy(&r->lock);
}

/* Hands over the reader's batch and waits for an empty one. */
static void
hand_over(struct relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->filled++;
	pthread_cond_signal(&r->turn);
	while (r->filled - r->taken == DEPTH)
		pthread_cond_wait(&r->turn, &r->lock);
	pthread_mutex_unlock(&r->lock);
	r->now = &r->batch[r->filled % DEPTH];
	empty(r->now);
}

static void
put(void *arg, const struct cell *cells, size_t fields)
{
	struct relay *r = arg;
	struct batch *b = r->now;
	struct cell *to = b->cells + b->records * r->k;
	size_t i;

	for (i = 0; i < r->k; i++) {
		to[i] = cells[i];
		to[i].text = memcpy(b->text + b->used, cells[i].text,
		    cells[i].len);
		b->used += cells[i].len;
	}
	b->fields[b->records++] = fields;
	if (b->records == RECORDS || b->used >= TEXT)
		hand_over(r);
}

static void *
reader(void *arg)
{
	struct relay *r = arg;

	table_read(r->table, r->cols, r->k, put, r);
	pthread_mutex_lock(&r->lock);
	r->now->last = true;
	r->filled++;
	pthread_cond_signal(&r->turn);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* Takes one batch; false after the last. */
static bool
take(struct relay *r, void (*record)(void *arg, const struct cell *cells,
    size_t fields), void *arg)
{
	const struct batch *b = &r->batch[r->taken % DEPTH];
	bool last;
	size_t i;

	pthread_mutex_lock(&r->lock);
	while (r->filled == r->taken)
		pthread_cond_wait(&r->turn, &r->lock);
	pthread_mutex_unlock(&r->lock);
	last = b->last;
	for (i = 0; i < b->records; i++)
		record(arg, b->cells + i * r->k, b->fields[i]);
	pthread_mutex_lock(&r->lock);
	r->taken++;
	pthread_cond_signal(&r->turn);
	pthread_mutex_unlock(&r->lock);
	return !last;
}

void
relay_read(struct table *t, unsigned threads, const size_t *cols, size_t k,
    void (*record)(void *arg, const struct cell *cells, size_t fields),
    void *arg)
{
	struct relay r = { .table = t, .cols = cols, .k = k };
	pthread_t thread;

	if (threads < 2) {
		table_read(t, cols, k, record, arg);
		return;
	}
	make(&r);
	if (pthread_create(&thread, NULL, reader, &r) == 0) {
		while (take(&r, record, arg))
			;
		pthread_join(thread, NULL);
	} else {
		table_read(t, cols, k, record, arg);
	}
	unmake(&r);
}
