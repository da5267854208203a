/* processors: how many this process may use. */
#ifndef PROCESSORS_H
#define PROCESSORS_H

/*
 * Processors at hand, by affinity and by the limits of control groups, `most`
 * at most, at least one.
 */
unsigned processors(unsigned most);

#endif
