/* synth_wide: attributes with too many combinations to be counted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dx/universe/attributes.h"
#include "dx/universe/cells.h"
#include "input/intake.h"
#include "input/table.h"
#include "pairwise.h"
#include "synth.h"
#include "tool/burden.h"
#include "tool/err.h"
#include "tool/text.h"

#define RECORDS 65536.0	/* fitted records; more are written by their counts */

struct reading {
	struct synth *s;
	struct attributes *of;
	size_t *values;
	uint16_t *code, *weight;
	size_t n, room, weights;	/* records; and room for them */
	uint64_t total;		/* of weights */
};

bool
synth_is_wide(const struct synth *s)
{
	if (s->u.domain == NULL || !opts_listed(s->u.domain)) {
		if (s->wide)
			err_die(STATUS_USAGE, "--wide needs a --domain that "
			    "lists attributes and their values");
		return false;
	}
	return s->wide || attributes_elements(&s->u.listing) >
	    (double)WORKLOAD_ELEMENTS;
}

void
synth_wide_check(struct synth *s)
{
	const struct attributes *a = &s->u.listing;
	const struct opts *o = &s->opts;
	const struct rational least = { 1, 1000 };
	const struct {
		bool given;
		const char *words;
	} others[] = {
		{ s->start != NULL, "--start and rounds" },
		{ o->check, "--check" },
		{ s->sample > 0, "--sample" },
		{ o->unit.column != NULL, "--unit" },
		{ o->own_column != NULL && rational_cmp(o->eps, least) < 0,
		    "--epsilon-column and an epsilon below 1/1000" },
		{ o->weight != NULL, "--weight" },
		{ o->columns != NULL && opts_given(o, OPT_DOMAIN) != NULL,
		    "--column" },
		{ s->u.query != NULL, "--query" },
		{ s->u.queries != NULL, "--queries" },
		{ o->others, "--others" },
		{ o->digits > 0, "--digits" },
		{ s->zeros, "--zeros" },
		{ !universe_discrete(&s->u), "--metric but discrete" },
		{ !s->u.hidden, "--neighbors swap" },
		{ s->u.order > 2 || s->u.order == 0,
		    "workload but marginal:1 and marginal:2" }
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i].given)
			err_die(STATUS_USAGE, "a domain of more than 2^24 "
			    "combinations (or --wide) takes no %s: attributes "
			    "and pairs of them are counted", others[i].words);
	s->report.mechanism = "counts of attributes and of pairs chosen by "
	    "permute-and-flip, and records that fit them";
	s->report.noise = "exact discrete Laplace noise on the counts";
	if (a->n > PAIRWISE_MOST)
		err_die(STATUS_USAGE, "--domain: %zu attributes are too many "
		    "(%d at most)", a->n, PAIRWISE_MOST);
	for (size_t c = 0; c < a->n; c++)
		if (a->of[c].value.n > UINT16_MAX)
			err_die(STATUS_USAGE, "--domain: an attribute has more "
			    "than 65535 values; bands are written 0..9999/100");
}

/*
 * A record whose values are all in the domain.  Memory is the only limit: if
 * records beyond a limit were left out, one that goes would let another in, and
 * two counts would change.
 */
static void
wide_take(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct reading *r = arg;
	size_t d = r->of->n, v;
	uint16_t *to;

	(void)group, (void)x;
	r->code = err_grow(r->code, r->n, &r->room, d * sizeof(*r->code));
	r->weight = err_grow(r->weight, r->n, &r->weights,
	    sizeof(*r->weight));
	to = r->code + r->n * d;
	for (size_t c = 0; c < d; c++) {
		v = attribute_value(&r->of->of[c], &r->s->u.raw.cells[c]);
		if (v == CELLS_NONE)
			return;
		to[c] = (uint16_t)v;
	}
	r->weight[r->n++] = (uint16_t)w;
	r->total += w;
}

static void
wide_describe(struct synth *s, const struct pairwise *w)
{
	struct report *r = &s->report;
	double cells = 0;

	for (size_t k = 0; k < w->pairs; k++)
		cells = fmax(cells, (double)w->pair[k].cells);
	r->digits = 0;
	report_note(r, "total", "about %llu records",
	    (unsigned long long)s->total);
	report_note(r, "start", "wide: %zu attributes, %zu of %zu pairs; %.3g "
	    "of E for attributes, %.3g for choices", w->d, w->picks, w->pairs,
	    0.95 * (double)w->singles / (double)PAIRWISE_PARTS,
	    0.95 * (double)w->choices / (double)PAIRWISE_PARTS);
	report_note(r, "memory", "about %.0f MB", 1 + (6 * (double)(w->d +
	    1) * (double)s->total + 24 * cells * (1 + (double)w->picks)) / 1e6);
}

static void
wide_header(struct synth *s, const struct attributes *a)
{
	struct row row = synth_row(s, "release");

	s->out.report = &s->report;
	for (size_t c = 0; c < a->n; c++)
		row_text(&row, NULL, a->of[c].name, strlen(a->of[c].name));
	row_word(&row, NULL, "count");
	text_add(row.out, "\n");
}

struct line {
	const uint16_t *code;
	size_t d;
};

static int
by_codes(const void *a, const void *b)
{
	const struct line *p = a, *q = b;

	for (size_t c = 0; c < p->d; c++)
		if (p->code[c] != q->code[c])
			return p->code[c] < q->code[c] ? -1 : 1;
	return 0;
}

static void
write_line(struct synth *s, const struct attributes *a, uint64_t rel,
    const struct line *row, uint64_t count)
{
	char buf[FIXED_TEXT];
	struct row out = synth_row(s, fixed_text(buf, (i128)rel, 0));

	for (size_t c = 0; c < a->n; c++) {
		struct label p = cells_at(&a->of[c].value, row->code[c]);

		row_text(&out, NULL, p.text, p.len);
	}
	row_number(&out, NULL, (i128)count, 0);
	text_add(out.out, "\n");
}

/* Equal records together; m of them stand for the total. */
static void
write_records(struct synth *s, const struct attributes *a, uint64_t rel,
    const struct pairwise *w)
{
	struct line *row = err_alloc(NULL, w->m + 1, sizeof(*row));
	double part = floor(w->total + 0.5) / fmax(1, (double)w->m);
	uint64_t done = 0, now;

	for (size_t i = 0; i < w->m; i++)
		row[i] = (struct line){ w->record + i * a->n, a->n };
	qsort(row, w->m, sizeof(*row), by_codes);
	for (size_t i = 0; i < w->m; i++) {
		if (i + 1 < w->m && by_codes(&row[i], &row[i + 1]) == 0)
			continue;
		now = (uint64_t)floor(part * (double)(i + 1) + 0.5);
		if (now > done)
			write_line(s, a, rel, &row[i], now - done);
		done = now;
	}
	free(row);
}

void
synth_wide_open(struct synth *s)
{
	struct attributes *a = &s->u.listing;
	struct reading *r = s->own = err_alloc(NULL, 1, sizeof(*r));
	struct table *t = table_input(s->u.o);
	struct text names = TEXT_INIT;

	*r = (struct reading){ .s = s, .of = a };
	r->values = err_alloc(NULL, a->n, sizeof(*r->values));
	for (size_t c = 0; c < a->n; c++) {
		r->values[c] = a->of[c].value.n;
		universe_want(t, a->of[c].name, &names);
	}
	universe_match(&s->u, t, &names, a->n);
}

void
synth_wide_read(struct synth *s)
{
	struct reading *r = s->own;

	burden_bear(&s->opts, &(struct burden){ .columns = r->of->n,
	    .each = 10 * (uint64_t)r->of->n * r->of->n,
	    .bytes = 4 * (r->of->n + 1),
	    .numbers = (u128)RECORDS * (r->of->n + 1) * s->opts.repeat });
	intake_read(&s->u.raw, &(struct intake_use){ .texts = r->of->n,
	    .take = wide_take, .arg = r });
	s->n = r->total;
}

void
synth_wide_rows(struct synth *s, uint64_t rel)
{
	const struct reading *r = s->own;
	struct pairwise w = { .d = r->of->n, .values = r->values, .eps =
	    s->eps, .shift = s->shift, .code = r->code, .weight =
	    r->weight, .n = r->n };
	struct rng *noise = synth_noise(s);

	if (rel == 1)
		wide_header(s, r->of);
	synth_total(s);
	w.total = (double)s->total;
	w.slack = s->variance;
	w.alone = s->u.order == 1;
	pairwise_plan(&w);
	pairwise_singles(&w, noise);
	if (rel == 1)
		wide_describe(s, &w);
	w.m = (size_t)fmin(floor(w.total + 0.5), RECORDS);
	w.record = err_alloc(NULL, w.m * w.d + 1, sizeof(*w.record));
	pairwise_pairs(&w, noise, &s->rng);
	write_records(s, r->of, rel, &w);
	free(w.record);
	pairwise_close(&w);
}
