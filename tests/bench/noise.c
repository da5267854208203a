/* Nanoseconds of processor time per draw, of kernel entropy and of PCG64. */
#include "number/fixed.h"
#include "random/knorm.h"
#include "random/noise.h"
#include "random/rng.h"
#include "tool/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DRAWS 3000000

/* What the loops compute goes here, so that they are not removed. */
static volatile int64_t sink;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double
bench_laplace(struct rng *r, struct scale t)
{
	double start = now();
	int64_t sum = 0;
	long i;

	for (i = 0; i < DRAWS; i++)
		sum ^= (int64_t)noise_laplace(r, &t);
	sink = sum;
	return (now() - start) / DRAWS;
}

static double
bench_bern_exp(struct rng *r, uint64_t n, uint64_t d)
{
	double start = now();
	int64_t sum = 0;
	long i;

	for (i = 0; i < DRAWS; i++)
		sum += noise_bern_exp(r, n, d);
	sink = sum;
	return (now() - start) / DRAWS;
}

/* K-norm noise for 20 numbers and their count; 0: of the whole box. */
static double
bench_knorm(struct rng *r, uint64_t norm)
{
	static struct knorm_side side[20];
	struct knorm k = { .d = 20, .counted = true, .side = side,
		.bound = norm << 40 };
	double start = now();
	i128 z[21];

	for (size_t c = 0; c < k.d; c++)
		side[c].up = (uint64_t)1 << 40;
	if (!knorm_make(&k, 1, (struct rational){ 1, 1 }))
		abort();
	for (long i = 0; i < DRAWS / 10; i++)
		knorm_draw(r, &k, z);
	sink = (int64_t)z[0];
	return (now() - start) / (DRAWS / 10.);
}

static double
bench_cell(const char *text, int digits)
{
	size_t n = strlen(text);
	double start = now();
	int64_t sum = 0, x = 0;
	long i;

	for (i = 0; i < DRAWS; i++) {
		fixed_cell(text, n, digits, &x);
		sum ^= x;
	}
	sink = sum;
	return (now() - start) / DRAWS;
}

int
main(void)
{
	static const struct scale scales[] = {
		{ 1, 1 }, { 10, 3 }, { 1000, 1 }, { 1024, 1 },
		{ 1 << 20, 1 }, { (uint64_t)1 << 40, 1 },
		{ ((uint64_t)1 << 62) + 12345, 1 }, { 1000003, 7 },
	};
	static const char *const cells[] = {
		"7", "-12.5", "123456.789", "1234567.8901234567890", "1.5e3",
	};
	struct rng kernel, pcg;
	size_t i;

	rng_from(&kernel, host_random);
	rng_seeded(&pcg, 1, "bench");
	printf("%-40s %8s %8s\n", "draw", "kernel", "pcg");
	for (i = 0; i < sizeof(scales) / sizeof(*scales); i++)
		printf("laplace %20" PRIu64 "/%-11" PRIu64 " %8.1f %8.1f\n",
		    scales[i].s, scales[i].r,
		    bench_laplace(&kernel, scales[i]),
		    bench_laplace(&pcg, scales[i]));
	printf("%-40s %8.1f %8.1f\n", "bern_exp 1/2",
	    bench_bern_exp(&kernel, 1, 2), bench_bern_exp(&pcg, 1, 2));
	printf("%-40s %8.1f %8.1f\n", "bern_exp 1000003/70000",
	    bench_bern_exp(&kernel, 1000003, 70000),
	    bench_bern_exp(&pcg, 1000003, 70000));
	printf("%-40s %8.1f %8.1f\n", "K-norm, 20 numbers and their count",
	    bench_knorm(&kernel, 0), bench_knorm(&pcg, 0));
	printf("%-40s %8.1f %8.1f\n", "the same, cut by a norm of 6",
	    bench_knorm(&kernel, 6), bench_knorm(&pcg, 6));
	for (i = 0; i < sizeof(cells) / sizeof(*cells); i++)
		printf("cell %-35s %8.1f\n", cells[i],
		    bench_cell(cells[i], 3));
	return 0;
}
