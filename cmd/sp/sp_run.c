/* sp_run: the part of sp that touches data. */
#include "sp.h"

#include <stdlib.h>

#include "pair.h"
#include "variance.h"
#include "tool/err.h"

/* Numbers in one release: the groups' parts. */
static size_t
sp_numbers(const struct sp *sp)
{
	return sp->in.groups * sp->parts;
}

void
sp_draw(struct sp *sp)
{
	size_t n = sp_numbers(sp), draws = n * sp->opts.repeat;

	if (sp->opts.check)
		return;
	sp->noise = err_alloc(NULL, n, sp->opts.repeat * sizeof(*sp->noise));
	opts_rng(&sp->opts, sp->opts.tool->name, &sp->rng);
	for (size_t i = 0; i < draws && !sp->opts.non_private; i += sp->shares)
		if (sp->shares > 1)
			knorm_draw(&sp->rng, &sp->box, &sp->noise[i]);
		else
			sp->noise[i] = noise_laplace(&sp->rng, &sp->t);
}

static void
sp_take_one(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct sp *sp = arg;
	struct column *c = &sp->group[group * sp->parts];
	int64_t pair[2];

	if (sp_is_pair(sp)) {
		struct uv r = pair_split(x[0], x[1]);

		pair[0] = r.u;
		pair[1] = r.v;
		x = pair;
	}
	for (size_t p = 0; p < sp->parts; p++)
		column_add(&c[p], x[p], w, sp->weighted);
}

/* Records with a single column, and nothing more to look at. */
static void
sp_take_all(void *arg, const int64_t *x, size_t n)
{
	struct sp *sp = arg;

	column_append(&sp->group[0], x, n);
}

void
sp_read(struct sp *sp)
{
	size_t n, most = sp->parts;

	if (sp->parts == 0) {		/* --check, which needs no center */
		sp->parts = sp->shares = 1;
		most = SP_PARTS;
	}
	intake_open(&sp->in, table_input(&sp->opts), &sp->opts, sp->parts,
	    most, 0);
	for (size_t c = 0; c < sp->parts; c++)
		intake_column_grid(&sp->in, c, sp->cell_digits[c]);
	n = sp_numbers(sp);
	sp->weighted = sp->opts.unit.weighted;
	sp->group = err_alloc(NULL, n, sizeof(*sp->group));
	sp->value = err_alloc(NULL, n, sizeof(*sp->value));
	sp_draw(sp);
	intake_read(&sp->in, &(struct intake_use){ .take = sp_take_one,
	    .take_all = sp_take_all, .arg = sp, .size = sp->size });
	for (size_t g = 0; g < n; g++)
		if (sp->group[g].count != NULL)
			column_sort(&sp->group[g]);
}

/* Uses the column up; the weights let sums fit. */
static int64_t
ordered_of(const struct ordered *f, struct column *c)
{
	struct totals all;
	int64_t value;

	if (c->n > 0 && f->kind == ORDERED_MEAN) {
		all = totals_of(c->x, c->w, c->n);
		if (ordered_whole(f, &all, &value))
			return value;
	}
	column_sort(c);
	return ordered_value(f, c->x, c->w, c->n);
}

/* Likewise, of part p. */
static int64_t
variance_of(const struct sp *sp, size_t p, struct column *c)
{
	struct variance f = { .sens = sp->sens[p], .unit = 1 };
	struct totals all;
	int64_t value;

	for (int k = sp->digits; k < 2 * sp->cell_digits[p]; k++)
		f.unit *= 10;
	if (c->n > 0) {
		all = totals_of(c->x, c->w, c->n);
		if (variance_whole(&f, &all, &value))
			return value;
	}
	column_sort(c);
	return variance_sorted(&f, c->x, c->w, c->n);
}

/*
 * [CD20 Definition 8.2] [CD20 Theorem 8.3] Columns of u and v, whose weights
 * let sums fit, become a pair.  The center of a variance is 0.
 */
int64_t *
sp_values(struct sp *sp, struct ordered f)
{
	struct uv center = pair_split(sp->center[0], sp->center[1]);
	const int64_t of_pair[] = { center.u, center.v };
	int64_t *value = sp->value;

	for (size_t i = 0; i < sp_numbers(sp); i++) {
		struct column *c = &sp->group[i];
		uint64_t room = column_room(c);

		f.center = sp->center[i % sp->parts];
		if (sp_is_pair(sp))
			f.center = of_pair[i % 2];
		f.sens = sp->sens[i % sp->shares];
		value[i] = f.center;
		if (room == 0)
			continue;
		if (sp->squared)
			value[i] = variance_of(sp, i % sp->parts, c);
		else
			value[i] = ordered_of(&f, c);
		value[i] = values_bounded(value[i], f.center, f.sens, room);
	}
	for (size_t i = 0; sp_is_pair(sp) && i < sp_numbers(sp); i += 2)
		pair_merge((struct uv){ value[i], value[i + 1] }, &value[i]);
	return value;
}

/* The table's columns: --group's, then a column for each part. */
static void
sp_declare(struct sp *sp)
{
	const char *const command[] = { "value_1", "value_2" };
	const struct intake *in = &sp->in;

	release_table(&sp->out, &sp->report);
	for (size_t i = 0; i < in->keys.width; i++)
		release_group(&sp->out, intake_group_column(in, i));
	for (size_t p = 0; p < sp->parts; p++)
		if (!sp->command)
			release_answer(&sp->out, intake_name(in, p), sp->what,
			    sp->report.digits);
		else
			/* NOLINTNEXTLINE(clang-analyzer-*): two at most */
			release_answer(&sp->out, sp->parts == 1 ? NULL :
			    command[p], NULL, sp->report.digits);
	release_header(&sp->out);
}

/* A group's numbers with noise, in steps. */
static void
one_noisy(const struct sp *sp, const int64_t *value, const i128 *noise,
    i128 *x)
{
	bool box = sp->shares > 1 && !sp->opts.non_private;
	i128 exact[SP_PARTS], steps = 1 + sp_is_pair(sp);

	for (size_t p = 0; p < sp->parts; p++) {
		exact[p] = value[p];
		x[p] = fixed_add_sat(value[p], noise[p]);
		/* blocks have no noise, and their choice here */
		if (!box && sp->blocks == 0 && !sp->opts.non_private)
			x[p] = METER_NOISY(x[p], value[p], &sp->t);
	}
	if (box) {
		knorm_add(&sp->box, exact, noise, x);
		steps = (i128)sp->box.m;
	}
	for (size_t p = 0; p < sp->parts; p++)
		x[p] = fixed_div(x[p], steps, FIXED_NEAREST);
}

/* Release number rel, with the next draws of noise. */
static void
one_release(struct sp *sp, uint64_t rel, const int64_t *value)
{
	const i128 *noise = sp->noise + (rel - 1) * sp_numbers(sp);
	struct answer answer[SP_PARTS];
	i128 x[SP_PARTS];

	for (size_t i = 0; i < sp_numbers(sp); i += sp->parts) {
		one_noisy(sp, &value[i], &noise[i], x);
		for (size_t p = 0; p < sp->parts; p++)
			answer[p] = answer_make(x[p], sp->reach[p], sp->digits,
			    sp->report.digits);
		release_row(&sp->out, rel, intake_group_parts(&sp->in,
		    i / sp->parts), answer);
	}
}

void
sp_write(struct sp *sp, int64_t *value)
{
	rng_wipe(&sp->rng);
	sp_declare(sp);
	for (uint64_t rel = 1; rel <= sp->opts.repeat; rel++)
		one_release(sp, rel, value);
	release_flush(&sp->out);
	for (size_t i = 0; sp->group != NULL && i < sp_numbers(sp); i++)
		column_free(&sp->group[i]);
	free(sp->group);
	free(value);
	free(sp->noise);
	intake_close(&sp->in);
}
