/* personal: fixed answers, and the edges. */
#include "random/personal.h"

#include <criterion/criterion.h>

static struct rational
number(const char *text)
{
	struct rational r;

	cr_assert(rational_parse(text, &r), "%s", text);
	return r;
}

/* Floors of 2^62 (e^eps - 1) / (e^E - 1) from 120 decimal digits. */
static const struct {
	const char *eps;
	const char *total;
	uint64_t floor;
} known[] = {
	{ "1/10", "1", UINT64_C(282267579393304745) },
	{ "1/2", "1", UINT64_C(1741099023684132483) },
	{ "1", "2", UINT64_C(1240273392707995213) },
	{ "1/1000", "1", UINT64_C(2685236236468238) },
	{ "999999/1000000", "1", UINT64_C(4611678722851175145) },
	{ "1/3", "2/3", UINT64_C(1925055142532774605) },
	{ "3", "10", UINT64_C(3996124513452843) },
	{ "1", "50", 0 },
	{ "20", "60", 19 },
	{ "1/1000000", "1/1000", UINT64_C(4609382864416384) },
	{ "0.000000000000000001", "1", 2 },
	{ "0.000000000000000001", "1/2147483647", UINT64_C(9903520307) },
	{ "7/10", "7/5", UINT64_C(1530213811835311354) },
	{ "44", "88", 0 },
	{ "1", "100", 0 },
	{ "2147483646", "2147483647", UINT64_C(1696544475317221318) },
	{ "1/7", "2147483647", 0 },
	{ "123456789/1000000000", "5", UINT64_C(4110763830657585) },
	{ "0.999999999999999999", "1", UINT64_C(4611686018427387896) }
};

/* [JYC15] */
Test(personal, keep_is_the_probability_rounded_down)
{
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		uint64_t p = personal_keep(number(known[i].eps),
		    number(known[i].total));

		cr_assert(p <= known[i].floor, "%s of %s is too likely",
		    known[i].eps, known[i].total);
		cr_assert(known[i].floor - p <= 1, "%s of %s: %llu",
		    known[i].eps, known[i].total, (unsigned long long)p);
	}
}

/* Floors of 2^62 e^-x from 60 decimal digits. */
Test(personal, fade_encloses_the_exponential)
{
	static const struct {
		const char *x;
		uint64_t floor;
	} known[] = {
		{ "1/1000000000", UINT64_C(4611686013815701887) },
		{ "1/3", UINT64_C(3304417426738596258) },
		{ "0.7", UINT64_C(2290095502451360199) },
		{ "1", UINT64_C(1696544475317221318) },
		{ "2.30258509299404568", UINT64_C(461168601842738792) },
		{ "10", UINT64_C(209370221323236) },
		{ "40", UINT64_C(19) },
		{ "87", UINT64_C(0) },
		{ "200", UINT64_C(0) },
		{ "2147483646", UINT64_C(0) },
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct rational x = number(known[i].x);
		uint64_t lo = personal_fade(x, FIXED_FLOOR);
		uint64_t hi = personal_fade(x, FIXED_CEIL);

		cr_assert(lo <= known[i].floor && known[i].floor < hi,
		    "%s", known[i].x);
		cr_assert(hi - lo <= 2, "%s: %llu to %llu", known[i].x,
		    (unsigned long long)lo, (unsigned long long)hi);
	}
}

Test(personal, keep_is_certain_from_the_total_on_and_never_for_nothing)
{
	struct rational e = number("1/3");

	cr_assert_eq(personal_keep(e, e), PERSONAL_ONE);
	cr_assert_eq(personal_keep(number("1e36"), e), PERSONAL_ONE);
	cr_assert_eq(personal_keep(number("0"), e), 0);
	cr_assert_eq(personal_keep(number("-5"), e), 0);
}
