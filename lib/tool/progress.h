/* progress: how far a long computation is, for people who watch. */
#ifndef PROGRESS_H
#define PROGRESS_H

/*
 * Shows `part` of the whole, 0 to 1, on standard error if that is a terminal;
 * arg is what is under way, a string.  Fit to be called back.
 */
void progress_show(void *arg, double part);

/* Wipes the line. */
void progress_end(void);

#endif
