/* parts: work in several threads at once. */
#include "parts.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "err.h"

struct part {
	void (*work)(void *arg, unsigned part);
	void *arg;
	unsigned number;
	bool apart;
	pthread_t thread;
};

static void *
work_on(void *arg)
{
	struct part *p = arg;

	p->work(p->arg, p->number);
	return NULL;
}

void
parts_run(unsigned n, void (*work)(void *arg, unsigned part), void *arg)
{
	struct part *p = err_alloc(NULL, n, sizeof(*p));

	for (unsigned i = 0; i < n; i++) {
		p[i] = (struct part){ .work = work, .arg = arg, .number = i };
		p[i].apart = i > 0 && pthread_create(&p[i].thread, NULL,
		    work_on, &p[i]) == 0;
	}
	for (unsigned i = 0; i < n; i++)
		if (p[i].apart)
			pthread_join(p[i].thread, NULL);
		else
			work_on(&p[i]);
	free(p);
}
