/*
 * The events of the program.
 * Generated from nothing.events: changes belong there.
 */

#ifndef TRACE__GENERATED_EVENTS_H
#define TRACE__GENERATED_EVENTS_H

#include "trace/event-internal.h"

/* Events that each CPU has a state of its own for. */
#define TRACE_VCPU_EVENT_COUNT 0

/* Ids are places. */
typedef enum TraceEventID {
    TRACE_EVENT_COUNT
} TraceEventID;

#endif /* TRACE__GENERATED_EVENTS_H */
