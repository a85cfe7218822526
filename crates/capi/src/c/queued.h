/*
 * Registration of queued groups, defined in module.c.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef RINGTRACE_QUEUED_H
#define RINGTRACE_QUEUED_H

/* Registers the groups in the queue, so that their events are known. The program may call it again later. */
void ringtrace_register_queued(void);

#endif
