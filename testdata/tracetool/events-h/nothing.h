/*
 * The events of the program.
 * Generated from nothing.events. Make changes there.
 */

#ifndef TRACE__GENERATED_EVENTS_H
#define TRACE__GENERATED_EVENTS_H

#include "trace/event-internal.h"

/* Number of events with a state for each CPU. */
#define TRACE_VCPU_EVENT_COUNT 0

/* An event's id is its position. */
typedef enum TraceEventID {
    TRACE_EVENT_COUNT
} TraceEventID;

#endif /* TRACE__GENERATED_EVENTS_H */
