/*
 * The events of the program: an event's id is its place.
 * Generated from nothing.events: changes belong there.
 */

#include "qemu/osdep.h"
#include "trace.h"
#include "trace/generated-events.h"
#include "trace/control.h"

/* QEMU's events had a number among those of CPUs, until 8.0. Ours have none. */
#ifdef RINGTRACE_DESCRIBE
#define VCPU_ID(number)
#else
#define VCPU_ID(number) .vcpu_id = number,
#endif

TraceEvent *trace_events[] = {
    NULL,
};
