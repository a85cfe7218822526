/*
 * The events of the program: an event's id is its place.
 * Generated from nothing.events: changes belong there.
 */

#include "qemu/osdep.h"
#include "trace.h"
#include "trace/generated-events.h"
#include "trace/control.h"

TraceEvent *trace_events[] = {
    NULL,
};
