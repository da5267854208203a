/* dx_run: noise, counts, answers. */
#include "dx.h"

#include <stdlib.h>

#include "dx_impl.h"
#include "tool/err.h"

static void
draw(struct dx *d)
{
	size_t k = d->u.w.k, n, i;
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

/* floor(x + 1/2) on the printed grid, after the noise. */
static i128
coarsen(i128 x, int from, int to)
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

static void
lines(struct dx *d, uint64_t rel, const i128 *answer)
{
	const struct workload *w = &d->u.w;
	size_t k;
	i128 x;

	for (k = 0; k < w->k; k++) {
		x = refine(answer[k], workload_digits(w, k), d->fine[k]);
		x = fixed_add_sat(x, d->noise[(rel - 1) * w->k + k]);
		x = coarsen(x, d->fine[k], d->digits[k]);
		x = refine(x, d->fine[k] < d->digits[k] ? d->fine[k] :
		    d->digits[k], d->digits[k]);
		if (d->opts.format == FORMAT_JSON)
			json_line(d, rel, k, x);
		else
			release_number(&d->out, rel, NULL, &d->u.name[k], x,
			    d->digits[k]);
	}
}

void
dx_write(struct dx *d)
{
	i128 *answer = err_alloc(NULL, d->u.w.k + 1, sizeof(*answer));
	uint64_t rel;

	draw(d);
	if (!d->counted)
		universe_count(&d->u);
	if (!workload_answer(&d->u.w, d->u.count, answer))
		die(STATUS_INPUT, "out of memory");
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
	universe_free(&d->u);
	opts_free(&d->opts);
}
