/*
 * memory: how the core gets room.
 *
 * The program that links a core source defines both functions, and exits when
 * memory is short, so that the core never has half-made objects.  The tools'
 * functions are in tool/err.c.
 */
#pragma once

#include <stddef.h>

/* Room for count objects; zeros if old is NULL. */
void *err_alloc(void *old, size_t count, size_t size);

/* An array with n entries, and room for another at least. */
void *err_grow(void *old, size_t n, size_t *room, size_t size);
