/*
 * The events of the program. An event's id is its position.
 * Generated from disabled.events. Make changes there.
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

uint16_t _TRACE_NEVER_DSTATE;
TraceEvent _TRACE_NEVER_EVENT = {
    .id = 0,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "never",
    .sstate = TRACE_NEVER_ENABLED,
    .dstate = &_TRACE_NEVER_DSTATE,
};

uint16_t _TRACE_NEVER_EITHER_DSTATE;
TraceEvent _TRACE_NEVER_EITHER_EVENT = {
    .id = 1,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "never_either",
    .sstate = TRACE_NEVER_EITHER_ENABLED,
    .dstate = &_TRACE_NEVER_EITHER_DSTATE,
};

uint16_t _TRACE_MATCH_DSTATE;
TraceEvent _TRACE_MATCH_EVENT = {
    .id = 2,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "match",
    .sstate = TRACE_MATCH_ENABLED,
    .dstate = &_TRACE_MATCH_DSTATE,
};

uint16_t _TRACE_BETWEEN_DSTATE;
TraceEvent _TRACE_BETWEEN_EVENT = {
    .id = 3,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "between",
    .sstate = TRACE_BETWEEN_ENABLED,
    .dstate = &_TRACE_BETWEEN_DSTATE,
};

TraceEvent *trace_events[] = {
    &_TRACE_NEVER_EVENT,
    &_TRACE_NEVER_EITHER_EVENT,
    &_TRACE_MATCH_EVENT,
    &_TRACE_BETWEEN_EVENT,
    NULL,
};
