/* sp_run: the part of sp that touches data. */
#include "sp.h"

#include "pair.h"
#include "variance.h"
#include "tool/burden.h"
#include "tool/err.h"

/* Numbers in one release: the groups' parts. */
static size_t
sp_numbers(const struct sp *sp)
{
	return sp->in.groups * sp->parts;
}

/* Only these functions may be told by totals: ordered_whole, variance_whole. */
static bool
sp_adds(const struct sp *sp)
{
	return sp->squared || sp->f.kind == ORDERED_MEAN;
}

static void
sp_take_one(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct sp *sp = arg;
	struct column *c = &sp->group[group * sp->parts];
	const uint64_t *weight = sp->weighted ? &w : NULL;
	int64_t pair[2];

	if (sp_is_pair(sp)) {
		struct uv r = pair_split(x[0], x[1]);

		pair[0] = r.u;
		pair[1] = r.v;
		x = pair;
	}
	for (size_t p = 0; p < sp->parts; p++) {
		column_add(&c[p], x[p], w, sp->weighted);
		if (sp_adds(sp))
			totals_add(&sp->total[group * sp->parts + p], &x[p],
			    weight, 1);
	}
}

/* Records with a single column, and nothing more to look at. */
static void
sp_take_all(void *arg, const int64_t *x, size_t n)
{
	struct sp *sp = arg;

	column_append(&sp->group[0], x, n);
	if (sp_adds(sp))
		totals_add(&sp->total[0], x, NULL, n);
}

void
sp_open(void *arg, struct intake_use *use)
{
	struct sp *sp = arg;
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
	burden_bear(&sp->opts, &(struct burden){ .columns = sp->parts,
	    .bytes = 48 * sp->parts, .memory = (u128)n * BURDEN_LIST,
	    .numbers = (u128)n * sp->opts.repeat,
	    .labels = (u128)sp->in.keys.text.len * sp->opts.repeat });
	sp->group = err_alloc(NULL, n, sizeof(*sp->group));
	sp->total = err_alloc(NULL, n, sizeof(*sp->total));
	sp->value = err_alloc(NULL, n, sizeof(*sp->value));
	use->take = sp_take_one;
	use->take_all = sp_take_all;
	use->size = sp->size;
}

/* Uses the column up; the weights let sums fit. */
static int64_t
ordered_of(const struct ordered *f, struct column *c,
    const struct totals *all)
{
	int64_t value;

	if (ordered_whole(f, all, &value))
		return value;
	column_sort(c);
	return ordered_value(f, c->x, c->w, c->n);
}

/* Likewise, of part p. */
static int64_t
variance_of(const struct sp *sp, size_t p, struct column *c,
    const struct totals *all)
{
	struct variance f = { .sens = sp->sens[p], .unit = 1 };
	int64_t value;

	for (int k = sp->digits; k < 2 * sp->cell_digits[p]; k++)
		f.unit *= 10;
	if (all->records > 0 && variance_whole(&f, all, &value))
		return value;
	column_sort(c);
	return variance_sorted(&f, c->x, c->w, c->n);
}

/*
 * [CD20 Definition 8.2] [CD20 Theorem 8.3] Columns of u and v, whose weights
 * let sums fit, become a pair.  The center of a variance is 0.
 */
void
sp_ask(void *arg)
{
	struct sp *sp = arg;
	struct ordered f = sp->f;
	struct uv center = pair_split(sp->center[0], sp->center[1]);
	const int64_t of_pair[] = { center.u, center.v };
	int64_t *value = sp->value;

	for (size_t i = 0; i < sp_numbers(sp); i++) {
		struct column *c = &sp->group[i];
		const struct totals *all = &sp->total[i];
		uint64_t room;

		if (c->count != NULL)
			column_sort(c);
		room = column_room(c);
		f.center = sp->center[i % sp->parts];
		if (sp_is_pair(sp))
			f.center = of_pair[i % 2];
		f.sens = sp->sens[i % sp->shares];
		value[i] = f.center;
		if (room == 0)
			continue;
		if (sp->squared)
			value[i] = variance_of(sp, i % sp->parts, c, all);
		else
			value[i] = ordered_of(&f, c, all);
		value[i] = values_bounded(value[i], f.center, f.sens, room);
		column_free(c);
	}
	for (size_t i = 0; sp_is_pair(sp) && i < sp_numbers(sp); i += 2)
		pair_merge((struct uv){ value[i], value[i + 1] }, &value[i]);
}

void
sp_declare(void *arg)
{
	static const char *const command[] = { "value_1", "value_2" };
	struct sp *sp = arg;

	for (size_t p = 0; p < sp->parts; p++)
		if (!sp->command)
			release_answer(&sp->out, intake_name(&sp->in, p),
			    sp->what, sp->report.digits);
		else
			/* NOLINTNEXTLINE(clang-analyzer-*): two at most */
			release_answer(&sp->out, sp->parts == 1 ? NULL :
			    command[p], NULL, sp->report.digits);
}

/* A group's numbers with the next draws of noise, in steps. */
static void
sp_noisy(struct sp *sp, const int64_t *value, i128 *x)
{
	bool box = sp->shares > 1 && !sp->opts.non_private;
	i128 exact[SP_PARTS], z[SP_PARTS], steps = 1 + sp_is_pair(sp);

	for (size_t p = 0; p < sp->parts; p++)
		exact[p] = x[p] = value[p];
	if (box) {
		knorm_draw(&sp->rng, &sp->box, z);
		knorm_add(&sp->box, exact, z, x);
		steps = (i128)sp->box.m;
	}
	for (size_t p = 0; p < sp->parts; p++) {
		if (!box && !sp->opts.non_private)
			x[p] = METER_NOISY(fixed_add_sat(value[p],
			    noise_laplace(&sp->rng, &sp->t)), value[p],
			    &sp->t);
		x[p] = fixed_div(x[p], steps, FIXED_NEAREST);
	}
}

void
sp_answers(void *arg, uint64_t rel, size_t g, struct answer *answer)
{
	struct sp *sp = arg;
	i128 x[SP_PARTS];

	(void)rel;
	sp_noisy(sp, &sp->value[g * sp->parts], x);
	for (size_t p = 0; p < sp->parts; p++) {
		sp->far = sp->far || x[p] > FIXED_MAX / 4;
		answer[p] = answer_make(x[p], sp->reach[p], sp->digits,
		    sp->report.digits);
	}
}

/*
 * Squares of large numbers end where 62 bits of steps do.  The answers tell
 * that they are near; noise may have moved them from there.
 */
void
sp_end(void *arg)
{
	const struct sp *sp = arg;
	char text[FIXED_TEXT];

	if (sp->squared && sp->far)
		err_warn("an answer comes from the end of its list: variances "
		    "beyond %s count as this", fixed_text(text, FIXED_MAX,
		    sp->digits));
}
