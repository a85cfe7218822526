/*
 * The object that generated C defines for each event.
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

/* Marks events that belong to no virtual processor. Today, no event belongs to one. */
#define TRACE_VCPU_EVENT_NONE ((uint32_t)-1)

typedef struct TraceEvent {
    uint32_t id;        /* set when the group is registered; 0 before */
    const char *name;
    const bool sstate;  /* false if declared with `disable` */
    uint16_t *dstate;   /* 1 while the event is on, else 0; only the library writes it */
} TraceEvent;

/* Enables or disables an event, even if its group is not registered yet. */
void trace_event_set_state_dynamic_init(TraceEvent *ev, bool state);

#ifdef __cplusplus
}
#endif

#endif
