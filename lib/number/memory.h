/*
 * memory: where the core has room from.
 *
 * The program that links a core source defines these functions, and ends itself
 * where there is no room: the core then has no half-made objects.  The tools'
 * own are in tool/err.c.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* Room for count objects; zeros where there is no old room. */
void *err_alloc(void *old, size_t count, size_t size);

/* An array that holds n entries, with room for another at least. */
void *err_grow(void *old, size_t n, size_t *room, size_t size);

#endif
