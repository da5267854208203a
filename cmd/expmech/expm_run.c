/*
 * expm_run: the candidates, and the draw.
 *
 * [DMNS06 Section 3.3] The list of candidates is public, so what is wrong
 * with it is reported; the scores are private.  With --keys the list is in a
 * file and the records are votes.
 */
#include <stdlib.h>
#include <string.h>

#include "expm.h"
#include "tool/err.h"

static void
add_name(struct expm *e, const struct cell *c)
{
	if (c->missing)
		die(STATUS_INPUT, "record %llu: no candidate",
		    (unsigned long long)e->in.records);
	if (e->text_room - e->text_len < c->len + 1) {
		e->text_room = (e->text_room + c->len + 64) * 2;
		e->text = err_alloc(e->text, e->text_room, 1);
	}
	memcpy(e->text + e->text_len, c->text, c->len);
	e->text_len += c->len;
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct expm *e = arg;
	const struct cell *c = e->in.cells;

	(void)group, (void)w;
	if (e->n == e->room) {
		e->room = e->room < 256 ? 256 : e->room * 2;
		e->name = err_alloc(e->name, e->room, sizeof(*e->name));
		e->score = err_alloc(e->score, e->room, sizeof(*e->score));
	}
	add_name(e, c);
	e->name[e->n].len = c->len;
	e->score[e->n++] = x[1];
}

static void
take_vote(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct expm *e = arg;
	const struct cell *c = e->in.cells;
	size_t key = e->n;
	int64_t room;

	(void)group, (void)x;
	if (!c->missing)
		key = keys_find(&e->keys, c->text, c->len);
	if (key == e->n)
		return;
	room = FIXED_MAX - e->score[key];
	e->score[key] += w < (uint64_t)room ? (int64_t)w : room;
}

static void
read_votes(struct expm *e)
{
	keys_load(&e->keys, "--keys", e->keys_path);
	e->n = e->keys.n;
	e->name = e->keys.key;
	e->score = err_alloc(NULL, e->n, sizeof(*e->score));
	memset(e->score, 0, e->n * sizeof(*e->score));
	intake_open(&e->in, &e->opts, 1, 1, 0);
	e->in.texts = 1;
	intake_read(&e->in, take_vote, e);
}

static void
read_scores(struct expm *e)
{
	size_t at = 0;

	intake_open(&e->in, &e->opts, 2, 2, e->digits);
	e->in.texts = 1;
	intake_read(&e->in, take, e);
	for (size_t i = 0; i < e->n; at += e->name[i++].len)
		e->name[i].text = e->text + at;
}

void
expm_read(struct expm *e)
{
	if (e->keys_path != NULL)
		read_votes(e);
	else
		read_scores(e);
	if (e->n < e->k)
		die(STATUS_INPUT, e->n == 0 ? "no candidates" :
		    "fewer candidates than draws (-k)");
}

/* The k best, first come first: what --non-private shows. */
static void
best(const struct expm *e, size_t *chosen)
{
	bool *gone = err_alloc(NULL, e->n, sizeof(*gone));

	memset(gone, 0, e->n);
	for (size_t i = 0; i < e->k; i++) {
		size_t at = e->n;

		for (size_t j = 0; j < e->n; j++)
			if (!gone[j] && (at == e->n ||
			    e->score[j] > e->score[at]))
				at = j;
		chosen[i] = at;
		gone[at] = true;
	}
	free(gone);
}

static void
draw(struct expm *e, struct rng *rng, size_t *chosen)
{
	if (e->opts.non_private)
		best(e, chosen);
	else if (!select_draw(rng, &e->t, e->kind, e->score, e->n, e->k,
	    chosen))
		die(STATUS_INPUT, "out of memory");
}

void
expm_write(struct expm *e)
{
	const struct opts *o = &e->opts;
	size_t *chosen = err_alloc(NULL, e->k, sizeof(*chosen));
	struct rng rng;

	if (o->has_seed)
		rng_seeded(&rng, o->seed, o->tool);
	else
		rng_kernel(&rng, die_entropy);
	if (o->verbose)
		report_verbose(&e->report);
	release_begin(&e->out, &e->report, false, false);
	for (uint64_t rel = 1; rel <= o->repeat; rel++) {
		draw(e, &rng, chosen);
		for (size_t i = 0; i < e->k; i++)
			release_text(&e->out, rel, NULL, NULL,
			    &e->name[chosen[i]]);
	}
	rng_wipe(&rng);
	release_flush(&e->out);
	free(chosen);
	if (e->keys_path != NULL)
		keys_free(&e->keys);
	else
		free(e->name);
	free(e->score);
	free(e->text);
	intake_close(&e->in);
	opts_free(&e->opts);
}
