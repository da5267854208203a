/*
 * synth_write: a synthetic histogram as the universe's records with counts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dx/universe/cells.h"
#include "dx/universe/sheet.h"
#include "dx/plan/workload.h"
#include "input/keys.h"
#include "number/fixed.h"
#include "number/memory.h"
#include "number/sort.h"
#include "random/rng.h"
#include "release/answer/release.h"
#include "release/plan/report.h"
#include "synth.h"
#include "tool/text.h"

#define PARTS ((uint64_t)1 << 53)

int
synth_digits(const struct synth *s)
{
	return FIXED_MOST(s->opts.digits, 0);
}

void
synth_header(struct synth *s, const char *last)
{
	struct text *out = &s->out.text;
	const char *comma = "";

	s->out.report = &s->report;
	if (s->opts.repeat > 1) {
		text_printf(out, "release");
		comma = ",";
	}
	for (size_t c = 0; c < s->u.kept.n; c++) {
		const char *name = sheet_name(&s->u.base, s->u.kept.at[c]);

		text_printf(out, "%s", comma);
		text_cell(out, name, strlen(name));
		comma = ",";
	}
	if (last != NULL)
		text_printf(out, "%s%s", comma, last);
	text_printf(out, "\n");
}

/* The line of element i, without its end. */
static void
synth_line(struct synth *s, uint64_t rel, size_t i)
{
	struct text *out = &s->out.text;
	const struct sheet *base = &s->u.base;

	if (s->opts.repeat > 1)
		text_printf(out, "%llu", (unsigned long long)rel);
	for (size_t c = 0; c < s->u.kept.n; c++) {
		struct label cell = { KEYS_OTHERS, strlen(KEYS_OTHERS) };

		if (i < base->rows)
			cell = cells_at(&base->cell[s->u.kept.at[c]], i);
		if (c > 0 || s->opts.repeat > 1)
			text_bytes(out, ",", 1);
		text_cell(out, cell.text, cell.len);
	}
}

void
synth_counts(struct synth *s, uint64_t rel, const i128 *count)
{
	bool alone = s->u.kept.n == 0 && s->opts.repeat == 1;
	size_t n = s->opts.others ? s->u.n : s->u.base.rows;
	char buf[FIXED_TEXT];

	for (size_t i = 0; i < n; i++) {
		if (count[i] == 0 && !s->zeros)
			continue;
		synth_line(s, rel, i);
		text_printf(&s->out.text, "%s%s\n", alone ? "" : ",",
		    fixed_text(buf, count[i], synth_digits(s)));
	}
}

void
synth_draws(struct synth *s, uint64_t rel, const double *y)
{
	double *run = err_alloc(NULL, s->u.n, sizeof(*run)), sum = 0, x;
	size_t n = s->opts.others ? s->u.n : s->u.base.rows, i;

	for (i = 0; i < n; i++) {
		sum += y[i];
		run[i] = sum;
	}
	for (uint64_t m = 0; m < s->sample; m++) {
		x = ((double)rng_below(&s->rng, PARTS) + 0.5) / (double)PARTS;
		if (sum > 0)
			i = sort_count(run, n - 1, x * sum, true);
		else
			i = (size_t)rng_below(&s->rng, n);
		synth_line(s, rel, i);
		text_bytes(&s->out.text, "\n", 1);
	}
	free(run);
}

/* A line that is written over and over. */
void
synth_progress(size_t done, size_t all)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (done < all)
		fprintf(stderr, "\rmwem: %zu %%\033[K", 100 * done / all);
	else
		fprintf(stderr, "\r\033[K");
}

void
synth_end(void *arg)
{
	struct synth *s = arg;

	report_verbose(&s->report);
}
