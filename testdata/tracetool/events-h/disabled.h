/*
 * The events of the program.
 * Generated from disabled.events. Make changes there.
 */

#ifndef TRACE__GENERATED_EVENTS_H
#define TRACE__GENERATED_EVENTS_H

#include "trace/event-internal.h"

/* Number of events with a state for each CPU. */
#define TRACE_VCPU_EVENT_COUNT 0

/* An event's id is its position. */
typedef enum TraceEventID {
    TRACE_NEVER,
    TRACE_NEVER_EITHER,
    TRACE_MATCH,
    TRACE_BETWEEN,
    TRACE_EVENT_COUNT
} TraceEventID;

/* disable never(int x, const char *name, void *p) "x=%d name=%s p=%p" */
extern TraceEvent _TRACE_NEVER_EVENT;
extern uint16_t _TRACE_NEVER_DSTATE;
#define TRACE_NEVER_ENABLED 0

/* disable never_either(void) "nothing" */
extern TraceEvent _TRACE_NEVER_EITHER_EVENT;
extern uint16_t _TRACE_NEVER_EITHER_DSTATE;
#define TRACE_NEVER_EITHER_ENABLED 0

/* disable match(int type) "%d" */
extern TraceEvent _TRACE_MATCH_EVENT;
extern uint16_t _TRACE_MATCH_DSTATE;
#define TRACE_MATCH_ENABLED 0

/* between(int x) "x=%d" */
extern TraceEvent _TRACE_BETWEEN_EVENT;
extern uint16_t _TRACE_BETWEEN_DSTATE;
#define TRACE_BETWEEN_ENABLED 1

#endif /* TRACE__GENERATED_EVENTS_H */
