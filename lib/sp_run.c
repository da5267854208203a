/* sp_run: the part of sp that touches data. */
#include "sp.h"

#include <stdlib.h>

#include "err.h"
#include "ordered.h"
#include "spread.h"

/* All noise is drawn before the first record is read. */
static void
draw(struct sp *sp)
{
	size_t n = intake_groups(&sp->in), draws, i;
	struct rng rng;

	if (sp->opts.check)
		return;
	if (__builtin_mul_overflow(n, sp->opts.repeat, &draws))
		die(STATUS_USAGE, "too many releases");
	sp->noise = err_alloc(NULL, draws, sizeof(*sp->noise));
	if (sp->opts.has_seed)
		rng_seeded(&rng, sp->opts.seed, sp->opts.tool);
	else
		rng_kernel(&rng, die_entropy);
	for (i = 0; i < draws; i++)
		sp->noise[i] = sp->opts.non_private ? 0 :
		    noise_laplace(&rng, &sp->t);
	rng_wipe(&rng);
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct sp *sp = arg;

	column_add(&sp->group[group], x[0], w, sp->opts.weight != NULL);
}

void
sp_read(struct sp *sp)
{
	size_t g, n;

	intake_open(&sp->in, &sp->opts, 1, 1, sp->cell_digits);
	n = intake_groups(&sp->in);
	sp->group = err_alloc(NULL, n, sizeof(*sp->group));
	for (g = 0; g < n; g++)
		sp->group[g] = (struct column){ NULL, NULL, 0, 0 };
	draw(sp);
	intake_read(&sp->in, take, sp);
	for (g = 0; g < n; g++)
		column_sort(&sp->group[g]);
}

static int64_t *
values(const struct sp *sp)
{
	return err_alloc(NULL, intake_groups(&sp->in), sizeof(int64_t));
}

int64_t *
sp_ordered(const struct sp *sp, struct ordered f)
{
	int64_t *value = values(sp);
	size_t g;

	f.center = sp->center;
	f.sens = sp->sens;
	for (g = 0; g < intake_groups(&sp->in); g++) {
		const struct column *c = &sp->group[g];

		value[g] = ordered_value(&f, c->x, c->n);
	}
	return value;
}

int64_t *
sp_spread(const struct sp *sp)
{
	int64_t *value = values(sp);
	struct spread f = { .sens = sp->sens, .unit = 1 };
	bool ok = true;
	size_t g;
	int k;

	for (k = sp->report.digits; k < 2 * sp->cell_digits; k++)
		f.unit *= 10;
	for (g = 0; g < intake_groups(&sp->in); g++) {
		const struct column *c = &sp->group[g];

		ok = ok && spread_value(&f, c->x, c->n, &value[g]);
	}
	if (!ok)
		die(STATUS_INPUT, "out of memory");
	return value;
}

void
sp_write(struct sp *sp, int64_t *value)
{
	size_t g, n = intake_groups(&sp->in), draw_no = 0;
	uint64_t rel;

	if (sp->opts.verbose)
		report_verbose(&sp->report);
	release_begin(&sp->out, &sp->report, sp->opts.groups != NULL, false);
	for (rel = 1; rel <= sp->opts.repeat; rel++)
		for (g = 0; g < n; g++)
			release_number(&sp->out, rel, intake_group(&sp->in, g),
			    NULL, fixed_add_sat(value[g],
			    sp->noise[draw_no++]), sp->report.digits);
	release_flush(&sp->out);
	for (g = 0; g < n; g++)
		column_free(&sp->group[g]);
	free(sp->group);
	free(value);
	free(sp->noise);
	intake_close(&sp->in);
	opts_free(&sp->opts);
}
