/* dx_run: noise, counts, answers. */
#include "dx.h"

#include <stdlib.h>

#include "tool/err.h"

static void
draw(struct dx *d)
{
	size_t k = dx_chosen(d) == DX_TREE ? d->tree.nodes : d->u.w.k, n, i;
	struct rng rng;

	if (__builtin_mul_overflow(k, d->opts.repeat, &n))
		die(STATUS_USAGE, "too many releases");
	d->noise = err_alloc(NULL, n, sizeof(*d->noise));
	if (d->opts.has_seed)
		rng_seeded(&rng, d->opts.seed, d->opts.tool);
	else
		rng_kernel(&rng, die_entropy);
	for (i = 0; i < n; i++)
		d->noise[i] = d->t[i % k].s == 0 ? 0 :
		    noise_laplace(&rng, &d->t[i % k]);
	rng_wipe(&rng);
}

/*
 * x from the grid of the coefficients to that of the noise, cut at 2^126: a
 * cut moves two answers no farther apart.
 */
static i128
refine(i128 x, int from, int to)
{
	const i128 max = (i128)1 << 126;
	i128 y;

	if (__builtin_mul_overflow(x, (i128)fixed_pow10(to - from), &y))
		return x < 0 ? -max : max;
	return y > max ? max : y < -max ? -max : y;
}

i128
dx_coarsen(i128 x, int from, int to)
{
	i128 unit, low;

	if (from <= to)
		return x;
	unit = fixed_pow10(from - to);
	low = fixed_floor_div(x, unit);
	return low + (x - low * unit >= unit - unit / 2);
}

/* A JSON line, with this query's own scale. */
static void
json_line(struct dx *d, uint64_t rel, size_t k, i128 x)
{
	struct report *r = &d->report;
	char buf[FIXED_TEXT];

	dx_describe(d, k);
	report_json_head(r, &d->out.text);
	text_printf(&d->out.text, "%s", fixed_text(buf, x, d->digits[k]));
	report_json_tail(r, &d->out.text);
	if (d->opts.repeat > 1)
		text_printf(&d->out.text, ", \"release\": %llu",
		    (unsigned long long)rel);
	text_printf(&d->out.text, ", \"query\": ");
	text_json(&d->out.text, d->u.name[k].text, d->u.name[k].len);
	text_printf(&d->out.text, "}\n");
}

/* The exact answer of query k with its noise, on the printed grid. */
static i128
noisy(const struct dx *d, uint64_t rel, size_t k, i128 answer)
{
	const struct workload *w = &d->u.w;
	i128 x = refine(answer, workload_digits(w, k), d->fine[k]);

	x = fixed_add_sat(x, d->noise[(rel - 1) * w->k + k]);
	x = dx_coarsen(x, d->fine[k], d->digits[k]);
	return refine(x, d->fine[k] < d->digits[k] ? d->fine[k] :
	    d->digits[k], d->digits[k]);
}

/* One release; answer: the exact ones, NULL: those of the tree. */
static void
lines(struct dx *d, uint64_t rel, const i128 *answer)
{
	i128 x, *prefix = answer == NULL ? dx_tree_fit(d, rel) : NULL;
	size_t k;

	for (k = 0; k < d->u.w.k; k++) {
		x = answer != NULL ? noisy(d, rel, k, answer[k]) :
		    dx_tree_answer(d, k, prefix);
		if (d->opts.format == FORMAT_JSON)
			json_line(d, rel, k, x);
		else
			release_number(&d->out, rel, NULL, &d->u.name[k], x,
			    d->digits[k]);
	}
	free(prefix);
}

void
dx_write(struct dx *d)
{
	bool tree = dx_chosen(d) == DX_TREE && !d->opts.non_private;
	i128 *answer = NULL;
	uint64_t rel;

	draw(d);
	if (!d->counted)
		universe_count(&d->u);
	if (!tree) {
		answer = err_alloc(NULL, d->u.w.k + 1, sizeof(*answer));
		if (!workload_answer(&d->u.w, d->u.count, answer))
			die(STATUS_INPUT, "out of memory");
	}
	if (d->opts.verbose)
		report_verbose(&d->report);
	release_begin(&d->out, &d->report, false, true);
	for (rel = 1; rel <= d->opts.repeat; rel++)
		lines(d, rel, answer);
	release_flush(&d->out);
	free(answer);
	free(d->noise);
	free(d->digits);
	free(d->fine);
	free(d->t);
	dx_free_scales(&d->s);
	plan_close(&d->plan);
	tree_free(&d->tree);
	universe_free(&d->u);
	opts_free(&d->opts);
}
