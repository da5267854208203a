/*
 * An exact private count inside a C program.
 *
 *	cc count.c $(pkg-config --cflags --libs dputils) -o count
 *	./count 1/2 < people.csv
 *
 * Prints the number of lines of standard input plus discrete Laplace noise of
 * scale 1 / epsilon: a line more or less changes the odds of every output by
 * a factor of at most e^epsilon.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dputils.h>

int
main(int argc, char **argv)
{
	struct rational eps;
	struct scale scale;
	struct rng rng;
	char text[FIXED_TEXT];
	i128 lines = 0;
	int c;

	if (argc != 2 || !rational_parse(argv[1], &eps) ||
	    rational_sign(eps) <= 0 || !scale_make(&scale, 1, eps))
		err_die(STATUS_USAGE, "usage: count EPSILON");
	rng_from(&rng, host_random);
	while ((c = getchar()) != EOF)
		lines += c == '\n';
	lines = fixed_add_sat(lines, noise_laplace(&rng, &scale));
	return puts(fixed_text(text, lines, 0)) < 0 || fclose(stdout) != 0;
}
