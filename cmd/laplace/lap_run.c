/* lap_run: data in, noise, numbers out. */
#include "lap_ops.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

void
lap_open(struct lap *l, lap_plan_fn *plan)
{
	const struct opts *o = &l->opts;

	intake_open(&l->in, o, l->op->least, l->op->most, l->cell_digits);
	l->in.texts = l->op->texts;
	if (l->column != NULL && l->in.k != l->d) {
		l->d = l->in.k;
		if (!plan(l, o->has_eps, o->eps))
			die(STATUS_USAGE, "these parameters do not fit 64 "
			    "bits on their grid; give fewer --digits");
		intake_grid(&l->in, l->cell_digits);
	}
	lap_rng(l);
}

void
lap_rng(struct lap *l)
{
	if (l->opts.has_seed)
		rng_seeded(&l->rng, l->opts.seed, l->opts.tool);
	else
		rng_kernel(&l->rng, die_entropy);
}

i128 *
lap_draw(struct lap *l, size_t n, const struct scale *t)
{
	i128 *noise = err_alloc(NULL, n, sizeof(*noise));

	for (size_t i = 0; i < n; i++)
		noise[i] = l->opts.non_private ? 0 :
		    noise_laplace(&l->rng, t);
	return noise;
}

void
lap_values(struct lap *l)
{
	size_t n = intake_groups(&l->in), draws;

	if (__builtin_mul_overflow(n, l->m, &n) ||
	    __builtin_mul_overflow(n, l->opts.repeat, &draws))
		die(STATUS_USAGE, "too many releases");
	l->value = err_alloc(NULL, n, sizeof(*l->value));
	for (size_t i = 0; i < n; i++)
		l->value[i] = 0;
	l->noise = lap_draw(l, draws, &l->t);
}

/* Labels of the lengths that stand in l->key, over their joined text. */
static void
point_keys(struct lap *l, struct text *text)
{
	size_t at = 0;

	l->key_text = text->buf;
	for (size_t i = 0; i < l->m; i++) {
		l->key[i].text = l->key_text + at;
		at += l->key[i].len;
	}
}

void
lap_name_columns(struct lap *l)
{
	struct text text = TEXT_INIT;

	if (l->m == 1)
		return;
	l->key = err_alloc(NULL, l->m, sizeof(*l->key));
	for (size_t a = 0; a < l->m; a++) {
		size_t before = text.len;

		text_printf(&text, "%s", table_name(l->in.table,
		    l->in.cols[a]));
		l->key[a].len = text.len - before;
	}
	point_keys(l, &text);
}

void
lap_name_pairs(struct lap *l)
{
	struct text text = TEXT_INIT;
	size_t i = 0;

	if (l->m == 1)
		return;
	l->key = err_alloc(NULL, l->m, sizeof(*l->key));
	for (size_t a = 0; a < l->in.k; a++)
		for (size_t b = a; b < l->in.k; b++) {
			size_t before = text.len;

			text_printf(&text, "%s:", table_name(l->in.table,
			    l->in.cols[a]));
			text_printf(&text, "%s", table_name(l->in.table,
			    l->in.cols[b]));
			l->key[i++].len = text.len - before;
		}
	point_keys(l, &text);
}

i128
lap_round(i128 x, int from, int digits)
{
	i128 unit = fixed_pow10(from > digits ? from - digits : 0), low;

	low = fixed_floor_div(x, unit);
	return low + (x - low * unit >= unit - unit / 2);
}

void
lap_begin(struct lap *l)
{
	if (l->opts.verbose)
		report_verbose(&l->report);
	release_begin(&l->out, &l->report, l->opts.groups != NULL,
	    l->key != NULL);
}

void
lap_retail(struct lap *l)
{
	struct text tail = TEXT_INIT;

	if (l->opts.format != FORMAT_JSON)
		return;
	report_json_tail(&l->report, &tail);
	text_bytes(&tail, "", 1);
	free(l->out.tail);
	l->out.tail = tail.buf;
}

void
lap_number(struct lap *l, uint64_t rel, size_t group, size_t i, i128 x,
    int digits)
{
	release_number(&l->out, rel, intake_group(&l->in, group),
	    l->key == NULL ? NULL : &l->key[i], x, digits);
}

void
lap_end(struct lap *l)
{
	rng_wipe(&l->rng);
	release_flush(&l->out);
	if (l->key_text != NULL)
		free(l->key);
	free(l->key_text);
	free(l->column);
	free(l->value);
	free(l->noise);
	intake_close(&l->in);
	free(l->metric_columns);
	free(l->node_columns);
	opts_free(&l->opts);
}

void
lap_write(struct lap *l)
{
	size_t groups = intake_groups(&l->in), draw = 0;

	lap_begin(l);
	for (uint64_t rel = 1; rel <= l->opts.repeat; rel++)
		for (size_t g = 0; g < groups; g++)
			for (size_t i = 0; i < l->m; i++)
				lap_number(l, rel, g, i, lap_round(
				    fixed_add_sat(l->value[g * l->m + i],
				    l->noise[draw++]), l->cell_digits,
				    l->report.digits), l->report.digits);
	lap_end(l);
}
