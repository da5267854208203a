/* run: the common part of run and batch. */
#pragma once

#include "audit.h"

/* The threads' common state. */
struct audit_work {
	const struct audit_job *job;
	struct sample *sample;
	size_t n;
	atomic_size_t next;	/* first run, or share, not yet taken */
};

/* A run, with at most `most` bytes of output. */
struct sample audit_once(const struct audit_job *job, char **argv,
    size_t most);

/* So many runs more are done. */
void audit_progress(const struct audit_work *w, size_t more);

/* A thread that makes share after share. */
void audit_batches(void *work, unsigned part);
