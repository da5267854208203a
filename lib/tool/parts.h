/* parts: work in several threads at once. */
#pragma once

/*
 * Does the work of parts 0 to n - 1, each in its own thread.  If a thread
 * cannot be started, the caller's thread does its part.
 */
void parts_run(unsigned n, void (*work)(void *arg, unsigned part), void *arg);
