/* err: how a tool speaks and exits. */
#ifndef ERR_H
#define ERR_H

#include <stddef.h>
#include <stdnoreturn.h>

/* Under the address sanitizer, whose leak checker must be able to look inside
   and whose shadow is larger than any memory. */
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
 * What a program that holds private data does before it takes any in: leaves
 * no core dump and lets no other process of the user look inside, takes a
 * limit on file sizes as an error and not as a signal, and keeps descriptors
 * 0 to 2 from being given to other files where the caller closed them.
 */
void err_guard(void);

/* Prints "tool: message" on stderr; die exits with the status. */
noreturn void die(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As die, with errno's text after the message. */
noreturn void diesys(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What struct rng calls when the kernel gives no entropy: status 4. */
noreturn void die_entropy(void);

/* Allocation or death with status 1; without an old one it is all zeros. */
void *err_alloc(void *old, size_t count, size_t size);

/* An array that holds n entries, with room for one more at least. */
void *err_grow(void *old, size_t n, size_t *room, size_t size);

/* The same for a copy of the first len bytes of a text, or all of it. */
char *err_copy(const char *text, size_t len);

#endif
