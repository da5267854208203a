/* people: what is handed over for a person is a function of its rows alone. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/ids.h"
#include "input/people.h"
#include "input/rows.h"
#include "tool/err.h"

#include "../house/step.h"

#define PEOPLE 4
#define ROWS 3
#define MULTISETS 20	/* of up to three rows with three values */
#define GIVEN 64
#define APART 11	/* of all data sets every so manyth is read */

struct given {
	size_t group;
	int64_t x;
	uint64_t w;
};

/* What was handed over, and the same by the definitions. */
struct list {
	struct given at[GIVEN];
	size_t n;
};

/* Rows of each person; a value below 0 is a bad row. */
struct world {
	int64_t x[PEOPLE][ROWS];
	size_t group[PEOPLE][ROWS];
	uint64_t w[PEOPLE][ROWS];
	size_t rows[PEOPLE];
};

static void
give(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct list *l = arg;

	cr_assert(l->n < GIVEN);
	l->at[l->n++] = (struct given){ group, x == NULL ? -1 : x[0], w };
}

static int
by_all(const void *a, const void *b)
{
	const struct given *g = a, *h = b;

	if (g->group != h->group)
		return g->group < h->group ? -1 : 1;
	if (g->x != h->x)
		return g->x < h->x ? -1 : 1;
	return (g->w > h->w) - (g->w < h->w);
}

static bool
equal(struct list *a, struct list *b)
{
	qsort(a->at, a->n, sizeof(a->at[0]), by_all);
	qsort(b->at, b->n, sizeof(b->at[0]), by_all);
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (by_all(&a->at[i], &b->at[i]) != 0)
			return false;
	return true;
}

/* The multiset number m of rows 0..2. */
static void
set_rows(struct world *v, size_t person, size_t m)
{
	size_t at = 0, i, j, k;

	v->rows[person] = 0;
	for (i = 0; i <= 3; i++)
		for (j = i; j <= 3; j++)
			for (k = j; k <= 3; k++, at++) {
				size_t r[] = { i, j, k };

				for (size_t n = 0; at == m && n < 3; n++)
					if (r[n] < 3)
						v->x[person][v->rows[person]++]
						    = (int64_t)r[n];
			}
}

static struct people_rule
rule_of(enum per per, struct rng *rng, struct list *l)
{
	return (struct people_rule){ .per = per, .k = 1, .threads = 1,
	    .whole = PER_WHOLE, .most = 2,
	    .groups = true, .weighted = true, .rng = rng,
	    .give = give, .arg = l };
}

static struct label
id(char *buf, size_t person)
{
	/* of all lengths: near, at the limit, far, and empty */
	static const char *const words[] = { "", "ab", "fifteen bytes..",
	    "a text that needs room of its own" };

	strcpy(buf, words[person % 4]);
	return (struct label){ buf, strlen(buf) };
}

/* Hands in all rows in a shuffled order; leaves out one person. */
static void
hand_in(const struct world *v, struct people_rule rule, size_t out,
    struct rng *order)
{
	size_t who[PEOPLE * ROWS], row[PEOPLE * ROWS], n = 0;
	struct people *p = people_new(&rule);
	char buf[64];

	for (size_t i = 0; i < PEOPLE; i++)
		for (size_t r = 0; i != out && r < v->rows[i]; r++) {
			size_t at = rng_below(order, n + 1);

			who[n] = who[at];
			row[n++] = row[at];
			who[at] = i;
			row[at] = r;
		}
	for (size_t i = 0; i < n; i++) {
		const int64_t *x = &v->x[who[i]][row[i]];
		struct people_row r = { v->group[who[i]][row[i]],
		    *x < 0 ? NULL : x, v->w[who[i]][row[i]] };

		people_add(p, NULL, id(buf, who[i]), &r);
	}
	people_end(p);
	people_free(p);
}
/* Hands in rows of one person. */
static size_t
hand_in_one(struct people_rule rule, const struct people_row *row, size_t n)
{
	struct people *p = people_new(&rule);
	size_t people;

	for (size_t i = 0; i < n; i++)
		people_add(p, NULL, (struct label){ "a", 1 }, &row[i]);
	people = people_end(p);
	people_free(p);
	return people;
}

/* floor(a / b + 1/2) for a > -50 b and b > 0, slowly where a is small. */
static i128
nearest(i128 a, i128 b)
{
	i128 q = a > 0 ? a / b : -100;

	while (2 * a >= (2 * q + 1) * b)
		q++;
	return q;
}

/* The aggregate of some rows, by its definition; -1: too many rows. */
static int64_t
aggregate(enum per per, const int64_t *x, const uint64_t *w, size_t n)
{
	i128 sum = 0, all = 0, value;
	int64_t min = x[0], max = x[0];

	for (size_t i = 0; i < n; i++) {
		sum += (i128)x[i] * (i128)w[i];
		all += (i128)w[i];
		min = x[i] < min ? x[i] : min;
		max = x[i] > max ? x[i] : max;
	}
	if (all >= INT64_MAX)
		return -1;
	value = per == PER_SUM ? sum : per == PER_COUNT ? all :
	    per == PER_MIN ? min : per == PER_MAX ? max : nearest(sum, all);
	return value > FIXED_MAX ? FIXED_MAX : (int64_t)value;
}

/* Good rows of a person in a group, and their weight. */
static u128
select_rows(const struct world *v, size_t i, size_t group, int64_t *x,
    uint64_t *w, size_t *n)
{
	u128 all = 0;

	*n = 0;
	for (size_t r = 0; r < v->rows[i]; r++)
		if (v->group[i][r] == group && v->x[i][r] >= 0) {
			x[*n] = v->x[i][r];
			w[(*n)++] = v->w[i][r];
			all += v->w[i][r];
		}
	return all;
}

/* The group of most rows, the first of equal ones, and its rows' aggregate. */
static void
define_one(const struct world *v, enum per per, size_t i, struct list *l)
{
	int64_t x[ROWS], value = -1;
	uint64_t w[ROWS];
	size_t n, group = 9;
	u128 all, best = 0;

	for (size_t r = 0; r < v->rows[i]; r++)
		group = v->group[i][r] < group ? v->group[i][r] : group;
	for (size_t g = 0; g < 3; g++) {
		all = select_rows(v, i, g, x, w, &n);
		if (all <= best)
			continue;
		best = all;
		value = aggregate(per, x, w, n);
		group = g;
	}
	if (v->rows[i] > 0)
		give(l, group, &value, 1);
}

static void
shuffle_world(struct world *v, struct rng *rng, size_t groups, uint64_t most)
{
	for (size_t i = 0; i < PEOPLE; i++)
		for (size_t r = 0; r < ROWS; r++) {
			v->group[i][r] = rng_below(rng, groups);
			v->w[i][r] = 1 + rng_below(rng, most);
		}
}

static void
set_world(struct world *v, size_t number)
{
	for (size_t i = 0; i < PEOPLE; i++, number /= MULTISETS)
		set_rows(v, i, number % MULTISETS);
}
/* Are the records of all people, read either way, those of the definition? */
static void
defined(const struct world *v, enum per per, bool groups, struct rng *rng,
    size_t d)
{
	struct list got = { .n = 0 }, want = { .n = 0 };
	struct people_rule rule = rule_of(per, rng, &got);

	rule.groups = groups;
	hand_in(v, rule, PEOPLE, rng);
	for (size_t i = 0; i < PEOPLE; i++)
		define_one(v, per, i, &want);
	cr_assert(equal(&got, &want), "data set %zu, per %d, groups %d", d,
	    per, groups);
}

/*
 * Data sets of up to four people with up to three rows of three values, in a
 * random order of rows: one record for each person, by the definition, which
 * looks at this person only.  Neighbours differ in that record.
 */
Test(people, each_person_is_one_record_of_its_own_rows)
{
	static const enum per per[] = { PER_SUM, PER_MEAN, PER_COUNT,
	    PER_MIN, PER_MAX };
	struct rng rng;
	struct world v;

	rng_seeded(&rng, 1, "people");
	for (size_t d = 0; d < 160000; d += APART * STEP) {
		set_world(&v, d);
		shuffle_world(&v, &rng, 1 + d % 3, 1 + d % 4);
		if (d % 7 == 0)
			v.x[d % 4][d % 3] = -1;
		defined(&v, per[d % 5], d % 3 > 0, &rng, d);
	}
}

/* Numbers and weights of all sizes, folded as they come and by groups. */
Test(people, sums_of_any_size_are_exact)
{
	static const enum per per[] = { PER_SUM, PER_MEAN, PER_COUNT };
	struct rng rng;
	struct world v;

	rng_seeded(&rng, 12, "people");
	for (size_t d = 0; d < 12000; d++) {
		set_world(&v, rng_below(&rng, 160000));
		shuffle_world(&v, &rng, 1, (uint64_t)1 << d % 64);
		for (size_t i = 0; i < PEOPLE; i++)
			for (size_t r = 0; r < v.rows[i]; r++)
				v.x[i][r] *= FIXED_MAX / 2 >> d / 64 % 62;
		defined(&v, per[d % 3], false, &rng, d);
		defined(&v, per[d % 3], true, &rng, d);
	}
}

/* Halves are rounded up on both sides of 0. */
Test(people, means_round_halves_up)
{
	static const int64_t x[] = { -1, -2 };
	const struct people_row row[] = { { 0, &x[0], 1 }, { 0, &x[1], 1 } };
	struct list l = { .n = 0 };
	struct rng rng;
	struct people_rule rule = rule_of(PER_MEAN, &rng, &l);

	rng_seeded(&rng, 1, "people");
	rule.groups = false;
	cr_assert_eq(hand_in_one(rule, row, 2), 1);
	cr_assert_eq(l.at[0].x, -1);
}

/* Three rows of one person in the order number `order`; what comes of them. */
static struct given
heavy_person(enum per per, bool groups, const uint64_t w[3], size_t order)
{
	static const size_t turn[][3] = { { 0, 1, 2 }, { 0, 2, 1 },
	    { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	static const int64_t x[] = { 1, FIXED_MAX, 3 };
	struct people_row row[3];
	struct list l = { .n = 0 };
	struct rng rng;
	struct people_rule rule = rule_of(per, &rng, &l);

	rng_seeded(&rng, order, "people");
	rule.groups = groups;
	for (size_t i = 0; i < 3; i++) {
		size_t from = turn[order][i];

		row[i] = (struct people_row){ 0, &x[from], w[from] };
	}
	hand_in_one(rule, row, 3);
	cr_assert_eq(l.n, 1);
	return l.at[0];
}

/*
 * However much a person's rows weigh, two orders of them are one data set;
 * from 2^63 - 1 on they are as good as no row.
 */
Test(people, the_order_of_heavy_rows_does_not_matter)
{
	static const enum per per[] = { PER_SUM, PER_MEAN, PER_COUNT,
	    PER_MIN, PER_MAX, PER_ANY };
	const uint64_t half = (uint64_t)1 << 62;
	const struct {
		uint64_t w[3];
		bool counts;
	} rows[] = {
		{ { half, half, half }, false },
		{ { INT64_MAX, 1, 1 }, false },
		{ { half, half - 2, 1 }, false },
		{ { half, half - 3, 1 }, true },
		{ { 1, INT64_MAX, INT64_MAX }, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t d = 0; d < 6 * 6 * 2; d++) {
			enum per how = per[d / 2 % 6];
			struct given g = heavy_person(how, d % 2 > 0,
			    rows[i].w, d / 12),
			    first = heavy_person(how, d % 2 > 0, rows[i].w, 0);

			cr_assert(rows[i].counts == (g.x != -1), "%zu", i);
			cr_assert(how == PER_ANY || by_all(&g, &first) == 0,
			    "rows %zu, order %zu, per %d", i, d / 12, how);
		}
}
/* What was handed over of one person, whose values are 10 i to 10 i + 9. */
static struct list
of_person(const struct list *l, size_t i)
{
	struct list own = { .n = 0 };

	for (size_t j = 0; j < l->n; j++)
		if (l->at[j].x / 10 == (int64_t)i)
			own.at[own.n++] = l->at[j];
	return own;
}

/* By their values, of which person i has 10 i to 10 i + 9. */
static void
tell_apart(struct world *v, int64_t by)
{
	for (size_t i = 0; i < PEOPLE; i++)
		for (size_t r = 0; r < ROWS; r++)
			v->x[i][r] += by * (int64_t)i;
}

/* The record of a person in each group where it has one; v's rows are good. */
static size_t
define_each(const struct world *v, enum per per, size_t i, struct list *l)
{
	int64_t x[ROWS], value;
	uint64_t w[ROWS];
	size_t n, groups = 0;

	for (size_t g = 0; g < 3; g++)
		if (select_rows(v, i, g, x, w, &n) > 0) {
			value = 10 * (int64_t)i + aggregate(per, x, w, n);
			give(l, g, &value, 1);
			groups++;
		}
	return groups;
}

/* Are all that a has in b? */
static bool
within(const struct list *a, const struct list *b)
{
	for (size_t i = 0, j; i < a->n; i++) {
		for (j = 0; j < b->n && by_all(&a->at[i], &b->at[j]) != 0; j++)
			;
		if (j == b->n)
			return false;
	}
	return true;
}

/*
 * --max-groups: each person is in some of its groups what it
 * is there by the definition, in no group twice, and in as many as it has or
 * as may be kept, whoever else is there.
 */
Test(people, kept_groups_are_records_of_the_persons_own)
{
	static const enum per per[] = { PER_MIN, PER_MEAN, PER_MAX };
	struct rng order, rng;
	struct world v;

	rng_seeded(&order, 4, "people");
	rng_seeded(&rng, 4, "key");
	for (size_t d = 0; d < 160000; d += APART * STEP) {
		struct list got = { .n = 0 }, all, own;
		struct people_rule rule = rule_of(per[d % 3], &rng, &got);

		set_world(&v, d);
		shuffle_world(&v, &order, 3, 1 + d % 4);
		tell_apart(&v, 10);
		rule.kept = 1 + d % 4;
		hand_in(&v, rule, d % 5, &order);
		tell_apart(&v, -10);
		for (size_t i = 0; i < PEOPLE; i++) {
			uint64_t groups = 0;

			all.n = 0;
			if (i != d % 5)
				groups = define_each(&v, rule.per, i, &all);
			own = of_person(&got, i);
			cr_assert(within(&own, &all), "data set %zu", d);
			for (size_t a = 1; a < own.n; a++)
				for (size_t b = 0; b < a; b++)
					cr_assert_neq(own.at[a].group,
					    own.at[b].group);
			cr_assert_eq(own.n, groups < rule.kept ? groups :
			    rule.kept, "data set %zu", d);
		}
	}
}
/* Two groups of five: each pair as often as any other, within five sigma. */
Test(people, each_choice_of_groups_has_the_same_chance)
{
	enum { DRAWS = 20000, GROUPS = 5, KEPT = 2, PAIRS = 10 };
	size_t seen[1 << GROUPS] = { 0 };
	const double each = (double)DRAWS / PAIRS;
	struct people_row row[GROUPS];
	int64_t x[GROUPS];
	struct rng rng;

	rng_seeded(&rng, 5, "people");
	for (size_t d = 0; d < DRAWS; d++) {
		struct list got = { .n = 0 };
		struct people_rule rule = rule_of(PER_SUM, &rng, &got);

		rule.kept = KEPT;
		for (size_t i = 0; i < GROUPS; i++) {
			x[i] = (int64_t)i;
			row[i] = (struct people_row){ (d + i) % GROUPS, &x[i],
			    1 };
		}
		hand_in_one(rule, row, GROUPS);
		cr_assert_eq(got.n, KEPT);
		seen[1 << got.at[0].group | 1 << got.at[1].group]++;
	}
	for (size_t g = 0; g < GROUPS; g++)
		for (size_t h = 0; h < g; h++)
			cr_assert_float_eq((double)seen[1 << g | 1 << h], each,
			    5 * sqrt(each), "%zu and %zu", g, h);
}

/* Weight of a person's rows, of those like record g alone where it is one. */
static uint64_t
weight_of(const struct world *v, size_t i, const struct given *g)
{
	uint64_t all = 0;

	for (size_t r = 0; r < v->rows[i]; r++)
		if (g == NULL || (v->x[i][r] == g->x &&
		    v->group[i][r] == g->group))
			all += v->w[i][r];
	return all;
}

/* What a share must be: W w / T up to less than one, and W in all. */
static void
check_shares(const struct world *v, const struct list *l)
{
	for (size_t i = 0; i < PEOPLE; i++) {
		struct list own = of_person(l, i);
		uint64_t sum = 0, all = weight_of(v, i, NULL);

		for (size_t j = 0; j < own.n; j++) {
			const struct given *g = &own.at[j];
			bool found = false;

			sum += g->w;
			for (size_t r = 0; r < v->rows[i]; r++)
				found = found || (v->x[i][r] == g->x &&
				    v->group[i][r] == g->group &&
				    g->w * all + all > PER_WHOLE *
				    v->w[i][r] && g->w * all < PER_WHOLE *
				    v->w[i][r] + all);
			cr_assert(found, "%llu of %llu is no row's share",
			    (unsigned long long)g->w, (unsigned long long)all);
		}
		cr_assert_eq(sum, v->rows[i] > 0 ? PER_WHOLE : 0);
	}
}

/*
 * The shares of a person add up to W exactly, no order of the rows enters, and
 * without another person they are the same.
 */
Test(people, shares_add_up_and_depend_on_nobody_else)
{
	struct rng rng;
	struct world v;

	rng_seeded(&rng, 2, "people");
	for (size_t d = 0; d < 160000; d += APART * STEP) {
		struct list got = { .n = 0 }, again = got, without = got;
		size_t out = d % PEOPLE, kept = 0;
		struct people_rule rule;

		set_world(&v, d);
		shuffle_world(&v, &rng, 1 + d % 3, 1 + d % 4);
		tell_apart(&v, 10);
		rule = rule_of(PER_SHARE, &rng, &got);
		rule.groups = d % 3 > 0;
		rule.weighted = d % 4 > 0;
		hand_in(&v, rule, PEOPLE, &rng);
		check_shares(&v, &got);
		rule.arg = &again;
		hand_in(&v, rule, PEOPLE, &rng);
		cr_assert(equal(&got, &again), "data set %zu", d);
		rule.arg = &without;
		hand_in(&v, rule, out, &rng);
		for (size_t j = 0; j < got.n; j++)
			if (got.at[j].x / 10 != (int64_t)out)
				got.at[kept++] = got.at[j];
		got.n = kept;
		cr_assert(equal(&got, &without), "data set %zu", d);
	}
}

/*
 * --max-rows: whoever else is there and however the rows stand, two units of a
 * person's own weight are kept, or all there is, with and without weights.
 */
Test(people, kept_rows_are_two_of_the_persons_own)
{
	struct rng order, rng;
	struct world v;

	rng_seeded(&order, 3, "people");
	rng_seeded(&rng, 3, "key");
	for (size_t d = 0; d < 160000; d += APART * STEP) {
		struct list got = { .n = 0 };
		struct people_rule rule = rule_of(PER_ROWS, &rng, &got);

		set_world(&v, d);
		shuffle_world(&v, &order, 1 + d % 3, 1 + d % 2 * (d % 4));
		rule.groups = d % 3 > 0;
		rule.weighted = d % 2 == 1;
		tell_apart(&v, 10);
		hand_in(&v, rule, d % 5, &order);
		for (size_t i = 0; i < PEOPLE; i++) {
			struct list own = of_person(&got, i);
			uint64_t all, sum = 0;

			all = i == d % 5 ? 0 : weight_of(&v, i, NULL);
			for (size_t j = 0; j < own.n; j++) {
				cr_assert_leq(own.at[j].w, weight_of(&v, i,
				    &own.at[j]), "data set %zu", d);
				sum += own.at[j].w;
			}
			cr_assert_eq(sum, all < 2 ? all : 2, "data set %zu, "
			    "person %zu keeps %d of %d", d, i, (int)sum,
			    (int)all);
		}
	}
}

/* Of all starts each unit of weight is in as many cuts as any other. */
Test(people, cuts_are_fair)
{
	struct rng rng;
	struct world v = { .rows = { ROWS } };

	rng_seeded(&rng, 9, "people");
	for (int d = 0; d < 2000; d++) {
		uint64_t total = 0, whole, sum[ROWS] = { 0 };

		for (size_t r = 0; r < ROWS; r++) {
			v.x[0][r] = (int64_t)r;
			v.w[0][r] = 1 + rng_below(&rng, 6);
			total += v.w[0][r];
		}
		whole = 1 + rng_below(&rng, total);
		for (uint64_t start = 0; start < total; start++) {
			struct shares s = { .n = ROWS };
			struct share row[ROWS];

			s.row = row;
			for (size_t r = 0; r < ROWS; r++)
				row[r] = (struct share){ &v.x[0][r], 1, 0,
				    v.w[0][r] };
			shares_sort(&s);
			cr_assert_eq(shares_total(&s), total);
			shares_set(&s, total, whole, start);
			for (size_t r = 0; r < ROWS; r++)
				sum[r] += row[r].w;
		}
		for (size_t r = 0; r < ROWS; r++)
			cr_assert_eq(sum[r], whole * v.w[0][r]);
	}
}

/* Rows come back by person in the order of shares_sort, complete. */
static void
check_person(const struct shares *s, size_t who, size_t n)
{
	cr_assert_eq(s->n, n);
	cr_assert_eq(s->least, who % 9 < 7 ? who % 9 : 7);
	for (size_t j = 0; j < s->n; j++) {
		cr_assert_eq(s->row[j].x[0], (int64_t)who - 40);
		cr_assert_eq(s->row[j].x[1], -(int64_t)j * 100);
		cr_assert_eq(s->row[j].group, 7 + j * who);
		cr_assert_eq(s->row[j].w, (uint64_t)1 << j % 41);
	}
}

/*
 * Rows of many people come back sorted by person, with their numbers, groups
 * and weights; bad rows leave their group alone, which may be the least.
 */
Test(people, sorted_rows_are_the_rows)
{
	enum { MANY = 20000, WHO = 2000 };
	static size_t n[WHO + 1];
	size_t people = 0;
	struct pile pile = { .n = 0 };
	struct rows rows = { .k = 2, .groups = true, .weighted = true };
	struct rng rng;
	char text[24];

	memset(n, 0, sizeof(n));
	rng_seeded(&rng, 10, "people");
	rows_open(&rows, (uint64_t[]){ 1, 2 });
	for (size_t i = 0; i < 7 * MANY; i++) {
		size_t who = 1 + rng_below(&rng, WHO), j = n[who]++;
		int64_t x[] = { (int64_t)who - 40, -(int64_t)j * 100 };
		struct label id = { text, (size_t)sprintf(text, who % 2 == 0 ?
		    "%zu" : "a longer name: %zu", who) };

		pile.n = pile.far.len = 0;
		rows_add(&rows, &pile, id, &(struct people_row){ 7 + j * who,
		    x, (uint64_t)1 << j % 41 });
		rows_add(&rows, &pile, id, &(struct people_row){ who % 9,
		    i % 2 ? NULL : x, i % 2 });
		rows_put(&rows, &pile, pile.word);
		rows_put(&rows, &pile, rows_next(&rows, pile.word));
	}
	pile_free(&pile);
	for (struct rows_bin *b = rows.bin; b < rows.bin + ROWS_BINS; b++) {
		rows_sort(&rows, b);
		for (size_t i = 1; i <= b->people; i++) {
			struct shares s = rows_of(&rows, b, i);
			size_t who = (size_t)(s.row[0].x[0] + 40);

			check_person(&s, who, n[who]);
			people++;
			n[who] = SIZE_MAX;
		}
	}
	rows_close(&rows);
	cr_assert_eq(people, WHO);
}

static void
mix(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	uint64_t *h = arg;

	*h = (*h ^ group ^ (uint64_t)*x << 8 ^ w << 32) * 1099511628211u;
}

/* All that is handed over of many rows, in order, as a number. */
static uint64_t
handed_over(enum per per, bool groups, unsigned threads)
{
	uint64_t h = 1;
	struct rng rng;
	struct people_rule rule = { .per = per, .k = 1, .threads = threads,
	    .whole = PER_WHOLE, .most = 2, .groups = groups, .rng = &rng,
	    .give = mix, .arg = &h };
	struct pile pile[2] = { { .n = 0 }, { .n = 0 } };
	struct people *p;
	char text[40];

	rng_seeded(&rng, 11, "people");
	p = people_new(&rule);
	for (int64_t i = 0; i < 300000; i++) {
		int64_t x = i * i % 997;
		size_t who = (size_t)(i * 7919 % 40009);
		struct label id = { text, (size_t)sprintf(text, who % 5 > 0 ?
		    "%zu" : "a longer name: %zu", who) };
		bool other = threads > 1 && i / 1000 % 2 > 0;

		people_add(p, threads == 1 ? NULL : &pile[other], id,
		    &(struct people_row){ (size_t)i % 3, &x, 1 });
		if (threads > 1 && i % 1000 == 999)
			people_put(p, &pile[other]);
	}
	people_end(p);
	people_free(p);
	pile_free(&pile[0]);
	pile_free(&pile[1]);
	return h;
}

Test(people, the_number_of_threads_does_not_show)
{
	static const enum per per[] = { PER_SUM, PER_MEAN, PER_MAX, PER_ANY,
	    PER_SHARE, PER_ROWS };

	for (size_t i = 0; i < 6; i++)
		for (int groups = 0; groups < 2; groups++)
			cr_assert_eq(handed_over(per[i], groups, 1),
			    handed_over(per[i], groups, 3), "%zu", i);
}
/* 30,000 draws of one row of 1, 2 and 3: chi squared below 27.6 (1e-6). */
static void
check_law(enum per per, uint64_t most, const double want[3])
{
	enum { DRAWS = 30000 };
	static const int64_t x[] = { 0, 1, 2 };
	double chi = 0, count[3] = { 0 };
	struct people_row row[3];
	struct rng rng;

	rng_seeded(&rng, 4, "people");
	for (size_t i = 0; i < 3; i++)
		row[i] = (struct people_row){ 0, &x[i], per == PER_ANY ?
		    i + 1 : 1 };
	for (int i = 0; i < DRAWS; i++) {
		struct list l = { .n = 0 };
		struct people_rule rule = rule_of(per, &rng, &l);

		rule.most = most;
		rule.groups = i % 2 > 0;
		hand_in_one(rule, row, 3);
		for (size_t j = 0; j < l.n; j++)
			count[l.at[j].x]++;
	}
	for (int i = 0; i < 3; i++)
		chi += (count[i] - DRAWS * want[i]) *
		    (count[i] - DRAWS * want[i]) / (DRAWS * want[i]);
	cr_assert(chi < 27.6, "chi squared %g", chi);
}

Test(people, any_is_a_row_drawn_by_weight)
{
	check_law(PER_ANY, 0, (double[]){ 1 / 6., 2 / 6., 3 / 6. });
}

Test(people, every_row_is_kept_as_often_as_another)
{
	check_law(PER_ROWS, 1, (double[]){ 1 / 3., 1 / 3., 1 / 3. });
}

static void
count_one(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	uint64_t *handed = arg;

	(void)group;
	(void)w;
	*handed += x == NULL;
}

/* Among so many some agree in the bits of the hash that the table keeps. */
Test(people, ids_are_compared_in_full)
{
	struct rng rng;
	uint64_t handed = 0;
	struct people_rule rule = { .per = PER_COUNT, .threads = 1,
	    .rng = &rng,
	    .give = count_one, .arg = &handed };

	rng_seeded(&rng, 5, "people");
	for (int kept = 0; kept < 2; kept++) {
		struct people *p;
		char buf[64];

		rule.per = kept ? PER_SHARE : PER_COUNT;
		p = people_new(&rule);
		for (int i = 0; i < 400000; i++) {
			sprintf(buf, i % 3 == 0 ? "%d" : i % 3 == 1 ?
			    "resident%d" : "%d and more text", i);
			people_add(p, NULL, (struct label){ buf, strlen(buf) },
			    &(struct people_row){ 0, NULL, 0 });
		}
		cr_assert_eq(people_end(p), 400000);
		people_free(p);
	}
	cr_assert_eq(handed, 800000);
}

/* And of long ones all bytes, even if two hashes were the same. */
Test(people, long_ids_are_compared_in_full)
{
	struct label text[] = { { "a text of two words", 19 },
	    { "a text of two swords", 20 }, { "a text of our words", 19 } };
	struct ids ids;
	uint32_t number[3], hash, other;

	ids_open(&ids, (uint64_t[]){ 1, 2 }, sizeof(struct id));
	for (size_t round = 0; round < 2; round++)
		for (size_t i = 0; i < 3; i++) {
			struct id id = ids_make(&ids, text[i], &other);
			struct id same = ids_make(&ids, text[0], &hash);
			uint32_t found;

			id.word[0] = same.word[0];
			found = ids_find(&ids, &id, hash, text[i]);
			cr_assert(round == 0 || found == number[i]);
			number[i] = found;
		}
	cr_assert(number[0] != number[1] && number[1] != number[2] &&
	    number[0] != number[2]);
	ids_close(&ids);
}

static void
sorted_pair(const char *first, const char *then, const char *last)
{
	struct list l = { .n = 0 };
	struct rng rng;
	struct people_rule rule = rule_of(PER_SUM, &rng, &l);
	const char *ids[] = { first, first, then, last };
	struct people *p;
	int64_t x = 1;

	rng_seeded(&rng, 6, "people");
	rule.sorted = true;
	p = people_new(&rule);
	for (size_t i = 0; i < 4; i++)
		people_add(p, NULL, (struct label){ ids[i], strlen(ids[i]) },
		    &(struct people_row){ 0, &x, 1 });
	cr_assert_eq(people_end(p), 3);
	cr_assert_eq(l.at[0].x, 2);
	cr_assert_eq(l.at[2].x, 1);
	people_free(p);
}

Test(people, sorted_ids_ascend_by_bytes_or_as_numbers)
{
	sorted_pair("1", "10", "2");
	sorted_pair("2", "9", "10");
	sorted_pair("", "A", "a");
	sorted_pair("09", "9", "b");
}

Test(people, an_id_that_comes_back_is_refused, .exit_code = STATUS_INPUT)
{
	sorted_pair("2", "10", "2");
}

/* An order that changes on the way could hide one. */
Test(people, mixed_orders_are_refused, .exit_code = STATUS_INPUT)
{
	sorted_pair("9", "10", "1");
}
