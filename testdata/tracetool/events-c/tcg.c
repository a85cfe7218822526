/*
 * The events of the program. An event's id is its position.
 * Generated from tcg.events. Make changes there.
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

uint16_t _TRACE_GUEST_LOAD_TRANS_DSTATE;
TraceEvent _TRACE_GUEST_LOAD_TRANS_EVENT = {
    .id = 0,
    VCPU_ID(0)
    .name = "guest_load_trans",
    .sstate = TRACE_GUEST_LOAD_TRANS_ENABLED,
    .dstate = &_TRACE_GUEST_LOAD_TRANS_DSTATE,
};

uint16_t _TRACE_GUEST_LOAD_EXEC_DSTATE;
TraceEvent _TRACE_GUEST_LOAD_EXEC_EVENT = {
    .id = 1,
    VCPU_ID(1)
    .name = "guest_load_exec",
    .sstate = TRACE_GUEST_LOAD_EXEC_ENABLED,
    .dstate = &_TRACE_GUEST_LOAD_EXEC_DSTATE,
};

uint16_t _TRACE_EVERY_TYPE_TRANS_DSTATE;
TraceEvent _TRACE_EVERY_TYPE_TRANS_EVENT = {
    .id = 2,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "every_type_trans",
    .sstate = TRACE_EVERY_TYPE_TRANS_ENABLED,
    .dstate = &_TRACE_EVERY_TYPE_TRANS_DSTATE,
};

uint16_t _TRACE_EVERY_TYPE_EXEC_DSTATE;
TraceEvent _TRACE_EVERY_TYPE_EXEC_EVENT = {
    .id = 3,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "every_type_exec",
    .sstate = TRACE_EVERY_TYPE_EXEC_ENABLED,
    .dstate = &_TRACE_EVERY_TYPE_EXEC_DSTATE,
};

uint16_t _TRACE_CPU_ALONE_TRANS_DSTATE;
TraceEvent _TRACE_CPU_ALONE_TRANS_EVENT = {
    .id = 4,
    VCPU_ID(2)
    .name = "cpu_alone_trans",
    .sstate = TRACE_CPU_ALONE_TRANS_ENABLED,
    .dstate = &_TRACE_CPU_ALONE_TRANS_DSTATE,
};

uint16_t _TRACE_CPU_ALONE_EXEC_DSTATE;
TraceEvent _TRACE_CPU_ALONE_EXEC_EVENT = {
    .id = 5,
    VCPU_ID(3)
    .name = "cpu_alone_exec",
    .sstate = TRACE_CPU_ALONE_EXEC_ENABLED,
    .dstate = &_TRACE_CPU_ALONE_EXEC_DSTATE,
};

uint16_t _TRACE_NOTHING_TRANS_DSTATE;
TraceEvent _TRACE_NOTHING_TRANS_EVENT = {
    .id = 6,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "nothing_trans",
    .sstate = TRACE_NOTHING_TRANS_ENABLED,
    .dstate = &_TRACE_NOTHING_TRANS_DSTATE,
};

uint16_t _TRACE_NOTHING_EXEC_DSTATE;
TraceEvent _TRACE_NOTHING_EXEC_EVENT = {
    .id = 7,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "nothing_exec",
    .sstate = TRACE_NOTHING_EXEC_ENABLED,
    .dstate = &_TRACE_NOTHING_EXEC_DSTATE,
};

uint16_t _TRACE_KNOWN_LATE_TRANS_DSTATE;
TraceEvent _TRACE_KNOWN_LATE_TRANS_EVENT = {
    .id = 8,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "known_late_trans",
    .sstate = TRACE_KNOWN_LATE_TRANS_ENABLED,
    .dstate = &_TRACE_KNOWN_LATE_TRANS_DSTATE,
};

uint16_t _TRACE_KNOWN_LATE_EXEC_DSTATE;
TraceEvent _TRACE_KNOWN_LATE_EXEC_EVENT = {
    .id = 9,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "known_late_exec",
    .sstate = TRACE_KNOWN_LATE_EXEC_ENABLED,
    .dstate = &_TRACE_KNOWN_LATE_EXEC_DSTATE,
};

uint16_t _TRACE_KNOWN_EARLY_TRANS_DSTATE;
TraceEvent _TRACE_KNOWN_EARLY_TRANS_EVENT = {
    .id = 10,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "known_early_trans",
    .sstate = TRACE_KNOWN_EARLY_TRANS_ENABLED,
    .dstate = &_TRACE_KNOWN_EARLY_TRANS_DSTATE,
};

uint16_t _TRACE_KNOWN_EARLY_EXEC_DSTATE;
TraceEvent _TRACE_KNOWN_EARLY_EXEC_EVENT = {
    .id = 11,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "known_early_exec",
    .sstate = TRACE_KNOWN_EARLY_EXEC_ENABLED,
    .dstate = &_TRACE_KNOWN_EARLY_EXEC_DSTATE,
};

uint16_t _TRACE_NAMES_TRANS_DSTATE;
TraceEvent _TRACE_NAMES_TRANS_EVENT = {
    .id = 12,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "names_trans",
    .sstate = TRACE_NAMES_TRANS_ENABLED,
    .dstate = &_TRACE_NAMES_TRANS_DSTATE,
};

uint16_t _TRACE_NAMES_EXEC_DSTATE;
TraceEvent _TRACE_NAMES_EXEC_EVENT = {
    .id = 13,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "names_exec",
    .sstate = TRACE_NAMES_EXEC_ENABLED,
    .dstate = &_TRACE_NAMES_EXEC_DSTATE,
};

uint16_t _TRACE_NEVER_TRANS_DSTATE;
TraceEvent _TRACE_NEVER_TRANS_EVENT = {
    .id = 14,
    VCPU_ID(4)
    .name = "never_trans",
    .sstate = TRACE_NEVER_TRANS_ENABLED,
    .dstate = &_TRACE_NEVER_TRANS_DSTATE,
};

uint16_t _TRACE_NEVER_EXEC_DSTATE;
TraceEvent _TRACE_NEVER_EXEC_EVENT = {
    .id = 15,
    VCPU_ID(5)
    .name = "never_exec",
    .sstate = TRACE_NEVER_EXEC_ENABLED,
    .dstate = &_TRACE_NEVER_EXEC_DSTATE,
};

uint16_t _TRACE_NEVER_EITHER_TRANS_DSTATE;
TraceEvent _TRACE_NEVER_EITHER_TRANS_EVENT = {
    .id = 16,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "never_either_trans",
    .sstate = TRACE_NEVER_EITHER_TRANS_ENABLED,
    .dstate = &_TRACE_NEVER_EITHER_TRANS_DSTATE,
};

uint16_t _TRACE_NEVER_EITHER_EXEC_DSTATE;
TraceEvent _TRACE_NEVER_EITHER_EXEC_EVENT = {
    .id = 17,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "never_either_exec",
    .sstate = TRACE_NEVER_EITHER_EXEC_ENABLED,
    .dstate = &_TRACE_NEVER_EITHER_EXEC_DSTATE,
};

uint16_t _TRACE_ORDINARY_OF_CPU_DSTATE;
TraceEvent _TRACE_ORDINARY_OF_CPU_EVENT = {
    .id = 18,
    VCPU_ID(6)
    .name = "ordinary_of_cpu",
    .sstate = TRACE_ORDINARY_OF_CPU_ENABLED,
    .dstate = &_TRACE_ORDINARY_OF_CPU_DSTATE,
};

uint16_t _TRACE_ORDINARY_DSTATE;
TraceEvent _TRACE_ORDINARY_EVENT = {
    .id = 19,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "ordinary",
    .sstate = TRACE_ORDINARY_ENABLED,
    .dstate = &_TRACE_ORDINARY_DSTATE,
};

TraceEvent *trace_events[] = {
    &_TRACE_GUEST_LOAD_TRANS_EVENT,
    &_TRACE_GUEST_LOAD_EXEC_EVENT,
    &_TRACE_EVERY_TYPE_TRANS_EVENT,
    &_TRACE_EVERY_TYPE_EXEC_EVENT,
    &_TRACE_CPU_ALONE_TRANS_EVENT,
    &_TRACE_CPU_ALONE_EXEC_EVENT,
    &_TRACE_NOTHING_TRANS_EVENT,
    &_TRACE_NOTHING_EXEC_EVENT,
    &_TRACE_KNOWN_LATE_TRANS_EVENT,
    &_TRACE_KNOWN_LATE_EXEC_EVENT,
    &_TRACE_KNOWN_EARLY_TRANS_EVENT,
    &_TRACE_KNOWN_EARLY_EXEC_EVENT,
    &_TRACE_NAMES_TRANS_EVENT,
    &_TRACE_NAMES_EXEC_EVENT,
    &_TRACE_NEVER_TRANS_EVENT,
    &_TRACE_NEVER_EXEC_EVENT,
    &_TRACE_NEVER_EITHER_TRANS_EVENT,
    &_TRACE_NEVER_EITHER_EXEC_EVENT,
    &_TRACE_ORDINARY_OF_CPU_EVENT,
    &_TRACE_ORDINARY_EVENT,
    NULL,
};
