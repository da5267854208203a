/* workload and cells: queries by hand, names, answers, grids of columns. */
#include "dx/plan/workload.h"

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "dx/universe/cells.h"
#include "tool/err.h"

static struct workload
mixed(void)
{
	static const int64_t q[] = { 250, -3, -3 };
	static const int64_t codes[] = { 0, 0, 1, 0, 0, 1 };
	struct workload w = { .n = 3 };

	workload_dense(&w, q, 2)->name = err_copy("tall", 4);
	workload_runs(&w, WORKLOAD_PREFIX);
	workload_runs(&w, WORKLOAD_RANGE);
	workload_marginal(&w, codes, 2, 1);
	workload_marginal(&w, codes, 2, 2);
	return w;
}

/* Row, coefficients and answer of query k are those of q, on three elements. */
static void
agree(const struct workload *w, size_t k, const int64_t *q)
{
	const uint64_t x[] = { 5, 2, 7 };
	i128 answer[17];
	int64_t row[6];

	cr_assert(w->k <= 17);
	workload_answer(w, x, answer);
	workload_row(w, k, row, 2);
	for (size_t i = 0; i < 3; i++)
		cr_assert(row[2 * i] == q[i] && workload_at(w, k, i) == q[i]);
	cr_assert(answer[k] == 5 * q[0] + 2 * q[1] + 7 * q[2]);
	cr_assert_eq(workload_constant(w, k), q[0] == q[1] && q[1] == q[2]);
}

Test(workload, generated_queries_are_those_their_names_say)
{
	static const struct {
		int64_t q[3];
		size_t sample;	/* of a marginal's cell */
		const char *picks;	/* and its attributes */
	} want[] = {
		{ { 250, -3, -3 }, 3, "" },
		{ { 1, 0, 0 }, 3, "" },
		{ { 1, 1, 0 }, 3, "" },
		{ { 1, 1, 1 }, 3, "" },
		{ { 1, 0, 0 }, 3, "" },
		{ { 1, 1, 0 }, 3, "" },
		{ { 1, 1, 1 }, 3, "" },
		{ { 0, 1, 0 }, 3, "" },
		{ { 0, 1, 1 }, 3, "" },
		{ { 0, 0, 1 }, 3, "" },
		{ { 1, 0, 1 }, 0, "0" }, { { 0, 1, 0 }, 1, "0" },
		{ { 1, 1, 0 }, 0, "1" }, { { 0, 0, 1 }, 2, "1" },
		{ { 1, 0, 0 }, 0, "01" }, { { 0, 0, 1 }, 2, "01" },
		{ { 0, 1, 0 }, 1, "01" },
	};
	struct workload w = mixed();

	cr_assert_eq(w.k, 17);
	for (size_t k = 0; k < 17; k++) {
		size_t at = k;
		const struct block *b = workload_find(&w, &at);

		agree(&w, k, want[k].q);
		cr_assert_eq(workload_digits(&w, k), k == 0 ? 2 : 0);
		cr_assert_eq(b->picks, strlen(want[k].picks));
		for (size_t i = 0; i < b->picks; i++)
			cr_assert_eq(b->pick[i], (size_t)want[k].picks[i] -
			    '0');
		if (b->picks > 0)
			cr_assert_eq(b->sample[at], want[k].sample);
	}
	workload_free(&w);
}

/* Outside is in no prefix and no range, but where these are constant. */
Test(workload, outside_is_an_element_and_constant_queries_stay)
{
	static const int64_t codes[] = { 0, 0, 0, 1, 0, 2 };
	static const int64_t want[][3] = {
		{ 1, 0, 0 }, { 1, 1, 1 },		/* prefixes */
		{ 1, 0, 0 }, { 1, 1, 1 }, { 0, 1, 0 },	/* ranges */
		{ 1, 1, 1 },				/* country */
		{ 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 },	/* age */
	};
	struct workload w = { .n = 3, .out = true };

	workload_runs(&w, WORKLOAD_PREFIX);
	workload_runs(&w, WORKLOAD_RANGE);
	workload_marginal(&w, codes, 2, 1);
	cr_assert_eq(w.k, 9);
	for (size_t k = 0; k < 9; k++) {
		agree(&w, k, want[k]);
		cr_assert_eq(workload_outside(&w, k), k == 8);
	}
	workload_free(&w);
}

Test(workload, the_largest_answers_do_not_overflow)
{
	static int64_t q[1000];
	static uint64_t x[1000];
	struct workload w = { .n = 1000 };
	i128 answer;

	for (size_t i = 0; i < 1000; i++) {
		q[i] = -WORKLOAD_MOST;
		x[i] = (uint64_t)1 << 41;
	}
	workload_dense(&w, q, 0);
	workload_answer(&w, x, &answer);
	cr_assert(answer == -(((i128)1 << 101) * 1000));
	workload_free(&w);
}

static void
add(struct cells *c, const char *text)
{
	cells_add(c, text, strlen(text));
}

Test(cells, a_column_has_the_grid_that_it_needs)
{
	struct cells c = CELLS_INIT;
	int64_t x[8];
	int digits = 0;
	size_t bad;

	add(&c, " 1.250 ");
	add(&c, "-3e-4");
	add(&c, "");
	add(&c, "1.25");
	cr_assert_not(cells_decimals(&c, &digits, &bad));
	cr_assert(bad == 2 && digits == 4);
	cr_assert_eq(cells_numbers(&c, 4, 100000, x, 2), 2);
	cr_assert(x[0] == 12500 && x[2] == -3);
	cr_assert_eq(cells_numbers(&c, 4, 12499, x, 2), 0);
	cr_assert(c.values == 4 && c.code[0] == 0 && c.code[3] == 3);
	cells_free(&c);
	add(&c, "12");
	add(&c, "0.0000000000000000000001");
	add(&c, "12");
	digits = 0;
	cr_assert(cells_decimals(&c, &digits, &bad));
	cr_assert_eq(digits, 19);
	cr_assert(c.values == 2 && c.code[0] == c.code[2] && c.code[1] == 1);
	cr_assert_eq(cells_find(&c, (struct label){ "12", 2 }), 0);
	cr_assert_eq(cells_find(&c, (struct label){ "13", 2 }), CELLS_NONE);
	cells_free(&c);
}

Test(cells, every_text_is_one_value_however_many_there_are)
{
	struct cells c = CELLS_INIT;
	char text[24];

	for (size_t i = 0; i < 3000; i++) {
		snprintf(text, sizeof(text), "%zu", i * i % 1009);
		add(&c, text);
		cr_assert_eq(cells_find(&c, (struct label){ text,
		    strlen(text) }), c.code[i]);
	}
	cr_assert_eq(c.values, 505);	/* squares modulo a prime */
	for (size_t i = 0; i < 3000; i++) {
		struct label l = cells_at(&c, i);

		snprintf(text, sizeof(text), "%zu", i * i % 1009);
		cr_assert(l.len == strlen(text) &&
		    memcmp(l.text, text, l.len) == 0);
		cr_assert(c.first[c.code[i]] <= i);
	}
	cells_free(&c);
}

/* Every range of short lines, and the first and last from each place. */
Test(workload, ranges_are_numbered_by_their_first_element_then_their_last)
{
	static const size_t lines[] = { 1, 2, 3, 50, 3000,
	    WORKLOAD_ELEMENTS - 1, WORKLOAD_ELEMENTS };
	size_t k, first, last, step;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t n = lines[i];

		k = 0;
		for (size_t a = 0; a < n; a++) {
			step = n <= 50 || n - a == 1 ? 1 : n - a - 1;
			for (size_t b = a; b < n; b += step) {
				workload_bounds(n, k + b - a, &first, &last);
				cr_assert(first == a && last == b);
			}
			k += n - a;
		}
	}
}
