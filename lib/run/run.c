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

/* --sql ends here; --grouped goes on where the rows are its own. */
static void
run_engine(const struct run *r, const struct intake_use *use)
{
	if (r->opts->sql != NULL)
		engine_print(r->in, use);
	if (r->opts->grouped)
		engine_agree(r->in);
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

/* A row for each group of a release. */
static void
run_groups(struct run *r, uint64_t rel)
{
	size_t width = r->out->answers, groups = r->in->groups;
	struct answer *a = err_alloc(NULL, groups, width * sizeof(*a));
	double n = r->out->n;

	release_begin(r->out);
	for (size_t g = 0; g < groups; g++)
		r->steps->answers(r->tool, rel, g, a + g * width);
	if (r->out->follows)
		release_follow(r->out, a, groups);
	for (size_t g = 0; g < groups; g++)
		release_row(r->out, rel, intake_group_parts(r->in, g),
		    a + g * width);
	r->out->n = n;		/* the next release has draws of its own */
	free(a);
}

static void
run_answer(struct run *r)
{
	if (r->steps->ask != NULL)
		r->steps->ask(r->tool);
	run_declare(r);
	for (uint64_t rel = 1; rel <= r->opts->repeat; rel++)
		if (r->steps->rows == NULL || !r->steps->rows(r->tool, rel))
			run_groups(r, rel);
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
	/* a source without bytes ends the program here, nothing charged */
	opts_rng(r->opts, r->opts->tool->name, r->rng);
	rng_ready(r->rng);
	if (s->read != NULL)
		s->read(r->tool);
	else
		intake_read(r->in, &use);
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
