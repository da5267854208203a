/* lap_run: data in, noise, numbers out. */
#include "lap_run.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

void
lap_prepare(struct lap *l)
{
	const struct opts *o = &l->opts;
	struct report *r = &l->report;

	if (!l->plan.has_eps && !o->non_private && r->noise != NULL &&
	    r->sens.num != 0)
		report_note(r, "scale_formula", "sensitivity / E; 95 %% "
		    "error about 3 sensitivity / E");
	if (o->nranges == 1 && l->plan.d > 1 && !(l->op->takes & LAP_EDGES))
		report_note(r, "range_of", "each of the %zu columns",
		    l->plan.d);
	for (size_t i = 0; i < l->plan.k && i < 1; i++)
		if (l->plan.noise[i].grid > l->plan.noise[i].digits)
			report_note(r, "noise_grid", "10^-%d, then rounded "
			    "to the grid", l->plan.noise[i].grid);
	if (o->groups != NULL)
		report_note(r, "groups", "one charge for all: a record is in "
		    "one group only%s", o->neighbors != NEIGHBORS_SWAP ? "" :
		    opts_public(o, o->group) ? "; its group is public" :
		    "; its group is private: the noise is that of one record "
		    "less and one more");
	release_prepare(&l->out, r);
}

void
lap_open(struct lap *l, lap_plan_fn *plan)
{
	struct lap_plan *p = &l->plan;

	intake_open(&l->in, &l->opts, l->op->least, l->op->most, 0);
	l->in.texts = l->op->texts;
	if (l->op->least > 0 && l->in.k != p->d) {
		p->d = l->in.k;
		if (plan != NULL && !plan(l))
			die(STATUS_USAGE, "these parameters do not fit 64 "
			    "bits on their grid; give fewer --digits");
	}
	for (size_t c = 0; p->cell != NULL && c < l->in.k && c < p->d; c++)
		intake_column_grid(&l->in, c, p->cell[c]);
	opts_rng(&l->opts, &l->rng);
}

i128
lap_draw(struct lap *l, const struct scale *t)
{
	return l->opts.non_private ? 0 : noise_laplace(&l->rng, t);
}

void
lap_values(struct lap *l)
{
	size_t n = l->in.groups;

	if (__builtin_mul_overflow(n, l->m, &n))
		die(STATUS_USAGE, "too many releases");
	l->value = err_alloc(NULL, n, sizeof(*l->value));
	for (size_t i = 0; i < n; i++)
		l->value[i] = 0;
}

static void
take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct sums *s = arg;

	sums_add(&s[group], x, w);
}

/* Records of one column and the only group. */
static void
take_all(void *arg, const int64_t *x, size_t n)
{
	sums_add_many(arg, x, n);
}

struct sums *
lap_read_sums(struct lap *l, enum sums_kind kind)
{
	size_t groups = l->in.groups;
	struct sums *s = err_alloc(NULL, groups, sizeof(*s));

	for (size_t g = 0; g < groups; g++)
		if (!sums_init(&s[g], l->plan.column, l->plan.d, kind))
			die(STATUS_INPUT, "out of memory");
	l->in.take_all = take_all;
	intake_read(&l->in, take, s);
	return s;
}

void
lap_free_sums(struct lap *l, struct sums *s)
{
	for (size_t g = 0; g < l->in.groups; g++)
		sums_free(&s[g]);
	free(s);
}

u128
lap_all_records(const struct lap *l, struct sums *s)
{
	u128 n = 0, whole = opts_whole(&l->opts);

	for (size_t g = 0; g < l->in.groups; g++)
		n += s[g].count;
	if (l->args.size > 0 && n != l->args.size * whole)
		die(STATUS_INPUT, "the data do not have the promised --size");
	if (n < SUMS_COUNT && (l->opts.unit != NULL || l->in.total <
	    SUMS_COUNT))
		return n;
	/*
	 * The total, of records in no group too, is public, so neighbours both
	 * become data without records.  A weight that says more is read as
	 * SUMS_COUNT: from there on a unit that moves might be missing on one
	 * side.
	 */
	for (size_t g = 0; g < l->in.groups; g++)
		sums_clear(&s[g]);
	return 0;
}

const char *
lap_name(const struct lap *l, size_t c)
{
	return table_name(l->in.table, l->in.cols[c]);
}

void
lap_begin(struct lap *l)
{
	if (l->opts.verbose)
		report_verbose(&l->report);
	release_table(&l->out, &l->report);
	for (size_t i = 0; i < l->in.keys.width; i++)
		release_group(&l->out, intake_group_column(&l->in, i));
}

void
lap_header(struct lap *l)
{
	lap_describe_all(l);
	release_header(&l->out);
}

void
lap_row(struct lap *l, uint64_t rel, size_t group, const struct answer *answer)
{
	release_row(&l->out, rel, intake_group_parts(&l->in, group), answer);
}

void
lap_end(struct lap *l)
{
	rng_wipe(&l->rng);
	release_flush(&l->out);
	free(l->plan.column);
	free(l->plan.cell);
	free(l->plan.noise);
	free(l->value);
	intake_close(&l->in);
	free(l->args.bin);
	free(l->args.metric_columns);
	free(l->args.keyed_columns);
	free(l->args.node_columns);
	opts_free(&l->opts);
}

/*
 * x / w on a grid that is three decimals finer than what is printed: an answer
 * in persons, whose rows have weights that add up to w.
 */
static struct answer
of_whole(i128 x, const struct lap_noise *n, uint64_t w)
{
	int fine = n->digits + 3;
	i128 reach;

	if (fine > FIXED_DIGITS)
		fine = FIXED_DIGITS;
	if (fine < n->grid)
		fine = n->grid;
	x = fixed_floor_div(fixed_round(x, n->grid, fine, FIXED_NEAREST),
	    (i128)w);
	reach = fixed_round(n->reach, n->grid, fine, FIXED_NEAREST);
	return answer_make(x, fixed_floor_div(reach, (i128)w) + 2, fine,
	    n->digits);
}

struct answer
lap_answer(struct lap *l, i128 exact, size_t i)
{
	const struct lap_noise *n = &l->plan.noise[i];

	return lap_answer_noisy(l, fixed_add_sat(fixed_round(exact, n->cell,
	    n->grid, FIXED_NEAREST), lap_draw(l, &n->t)), i);
}

struct answer
lap_answer_noisy(struct lap *l, i128 x, size_t i)
{
	const struct lap_noise *n = &l->plan.noise[i];
	uint64_t whole = opts_whole(&l->opts);

	if (whole != 1)
		return of_whole(x, n, whole);
	return answer_make(x, n->reach + (n->cell > n->grid), n->grid,
	    n->digits);
}

void
lap_write(struct lap *l)
{
	size_t groups = l->in.groups, m = l->m;
	struct answer *answer = err_alloc(NULL, m, sizeof(*answer));

	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < groups; g++) {
			for (size_t i = 0; i < m; i++)
				answer[i] = lap_answer(l,
				    l->value[g * m + i], i);
			lap_row(l, rel, g, answer);
		}
	free(answer);
	lap_end(l);
}
