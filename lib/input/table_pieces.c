/*
 * table_pieces: a file read by several threads, piece by piece.
 *
 * A piece reaches from the first line end after the piece's place to the first
 * line end at or after the next place where a record ends, too.  A thread
 * reads a piece as if a record began after its first line end.  The end of the
 * piece before tells whether that is so: after a line feed between records a
 * reader remembers only its place, as a CR before it is done with, so the guess
 * is right exactly if the places agree.  The caller's thread, which takes
 * pieces in order, knows the true end.  Where the two differ, it throws the
 * piece away and reads again from the true end.  So the records taken are the
 * records that one thread reads, one by one, whatever the input, the piece size
 * and the number of threads.
 */
#include <sys/stat.h>

#include <pthread.h>
#include <unistd.h>

#include "number/taint.h"
#include "table_state.h"
#include "tool/err.h"
#include "tool/parts.h"

#define TAIL 4096	/* bytes read at once in a piece's last record */
#define NOWHERE ((off_t)-1)	/* no line end: read again */

struct piece {
	void *batch;
	off_t begin, end;	/* places between records */
	bool eof;
	bool ready;		/* begin, end, eof and the batch are set */
};

/* Pieces number given..given + count - 1 are read or being read. */
struct reading {
	struct table *table;	/* the caller's */
	const struct table_crew *crew;
	const size_t *cols;	/* as the caller names them, views too */
	struct piece *piece;	/* number i at i % count */
	size_t count;
	off_t size;
	off_t begin;		/* of piece 0, */
	bool cr;		/* and an LF belongs to the record before */
	pthread_mutex_t lock;	/* for the members below, and piece[].ready */
	pthread_cond_t change;
	size_t taken;		/* pieces that the caller has had */
	size_t given;		/* and pieces that a reader has or had */
	bool stop;
};

/* The place of piece i, before a record's begin is looked for. */
static off_t
place_of(const struct reading *r, size_t i)
{
	return r->begin + (off_t)i * r->size;
}

/* Reads lines until a record or the input ends. */
static void
pieces_finish(struct table *t)
{
	while (!table_between(t) || t->last != '\n') {
		t->limit = t->at + TAIL;
		if (t->pos == t->end && !table_fill(t))
			return;
		t->pos += table_feed_line(t, t->buf + t->pos, t->end - t->pos);
		t->last = t->buf[t->pos - 1];
	}
}

/* Reads from t's place on, to the end of the piece with this limit. */
static void
read_on(struct table *t, off_t limit, struct piece *p)
{
	t->limit = limit;
	while (t->pos < t->end || table_fill(t))
		table_parse(t);
	if (!t->eof)
		pieces_finish(t);
	if (t->eof)
		table_end(t);
	p->end = t->at - (off_t)(t->end - t->pos);
	p->eof = t->eof;
}

/* Forgets t's bytes, and goes to a new place in the input. */
static void
go_to(struct table *t, off_t at, void *batch)
{
	t->chosen.arg = batch;
	t->at = at;
	t->cr = false;
	t->last = '\n';
	t->pos = t->end = 0;
	t->eof = false;
}

/* Looks for a line end from the byte before on; the limit is set. */
static bool
find_line(struct table *t)
{
	const char *end;

	while (table_fill(t)) {
		end = memchr(t->buf, '\n', t->end);
		if (end != NULL) {
			t->pos = (size_t)(end - t->buf) + 1;
			return true;
		}
	}
	return false;
}

/* Reads piece i as if a record began after the first line end. */
static void
read_piece(struct reading *r, struct table *t, size_t i)
{
	struct piece *p = &r->piece[i % r->count];
	off_t limit = place_of(r, i + 1);

	p->begin = r->begin;
	go_to(t, place_of(r, i) - (i > 0), p->batch);
	if (i == 0)
		t->cr = r->cr;
	else {
		t->limit = limit;
		p->begin = NOWHERE;
		if (!find_line(t))
			return;
		p->begin = t->at - (off_t)(t->end - t->pos);
	}
	read_on(t, limit, p);
}

/* Takes a piece, if any is left, and reads the piece; holds the lock. */
static bool
read_next(struct reading *r, struct table *t)
{
	size_t i = r->given;

	if (i - r->taken == r->count)
		return false;
	r->given++;
	pthread_mutex_unlock(&r->lock);
	read_piece(r, t, i);
	pthread_mutex_lock(&r->lock);
	r->piece[i % r->count].ready = true;
	pthread_cond_broadcast(&r->change);
	return true;
}

/* The next piece to take, when ready; reads further pieces meanwhile. */
static struct piece *
await(struct reading *r, struct table *t)
{
	struct piece *p = &r->piece[r->taken % r->count];

	pthread_mutex_lock(&r->lock);
	while (!p->ready)
		if (!read_next(r, t))
			pthread_cond_wait(&r->change, &r->lock);
	pthread_mutex_unlock(&r->lock);
	return p;
}

static void
pass(struct reading *r, struct piece *p)
{
	pthread_mutex_lock(&r->lock);
	p->ready = false;
	r->taken++;
	r->stop = p->eof;
	pthread_cond_broadcast(&r->change);
	pthread_mutex_unlock(&r->lock);
}

/* Takes every piece in order. */
static void
take_all(struct reading *r, struct table *t)
{
	off_t end = r->begin;
	struct piece *p;
	bool eof;

	do {
		p = await(r, t);
		if (p->begin != end) {
			r->crew->forget(p->batch);
			go_to(t, end, p->batch);
			read_on(t, place_of(r, r->taken + 1), p);
		}
		end = p->end;
		eof = p->eof;
		r->crew->take(p->batch);
		pass(r, p);	/* p may be used for another piece now */
	} while (!eof);
	taint_public(&end, sizeof(end));	/* for the kernel alone */
	lseek(t->fd, end, SEEK_SET);
}

/*
 * Part 0 is the caller's thread.  The others read pieces through tables of
 * their own; a part that comes late finds nothing to do.
 */
static void
read_part(void *arg, unsigned part)
{
	struct reading *r = arg;
	const struct table *t = r->table;
	struct table *own;

	if (part == 0) {
		take_all(r, r->table);
		return;
	}
	own = table_new(t->fd, t->name, &t->form, &t->how);
	own->views = t->views;
	own->number = t->number;
	own->why = t->why;
	own->by_place = true;
	table_choose(own, r->cols, t->chosen.count, t->chosen.record, NULL);
	pthread_mutex_lock(&r->lock);
	while (!r->stop)
		if (!read_next(r, own))
			pthread_cond_wait(&r->change, &r->lock);
	pthread_mutex_unlock(&r->lock);
	table_unchoose(own);
	own->views = NULL;
	table_close(own);
}

/* The next byte to parse: the place in the file. */
static off_t
next_byte(const struct table *t)
{
	off_t at = lseek(t->fd, 0, SEEK_CUR);

	return at - (off_t)(t->end - t->pos);
}

off_t
table_left(const struct table *t)
{
	struct stat st;

	if (fstat(t->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return -1;
	return st.st_size - next_byte(t);
}

void
table_read_pieces(struct table *t, const size_t *cols, size_t k,
    const struct table_crew *crew)
{
	struct reading r = { .table = t, .crew = crew,
	    .cols = cols, .size = (off_t)t->how.piece,
	    .count = TABLE_BATCHES(crew->threads),
	    .begin = next_byte(t), .cr = t->cr };

	r.piece = err_alloc(NULL, r.count, sizeof(*r.piece));
	for (size_t i = 0; i < r.count; i++)
		r.piece[i] = (struct piece){ .batch = crew->batch[i] };
	pthread_mutex_init(&r.lock, NULL);
	pthread_cond_init(&r.change, NULL);
	table_choose(t, cols, k, crew->record, NULL);
	t->by_place = true;
	table_begin(t);
	parts_run(crew->threads, read_part, &r);
	pthread_cond_destroy(&r.change);
	pthread_mutex_destroy(&r.lock);
	table_unchoose(t);
	free(r.piece);
}
