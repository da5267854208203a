/*
 * taint: what is private, and where it ceases to be, for an instrument.
 *
 * With -DDP_TAINT, a build that tests/taint makes, valgrind's memcheck follows
 * private bytes as if they were uninitialised memory: a copy and a sum stay
 * private, and memcheck reports a branch or an address that depends on a
 * private byte, and a system call that gets one: tests/taint/marks.h, which is
 * read first.  In every other build these are nothing.
 *
 * private	 a record's bytes, as they are read, and counts of records
 * noisy	 a draw was added, or a selection chose; see random/meter.h
 * public	 the contract says so: n and groups under swap, and more
 */
#pragma once

#ifndef taint_private
#define taint_private(p, n) ((void)(p), (void)(n))
#define taint_noisy(p, n) ((void)(p), (void)(n))
#define taint_public(p, n) ((void)(p), (void)(n))
#define taint_public_if(yes, x) ((void)(yes), (void)(x))
#endif
