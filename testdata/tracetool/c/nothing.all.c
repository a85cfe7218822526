/*
 * The events of the group nothing.
 * Generated from nothing.events. Make changes there.
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "trace-nothing.h"

TraceEvent *nothing_trace_events[] = {
    NULL,
};

#ifdef RINGTRACE_DESCRIBE
static const char *const nothing_trace_declarations[] = {
    NULL,
};
RINGTRACE_DESCRIBE(nothing, "nothing", "nop,dtrace,ftrace,log,simple,syslog,ust")
#endif

static void trace_nothing_register_events(void)
{
    trace_event_register_group(nothing_trace_events);
}
trace_init(trace_nothing_register_events)

#include "qemu/osdep.h"
#include "trace/control.h"
#include "trace/simple.h"
#ifndef TRACE_RECORD_SLOW_PATH
#define TRACE_RECORD_SLOW_PATH
#define trace_record_start_fast(record, event, payload_bytes) 0
#endif
