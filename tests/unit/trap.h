/* trap: the signal of __builtin_trap(), which differs among processors. */
#ifndef TRAP_H
#define TRAP_H

#include <signal.h>

#ifdef __aarch64__
#define TRAP_SIGNAL SIGTRAP
#else
#define TRAP_SIGNAL SIGILL
#endif

#endif
