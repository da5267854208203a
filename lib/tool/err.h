/* err: how a tool speaks and exits. */
#pragma once

#include <stdbool.h>
#ifndef __cplusplus
#include <stdnoreturn.h>
#endif

#include "number/memory.h"	/* err_alloc and err_grow, with status 1 */

/*
 * Under the address sanitizer, where the leak checker must look inside and the
 * shadow is larger than any memory.
 */
#if defined(__SANITIZE_ADDRESS__)
#define ERR_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ERR_WATCHED
#endif
#endif

enum status {
	STATUS_OK = 0,		/* released */
	STATUS_INPUT = 1,	/* input or I/O */
	STATUS_USAGE = 2,
	STATUS_REFUSED = 3,	/* by the ledger */
	STATUS_ENTROPY = 4	/* no random bytes */
};

/* Name put before every message; the string must outlive the program. */
void err_name(const char *tool);

/*
 * To be called before a program reads private data.  After it the program
 * leaves no core dump, a limit on file sizes is an error and not a signal, and
 * new files do not get the descriptors 0 to 2 if these were closed.
 */
void err_guard(void);

/*
 * Prints "tool: message" on stderr; err_die exits with the status, err_sys with
 * STATUS_INPUT and errno's text after the message.
 */
void err_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void err_die(int status, const char *format, ...)
    __attribute__((__noreturn__, format(printf, 2, 3)));
void err_sys(const char *format, ...)
    __attribute__((__noreturn__, format(printf, 1, 2)));

/* A copy of a text's first len bytes, or of the whole text. */
char *err_copy(const char *text, size_t len);
