/*
 * The events of the program. An event's id is its position.
 * Generated from types.events. Make changes there.
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

uint16_t _TRACE_SIGNED_8_DSTATE;
TraceEvent _TRACE_SIGNED_8_EVENT = {
    .id = 0,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "signed_8",
    .sstate = TRACE_SIGNED_8_ENABLED,
    .dstate = &_TRACE_SIGNED_8_DSTATE,
};

uint16_t _TRACE_SIGNED_16_DSTATE;
TraceEvent _TRACE_SIGNED_16_EVENT = {
    .id = 1,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "signed_16",
    .sstate = TRACE_SIGNED_16_ENABLED,
    .dstate = &_TRACE_SIGNED_16_DSTATE,
};

uint16_t _TRACE_SIGNED_32_DSTATE;
TraceEvent _TRACE_SIGNED_32_EVENT = {
    .id = 2,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "signed_32",
    .sstate = TRACE_SIGNED_32_ENABLED,
    .dstate = &_TRACE_SIGNED_32_DSTATE,
};

uint16_t _TRACE_SIGNED_64_DSTATE;
TraceEvent _TRACE_SIGNED_64_EVENT = {
    .id = 3,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "signed_64",
    .sstate = TRACE_SIGNED_64_ENABLED,
    .dstate = &_TRACE_SIGNED_64_DSTATE,
};

uint16_t _TRACE_UNSIGNED_8_DSTATE;
TraceEvent _TRACE_UNSIGNED_8_EVENT = {
    .id = 4,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "unsigned_8",
    .sstate = TRACE_UNSIGNED_8_ENABLED,
    .dstate = &_TRACE_UNSIGNED_8_DSTATE,
};

uint16_t _TRACE_UNSIGNED_16_DSTATE;
TraceEvent _TRACE_UNSIGNED_16_EVENT = {
    .id = 5,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "unsigned_16",
    .sstate = TRACE_UNSIGNED_16_ENABLED,
    .dstate = &_TRACE_UNSIGNED_16_DSTATE,
};

uint16_t _TRACE_UNSIGNED_32_DSTATE;
TraceEvent _TRACE_UNSIGNED_32_EVENT = {
    .id = 6,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "unsigned_32",
    .sstate = TRACE_UNSIGNED_32_ENABLED,
    .dstate = &_TRACE_UNSIGNED_32_DSTATE,
};

uint16_t _TRACE_UNSIGNED_64_DSTATE;
TraceEvent _TRACE_UNSIGNED_64_EVENT = {
    .id = 7,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "unsigned_64",
    .sstate = TRACE_UNSIGNED_64_ENABLED,
    .dstate = &_TRACE_UNSIGNED_64_DSTATE,
};

uint16_t _TRACE_SIZES_DSTATE;
TraceEvent _TRACE_SIZES_EVENT = {
    .id = 8,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "sizes",
    .sstate = TRACE_SIZES_ENABLED,
    .dstate = &_TRACE_SIZES_DSTATE,
};

uint16_t _TRACE_TRUTH_DSTATE;
TraceEvent _TRACE_TRUTH_EVENT = {
    .id = 9,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "truth",
    .sstate = TRACE_TRUTH_ENABLED,
    .dstate = &_TRACE_TRUTH_DSTATE,
};

uint16_t _TRACE_POINTERS_DSTATE;
TraceEvent _TRACE_POINTERS_EVENT = {
    .id = 10,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "pointers",
    .sstate = TRACE_POINTERS_ENABLED,
    .dstate = &_TRACE_POINTERS_DSTATE,
};

uint16_t _TRACE_STRINGS_DSTATE;
TraceEvent _TRACE_STRINGS_EVENT = {
    .id = 11,
    VCPU_ID(TRACE_VCPU_EVENT_NONE)
    .name = "strings",
    .sstate = TRACE_STRINGS_ENABLED,
    .dstate = &_TRACE_STRINGS_DSTATE,
};

TraceEvent *trace_events[] = {
    &_TRACE_SIGNED_8_EVENT,
    &_TRACE_SIGNED_16_EVENT,
    &_TRACE_SIGNED_32_EVENT,
    &_TRACE_SIGNED_64_EVENT,
    &_TRACE_UNSIGNED_8_EVENT,
    &_TRACE_UNSIGNED_16_EVENT,
    &_TRACE_UNSIGNED_32_EVENT,
    &_TRACE_UNSIGNED_64_EVENT,
    &_TRACE_SIZES_EVENT,
    &_TRACE_TRUTH_EVENT,
    &_TRACE_POINTERS_EVENT,
    &_TRACE_STRINGS_EVENT,
    NULL,
};
