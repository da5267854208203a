/*
 * death: lib/err in a form that a fuzzer survives; each target includes it
 * once, and err.c then stays out of the program.  What dies jumps back to the
 * target, which so leaks what was allocated: leaks are not looked for here.
 */
#ifndef DEATH_H
#define DEATH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

static jmp_buf death;
static int death_status;

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

void
err_name(const char *tool)
{
	(void)tool;
}

void
err_guard(void)
{
}

/* The words are made, so that their arguments are looked at, and dropped. */
static void
drop(const char *format, va_list args)
{
	static char words[1 << 20];

	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
}

void
err_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	drop(format, args);
}

void
err_die(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	drop(format, args);
	death_status = status;
	longjmp(death, 1);
}

void
err_sys(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	drop(format, args);
	death_status = STATUS_INPUT;
	longjmp(death, 1);
}

void *
err_alloc(void *old, size_t count, size_t size)
{
	void *new = NULL;

	if (size == 0 || count <= SIZE_MAX / size)
		new = realloc(old, count * size + (count * size == 0));
	if (new == NULL)
		abort();
	if (old == NULL)
		memset(new, 0, count * size);
	return new;
}

void *
err_grow(void *old, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return old;
	*room = 2 * n + 16;
	return err_alloc(old, *room, size);
}

char *
err_copy(const char *text, size_t len)
{
	char *copy = strndup(text, len);

	if (copy == NULL)
		abort();
	return copy;
}

#endif
