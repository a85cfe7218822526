/*
 * What waits for its registration in the library's own queue: a function of module.c.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_QUEUED_H
#define RINGTRACE_QUEUED_H

/* Registers the groups that are in the queue, so that it is known which events there are; the program may do so later again. */
void ringtrace_register_queued(void);

#endif
