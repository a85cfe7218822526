/*
 * What an event is to C: the object that generated code defines for each declaration.
 *
 * Part of ringtrace; licensed under MIT or Apache 2.0.
 */
#ifndef TRACE_EVENT_INTERNAL_H
#define TRACE_EVENT_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Events that belong to no virtual processor, which all are now. */
#define TRACE_VCPU_EVENT_NONE ((uint32_t)-1)

typedef struct TraceEvent {
    uint32_t id;        /* given when its group is registered; 0 before */
    const char *name;
    const bool sstate;  /* false: declared with `disable` */
    uint16_t *dstate;   /* 1 while it is on, else 0; only the library writes it */
} TraceEvent;

/* trace_event_set_state_dynamic(), also for events whose group is not registered yet. */
void trace_event_set_state_dynamic_init(TraceEvent *ev, bool state);

#ifdef __cplusplus
}
#endif

#endif
