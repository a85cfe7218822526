/*
 * The events of the group disabled.
 * Generated from disabled.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-disabled.h"

uint16_t _TRACE_NEVER_DSTATE;
TraceEvent _TRACE_NEVER_EVENT = {
    .id = 0,
    .name = "never",
    .sstate = TRACE_NEVER_ENABLED,
    .dstate = &_TRACE_NEVER_DSTATE,
};

uint16_t _TRACE_NEVER_EITHER_DSTATE;
TraceEvent _TRACE_NEVER_EITHER_EVENT = {
    .id = 0,
    .name = "never_either",
    .sstate = TRACE_NEVER_EITHER_ENABLED,
    .dstate = &_TRACE_NEVER_EITHER_DSTATE,
};

uint16_t _TRACE_MATCH_DSTATE;
TraceEvent _TRACE_MATCH_EVENT = {
    .id = 0,
    .name = "match",
    .sstate = TRACE_MATCH_ENABLED,
    .dstate = &_TRACE_MATCH_DSTATE,
};

uint16_t _TRACE_BETWEEN_DSTATE;
TraceEvent _TRACE_BETWEEN_EVENT = {
    .id = 0,
    .name = "between",
    .sstate = TRACE_BETWEEN_ENABLED,
    .dstate = &_TRACE_BETWEEN_DSTATE,
};

TraceEvent *disabled_trace_events[] = {
    &_TRACE_NEVER_EVENT,
    &_TRACE_NEVER_EITHER_EVENT,
    &_TRACE_MATCH_EVENT,
    &_TRACE_BETWEEN_EVENT,
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const disabled_trace_declarations[] = {
    "disable never(int x, const char *name, void *p) \"x=%d name=%s p=%p\"",
    "disable never_either(void) \"nothing\"",
    "disable match(int type) \"%d\"",
    "between(int x) \"x=%d\"",
    NULL,
};
RINGTRACE_DESCRIBE(disabled, "disabled", "simple")
#endif

static void trace_disabled_register_events(void)
{
    trace_event_register_group(disabled_trace_events);
}
trace_init(trace_disabled_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif

static TRACE_RECORD_SLOW_PATH void _slow_simple_trace_between(int x)
{
    TraceBufferRecord rec;

    if (trace_record_start(&rec, _TRACE_BETWEEN_EVENT.id, 8)) {
        return; /* The ring is full. The drop has been counted. */
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}

void _simple_trace_between(int x)
{
    TraceBufferRecord rec;

    if (!trace_record_start_fast(&rec, _TRACE_BETWEEN_EVENT.id, 8)) {
        _slow_simple_trace_between(x);
        return;
    }
    trace_record_write_u64(&rec, (uint64_t)x);
    trace_record_finish(&rec);
}
