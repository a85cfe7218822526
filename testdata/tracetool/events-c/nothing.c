/*
 * The events of the program. An event's id is its position.
 * Generated from nothing.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "trace.h"
#include "trace/generated-events.h"
#include "trace/control.h"

/* Until 8.0, QEMU numbered the events of CPUs. ringtrace does not. */
#ifdef RINGTRACE_DESCRIBE
#define VCPU_ID(number)
#else
#define VCPU_ID(number) .vcpu_id = number,
#endif

TraceEvent *trace_events[] = {
    NULL,
};
