/*
 * For tests/fault/threads, loaded before the C library: as many processors as
 * CPUS says, each thread that is asked for noted in the file THREADS, and
 * refused where REFUSED says so: after so many.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int asked;

int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
    void *(*start)(void *), void *arg)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
	    void *);
	const char *refused = getenv("REFUSED"), *path = getenv("THREADS");
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);

	if (fd < 0 || write(fd, "x", 1) != 1)
		abort();
	close(fd);
	if (refused != NULL && asked++ >= atoi(refused))
		return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(thread, attr, start, arg);
}

int
sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	const char *cpus = getenv("CPUS");

	(void)pid;
	memset(set, 0, size);
	for (int i = 0; i < atoi(cpus); i++)
		CPU_SET(i, set);
	return 0;
}
