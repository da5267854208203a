/*
 * run: the steps of a release, in the order of all tools.
 *
 * Randomness has three streams: coins of records and coins of people are drawn
 * while records are read (intake.c), and noise afterwards, in public order, one
 * release after another.  A block of random bytes is there before the charge,
 * so that a machine without entropy is no death that was paid for.
 */
#include "run.h"

#include <stdlib.h>
#include <unistd.h>

#include "engine.h"
#include "tool/err.h"

/* A source without bytes ends the program here, with nothing charged. */
static void
run_source(struct run *r)
{
	opts_rng(r->opts, r->opts->tool->name, r->rng);
	rng_ready(r->rng);
}

/* --sql ends here; --grouped goes on where the rows are its own. */
static void
run_engine(const struct run *r, const struct intake_use *use)
{
	if (r->opts->sql != NULL)
		engine_print(r->in, use);
	if (r->opts->grouped)
		engine_agree(r->in);
}

static void
run_read(struct run *r, const struct intake_use *use)
{
	if (r->steps->read != NULL)
		r->steps->read(r->tool);
	else
		intake_read(r->in, use);
}

/* The table's columns: --group's, then the answers'. */
static void
run_declare(struct run *r)
{
	if (r->steps->declare == NULL)
		return;
	release_table(r->out, r->report);
	for (size_t i = 0; r->in != NULL && i < r->in->keys.width; i++)
		release_group(r->out, intake_group_column(r->in, i));
	r->steps->declare(r->tool);
	release_header(r->out);
}

/* A row for each group of n releases. */
static void
run_groups(struct run *r, uint64_t rel, uint64_t n)
{
	size_t width = r->out->answers, groups = r->in->groups;
	struct answer *a = err_alloc(NULL, n * groups, width * sizeof(*a));

	for (size_t i = 0; i < n * groups; i++)
		r->steps->answers(r->tool, rel + i / groups, i % groups, a + i *
		    width);
	release_follow(r->out, a, n * groups);
	for (size_t i = 0; i < n * groups; i++)
		release_row(r->out, rel + i / groups, intake_group_parts(r->in,
		    i % groups), a + i * width);
	free(a);
}

static void
run_answer(struct run *r)
{
	uint64_t n;

	if (r->steps->ask != NULL)
		r->steps->ask(r->tool);
	run_declare(r);
	n = r->out->follows ? r->opts->repeat : 1;
	for (uint64_t rel = 1; rel <= r->opts->repeat; rel += n)
		if (r->steps->rows == NULL || !r->steps->rows(r->tool, rel))
			run_groups(r, rel, n);
}

int
run(struct run *r, int argc, char **argv)
{
	const struct run_steps *s = r->steps;
	struct intake_use use = { .arg = r->tool };
	int c;

	while ((c = opts_next(r->opts, argc, argv)) != -1)
		s->take(r->tool, c);
	/* the place of a schema, which completes the options */
	s->check(r->tool);
	s->plan(r->tool);
	if (s->waits == NULL || !s->waits(r->tool))
		run_ledger(r);
	s->open(r->tool, &use);
	run_engine(r, &use);
	run_ledger(r);
	run_source(r);
	run_read(r, &use);
	run_answer(r);
	rng_wipe(r->rng);
	run_settle(r);
	if (isatty(STDERR_FILENO) && !r->opts->non_private)
		release_tell(r->out);
	if (s->end != NULL)
		s->end(r->tool);
	if (r->in != NULL)
		intake_close(r->in);
	return STATUS_OK;
}
