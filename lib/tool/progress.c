/* progress: one line that is written over and over. */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#define WIDTH 30

void
progress_show(void *arg, double part)
{
	const char *what = arg;
	int i, full;

	if (!isatty(STDERR_FILENO))
		return;
	part = part > 1 ? 1 : part < 0 ? 0 : part;
	full = (int)(part * WIDTH);
	fprintf(stderr, "\r%s [", what);
	for (i = 0; i < WIDTH; i++)
		fputc(i < full ? '#' : ' ', stderr);
	fprintf(stderr, "] %3d%%", (int)(part * 100));
	fflush(stderr);
}

void
progress_end(void)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
}
