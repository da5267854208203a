/* The decimals of a release. */
#include <criterion/criterion.h>

#include "release/answer/release.h"

/* Two rows of a column with this error, and of one without. */
static void
followed(double error, double n, struct answer row[4], struct release *out)
{
	static struct release_column column[3];

	column[1] = (struct release_column){ .digits = 6, .most = 6,
	    .error = error };
	column[2] = (struct release_column){ .digits = 6, .most = 6 };
	*out = (struct release){ .column = column, .labels = 1, .answers = 2,
	    .n = n };
	for (size_t i = 0; i < 4; i++)
		row[i] = (struct answer){ 1234567, 1234001, 1235001 };
	release_follow(out, row, 2);
}

Test(release, decimals_are_one_or_two_digits_below_the_error)
{
	static const struct {
		double error, n;
		int digits;
	} cases[] = {
		{ 0.1, 1, 2 }, { 0.99, 1, 2 }, { 1, 1, 1 }, { 9.9, 1, 1 },
		{ 10, 1, 0 }, { 1e300, 1, 0 }, { 1, 10, 2 }, { 1, 11, 3 },
		{ 1, 1e30, 6 }, { 1e-300, 1, 6 }
	};
	struct answer row[4];
	struct release out;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		followed(cases[i].error, cases[i].n, row, &out);
		cr_expect_eq(out.column[1].digits, cases[i].digits,
		    "%g over %g has %d decimals", cases[i].error, cases[i].n,
		    out.column[1].digits);
		cr_expect_eq(out.column[2].digits, 6);
	}
}

Test(release, all_rows_lose_the_same_decimals_and_ends_go_outwards)
{
	struct answer row[4];
	struct release out;

	followed(0.026, 1, row, &out);
	for (size_t i = 0; i < 4; i += 2) {
		cr_expect(row[i].value == 1235);
		cr_expect(row[i].lower == 1234);
		cr_expect(row[i].upper == 1236);
		cr_expect(row[i + 1].value == 1234567);
		cr_expect(row[i + 1].lower == 1234001);
	}
}
