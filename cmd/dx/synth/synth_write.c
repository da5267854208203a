/*
 * synth_write: a synthetic histogram as the universe's records with counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dx/universe/cells.h"
#include "dx/universe/sheet.h"
#include "input/keys.h"
#include "number/fixed.h"
#include "number/memory.h"
#include "number/sort.h"
#include "random/rng.h"
#include "release/answer/release.h"
#include "release/plan/report.h"
#include "synth.h"
#include "tool/row.h"

#define PARTS ((uint64_t)1 << 53)

int
synth_digits(const struct synth *s)
{
	return FIXED_MOST(s->opts.digits, 0);
}

struct row
synth_row(struct synth *s, const char *release)
{
	struct row row = { &s->out.text, FORMAT_CSV, false };

	if (s->opts.repeat > 1)
		row_word(&row, NULL, release);
	return row;
}

void
synth_header(struct synth *s, const char *last)
{
	struct row row = synth_row(s, "release");

	s->out.report = &s->report;
	for (size_t c = 0; c < s->u.kept.n; c++) {
		const char *name = sheet_name(&s->u.base, s->u.kept.at[c]);

		row_text(&row, NULL, name, strlen(name));
	}
	if (last != NULL)
		row_word(&row, NULL, last);
	text_add(row.out, "\n");
}

/* The line of element i, without its end. */
static struct row
synth_line(struct synth *s, uint64_t rel, size_t i)
{
	char buf[FIXED_TEXT];
	struct row row = synth_row(s, fixed_text(buf, (i128)rel, 0));
	const struct sheet *base = &s->u.base;

	for (size_t c = 0; c < s->u.kept.n; c++) {
		struct label cell = { KEYS_OTHERS, strlen(KEYS_OTHERS) };

		if (i < base->rows)
			cell = cells_at(&base->cell[s->u.kept.at[c]], i);
		row_text(&row, NULL, cell.text, cell.len);
	}
	return row;
}

void
synth_counts(struct synth *s, uint64_t rel, const i128 *count)
{
	size_t n = s->opts.others ? s->u.n : s->u.base.rows;

	for (size_t i = 0; i < n; i++) {
		struct row row;

		if (count[i] == 0 && !s->zeros)
			continue;
		row = synth_line(s, rel, i);
		row_number(&row, NULL, count[i], synth_digits(s));
		text_add(row.out, "\n");
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
		(void)synth_line(s, rel, i);
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
