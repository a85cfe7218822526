/*
 * Registration of queued groups, defined in module.c.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_QUEUED_H
#define RINGTRACE_QUEUED_H

#include <stdbool.h>

/* Registers the groups in the queue, so that their events are known. The program may call it again later. */
void ringtrace_register_queued(void);

/* Returns whether events go to another copy of the library, which the program contains. */
bool ringtrace_is_guest(void);

#endif
