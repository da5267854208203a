/*
 * data KIND ROWS: a CSV for scripts/bench on standard output.
 *
 * people   id,age,income; income skewed, with cents
 * quoted   the same with every field in quotes
 * visits   the same, where each id has ten rows on average, here and there
 * sorted   the same, where each id has ten rows, one after the other
 * few      id,region,income, where region is one of 20
 * many     the same with 10^5 regions
 * losses   label,prediction, where a prediction is at most 5 off
 * grid     id,age,income; ages and incomes on a regular grid, shuffled: many
 *          ties, and no extreme values for sp-var to drop
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64. */
static uint64_t
word(void)
{
	static uint64_t state = 1;
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t
below(uint64_t n)
{
	return (uint64_t)((unsigned __int128)word() * n >> 64);
}

/* Cents of an income: a product of uniforms, which has a long right tail. */
static uint64_t
skewed(void)
{
	uint64_t x = 6000000;
	int i;

	for (i = 0; i < 5; i++)
		x = x * (400 + below(1400)) / 1000;
	return x;
}

static void
losses(uint64_t rows)
{
	uint64_t i, label, off;

	puts("label,prediction");
	for (i = 0; i < rows; i++) {
		label = 200 + below(800);
		off = below(10000);
		printf("%" PRIu64 ".%d,%" PRIu64 ".%03d\n", label / 10,
		    (int)(label % 10), (100 * label + off - 5000) / 1000,
		    (int)((100 * label + off - 5000) % 1000));
	}
}

static void
regions(uint64_t rows, uint64_t most)
{
	uint64_t cents, region;

	puts("id,region,income");
	for (uint64_t i = 1; i <= rows; i++) {
		cents = skewed();
		region = below(most);
		printf("%" PRIu64 ",region %" PRIu64 ",%" PRIu64 ".%02d\n", i,
		    region, cents / 100, (int)(cents % 100));
	}
}

/* The id of row i. */
static uint64_t
id_of(const char *kind, uint64_t i, uint64_t rows)
{
	if (strcmp(kind, "visits") == 0)
		return 1000000 + below(rows / 10 + 1);
	return strcmp(kind, "sorted") == 0 ? 1000000 + i / 10 : i + 1;
}

static void
people(const char *kind, uint64_t rows)
{
	uint64_t age, cents, prime = 1000003;
	const char *format = "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ".%02d\n";

	if (strcmp(kind, "quoted") == 0)
		format = "\"%" PRIu64 "\",\"%" PRIu64 "\",\"%" PRIu64
		    ".%02d\"\n";
	if (strcmp(kind, "crlf") == 0)
		format = "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ".%02d\r\n";
	if (strcmp(kind, "blanks") == 0)
		format = "%" PRIu64 ", %" PRIu64 ", %" PRIu64 ".%02d\n";
	puts("id,age,income");
	for (uint64_t i = 0; i < rows; i++) {
		if (strcmp(kind, "grid") == 0) {
			age = i * prime % rows * 120 / rows;
			cents = i * prime % rows * 10;
		} else {
			age = 17 + below(74);
			cents = skewed();
		}
		printf(format, id_of(kind, i, rows), age, cents / 100,
		    (int)(cents % 100));
	}
}

int
main(int argc, char **argv)
{
	uint64_t rows;

	if (argc != 3) {
		fprintf(stderr, "usage: data "
		    "people|visits|sorted|quoted|crlf|blanks|grid|few|many|"
		    "losses ROWS\n");
		return 2;
	}
	rows = strtoull(argv[2], NULL, 10);
	if (strcmp(argv[1], "losses") == 0)
		losses(rows);
	else if (strcmp(argv[1], "few") == 0)
		regions(rows, 20);
	else if (strcmp(argv[1], "many") == 0)
		regions(rows, 100000);
	else
		people(argv[1], rows);
	return fclose(stdout) == 0 ? 0 : 1;
}
